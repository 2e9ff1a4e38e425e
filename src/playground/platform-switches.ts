import type { Clock } from '../shared/clock.ts'
import type { CdnEmulator } from './cdn/emulator.ts'
import type { Fault } from './cdn/faults.ts'
import type { IncidentKind } from './cdn/world/traffic.ts'
import { button, lasting, toggle, type Switch } from './switch.ts'

/** The pull zone and the storage zone that things happen to; both belong to the shop. */
const PULL_ZONE_ID = 301n
const STORAGE_ZONE_ID = 101n
const SLOW_MS = 4_000
const RETRY_AFTER_S = '5'
const JUMP = { bytes: 250_000_000_000n, files: 480_000n } as const

type Platform = Pick<CdnEmulator, 'world' | 'faults'>

export function platformSwitches({ world, faults }: Platform, clock: Pick<Clock, 'now'>): readonly Switch[] {
  return [
    ...trafficSwitches(world, clock),
    ...answerSwitches(faults),
    button({
      id: 'new-api-key',
      label: 'New API key',
      hint: 'Somebody makes another API key for the account; it is listed last.',
      press: () => void world.addApiKey(),
    }),
    button({
      id: 'storage-jump',
      label: 'Storage jump',
      hint: 'Somebody uploads 250 GB into the shop’s storage zone at once.',
      press: () => void world.addJump(STORAGE_ZONE_ID, JUMP, clock.now()),
    }),
  ]
}

function trafficSwitches(world: Platform['world'], clock: Pick<Clock, 'now'>): readonly Switch[] {
  const incident = (kind: IncidentKind, id: string, label: string, hint: string): Switch =>
    lasting({
      id,
      label,
      hint,
      start() {
        const end = world.incidents.add({ pullZoneId: PULL_ZONE_ID, kind, fromMs: clock.now().getTime() })
        return () => end(clock.now().getTime())
      },
    })
  return [
    incident('origin outage', 'origin-down', 'Origin down', 'The shop’s origin fails: STALE answers and 5xx rise.'),
    incident(
      'purge',
      'purge-storm',
      'Purge storm',
      'The shop’s cache is emptied again and again: MISS instead of HIT.',
    ),
    incident('silence', 'traffic-gone', 'Traffic gone', 'The shop’s log takes no more lines, as if nobody came.'),
    incident('surge', 'traffic-surge', 'Traffic surge', 'Five times as many requests reach the shop.'),
    incident('bypass', 'cache-bypassed', 'Cache bypassed', 'A cookie makes the shop’s cache be skipped: BYPASS rises.'),
    toggle({
      id: 'log-lag',
      label: 'Log lag',
      hint: 'Lines come into the logs about 20 seconds after their requests, a few minutes later, a few twice.',
      isOn: () => world.logLags,
      turn: (on) => (world.logLags = on),
    }),
    toggle({
      id: 'logging-off',
      label: 'Logging disabled',
      hint: 'Somebody switches the shop’s log off; the platform answers 404 for it.',
      isOn: () => world.pullZone(PULL_ZONE_ID)?.logging === 'off',
      turn: (on) => world.setLogging(PULL_ZONE_ID, on ? 'off' : 'on'),
    }),
  ]
}

/** Of the first three only one can hold: turning one on takes the place of another. */
function answerSwitches(faults: Platform['faults']): readonly Switch[] {
  const all = (fault: Fault, id: string, label: string, hint: string): Switch =>
    toggle({
      id,
      label,
      hint,
      isOn: () => faults.planned('all') === fault,
      turn: (on) => (on ? faults.set('all', fault) : faults.clear('all')),
    })
  const accepted: Fault = { kind: 'reset', carriedOut: true }
  const retryAfter = RETRY_AFTER_S
  return [
    all({ kind: 'slow', delayMs: SLOW_MS }, 'slow', 'Slow platform', 'Every answer takes four seconds.'),
    all({ kind: 'status', status: 429, retryAfter }, 'status-429', 'Too many requests', 'Every call is answered 429.'),
    all({ kind: 'status', status: 500 }, 'status-500', 'Internal errors', 'Every call is answered 500.'),
    toggle({
      id: 'reset-after-accept',
      label: 'Reset after accept',
      hint: 'Writes are carried out, but the connection breaks before the answer.',
      isOn: () => faults.planned('addDnsRecord') === accepted && faults.planned('createVideoLibrary') === accepted,
      turn(on) {
        for (const write of ['addDnsRecord', 'createVideoLibrary'] as const) {
          if (on) faults.set(write, accepted)
          else faults.clear(write)
        }
      },
    }),
  ]
}
