import type { Clock } from '../../shared/clock.ts'
import type { CdnEmulator } from '../cdn/emulator.ts'
import type { Fault } from '../cdn/faults.ts'
import type { IncidentKind } from '../cdn/world/traffic.ts'
import type { FastClock } from './fast-clock.ts'
import type { SlackEmulator } from '../slack/emulator.ts'
import { OPERATORS_GROUP, OTTO } from '../slack/state/seed.ts'

/** Something a person can make go wrong, or put right again, while everything runs. */
export type Control = ReturnType<ReturnType<typeof createControls>['list']>[number]

interface Controlled {
  readonly cdn: Pick<CdnEmulator, 'world' | 'faults'>
  readonly slack: Pick<SlackEmulator, 'switches' | 'workspace' | 'dropAll'>
  readonly clock: FastClock
}

/** A row of the table: its id, label and hint, what it does, and how it stands if it is a toggle. */
type Switch = readonly [id: string, label: string, hint: string, turn: (on: boolean) => void, isOn?: () => boolean]

export function createControls({ cdn, slack, clock }: Controlled) {
  const all = [...trafficSwitches(cdn, clock), ...platformSwitches(cdn, clock), ...slackSwitches(slack)]
  return {
    list: () =>
      all.map(([id, label, hint, , isOn]) => ({ id, label, hint, ...(isOn !== undefined && { on: isOn() }) })),
    /** Turns a toggle, or presses a button whatever `on` says. Throws RangeError for an unknown id. */
    set(id: string, on: boolean): void {
      const found = all.find(([name]) => name === id)
      if (found === undefined) throw new RangeError(`There is no control called ${id}`)
      const [, , , turn, isOn] = found
      if (isOn?.() !== on) turn(on)
    },
  }
}

/** The pull zone and the storage zone that things happen to; both belong to the shop. */
const PULL_ZONE_ID = 301n
const STORAGE_ZONE_ID = 101n
const JUMP = { bytes: 250_000_000_000n, files: 480_000n } as const

function trafficSwitches({ world }: Controlled['cdn'], clock: Pick<Clock, 'now'>): readonly Switch[] {
  const incident = (kind: IncidentKind, id: string, label: string, hint: string): Switch => {
    let end: ((untilMs: number) => void) | undefined
    const turn = (on: boolean): void => {
      const atMs = clock.now().getTime()
      end?.(atMs)
      end = on ? world.addIncident({ pullZoneId: PULL_ZONE_ID, kind, fromMs: atMs }) : undefined
    }
    return [id, label, hint, turn, () => end !== undefined]
  }
  return [
    incident('origin outage', 'origin-down', 'Origin down', 'The shop’s origin fails: STALE answers and 5xx rise.'),
    incident('purge', 'purge-storm', 'Purge storm', 'The shop’s cache is emptied again and again: MISS, not HIT.'),
    incident('silence', 'traffic-gone', 'Traffic gone', 'The shop’s log takes no more lines, as if nobody came.'),
    incident('surge', 'traffic-surge', 'Traffic surge', 'Five times as many requests reach the shop.'),
    incident('bypass', 'cache-bypassed', 'Cache bypassed', 'A cookie makes the shop’s cache be skipped: BYPASS rises.'),
    [
      'log-lag',
      'Log lag',
      'Lines come into the logs about 20 seconds after their requests, a few minutes later, a few twice.',
      (on) => (world.logLags = on),
      () => world.logLags,
    ],
    [
      'logging-off',
      'Logging disabled',
      'Somebody switches the shop’s log off; the CDN answers 404 for it.',
      (on) => world.setLogging(PULL_ZONE_ID, on ? 'off' : 'on'),
      () => world.pullZone(PULL_ZONE_ID)?.logging === 'off',
    ],
  ]
}

const FAST_FACTOR = 60

/** Of the first three only one can hold: turning one on takes the place of another. */
function platformSwitches({ world, faults }: Controlled['cdn'], clock: FastClock): readonly Switch[] {
  const all = (fault: Fault, id: string, label: string, hint: string): Switch => {
    const turn = (on: boolean): void => (on ? faults.set('all', fault) : faults.clear('all'))
    return [id, label, hint, turn, () => faults.planned('all') === fault]
  }
  const tooMany: Fault = { kind: 'status', status: 429, retryAfter: '5' }
  const accepted: Fault = { kind: 'reset', carriedOut: true }
  const writes = ['addDnsRecord', 'createVideoLibrary'] as const
  return [
    all({ kind: 'slow', delayMs: 4_000 }, 'slow', 'Slow platform', 'Every answer takes four seconds.'),
    all(tooMany, 'status-429', 'Too many requests', 'Every call is answered 429.'),
    all({ kind: 'status', status: 500 }, 'status-500', 'Internal errors', 'Every call is answered 500.'),
    [
      'reset-after-accept',
      'Reset after accept',
      'Writes are carried out, but the connection breaks before the answer.',
      (on) => writes.forEach((write) => (on ? faults.set(write, accepted) : faults.clear(write))),
      () => writes.every((write) => faults.planned(write) === accepted),
    ],
    [
      'new-api-key',
      'New API key',
      'Somebody makes another API key for the account; it is listed last.',
      () => world.addApiKey(),
    ],
    [
      'storage-jump',
      'Storage jump',
      'Somebody uploads 250 GB into the shop’s storage zone at once.',
      () => world.addJump(STORAGE_ZONE_ID, JUMP, clock.now()),
    ],
    [
      'fast-time',
      `Time at ${FAST_FACTOR}×`,
      'An hour passes in a minute, for the bot too: an approval that waits expires in half a minute.',
      (on) => clock.setFactor(on ? FAST_FACTOR : 1),
      () => clock.factor === FAST_FACTOR,
    ],
  ]
}

function slackSwitches({ switches, workspace, dropAll }: Controlled['slack']): readonly Switch[] {
  const users = () => workspace.groups.find(({ id }) => id === OPERATORS_GROUP)?.users ?? []
  type Flag = 'rateLimits' | 'refusePosts' | 'down'
  const flag = (name: Flag, id: string, label: string, hint: string): Switch => {
    return [id, label, hint, (on) => (switches[name] = on), () => switches[name]]
  }
  return [
    [
      'otto-leaves',
      'Otto leaves the operators',
      'Somebody takes Otto out of @cdn-operators; Slack tells the bot, and he has no role any more.',
      (on) =>
        workspace.changeGroup(OPERATORS_GROUP, {
          users: on ? users().filter((id) => id !== OTTO) : [...users(), OTTO],
        }),
      () => !users().includes(OTTO),
    ],
    [
      'otto-deactivated',
      'Otto is deactivated',
      'Otto leaves the company: his account is deactivated, whatever groups still name him.',
      (on) => workspace.changeMember(OTTO, { kind: on ? 'deactivated' : 'member' }),
      () => workspace.member(OTTO).kind === 'deactivated',
    ],
    [
      'no-user-groups',
      'No user groups',
      'Slack refuses to say who is in its groups, as on its free plan.',
      (on) => (switches.paidPlan = !on),
      () => !switches.paidPlan,
    ],
    [
      'refuse-charts',
      'No charts or tables',
      'Slack refuses them; answers come in their plain form.',
      (on) => (switches.refusedBlocks = on ? ['data_visualization', 'data_table'] : []),
      () => switches.refusedBlocks.length > 0,
    ],
    flag(
      'rateLimits',
      'slack-rate-limits',
      'Slack rate limits',
      'Slack counts calls and answers 429 above its limits.',
    ),
    flag('refusePosts', 'refuse-posts', 'No new messages', 'Slack answers each with 429; what is there can be edited.'),
    flag('down', 'slack-down', 'Slack down', 'Slack answers every call of the bot with 503.'),
    ['drop-links', 'Drop all links', 'Every link ends without a word.', dropAll],
  ]
}
