import { describe, expect, it } from 'vitest'
import { FaultPlan } from '../../../src/playground/cdn/faults.ts'
import { World } from '../../../src/playground/cdn/world/world.ts'
import { storageOn } from '../../../src/playground/cdn/world/zones.ts'
import { createControls } from '../../../src/playground/stage/controls.ts'
import { FastClock } from '../../../src/playground/stage/fast-clock.ts'
import { standing } from '../../../src/playground/slack/wire/server.ts'
import { OTTO } from '../../../src/playground/slack/state/seed.ts'
import { scene } from '../slack/scripted-app.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

function stage() {
  const time = new TurnedClock()
  const clock = new FastClock(time)
  const world = new World({ seed: 'tests', now: clock.now(), accessKey: 'own', canaries: {} })
  const faults = new FaultPlan()
  const { switches, workspace } = scene().parts
  const told: string[] = []
  const slack = {
    switches,
    workspace,
    dropAll: () => void told.push('dropped'),
  }
  const controls = createControls({ cdn: { world, faults }, slack, clock })
  return { time, clock, world, faults, switches, workspace, told, controls }
}

type Stage = ReturnType<typeof stage>

const on = ({ controls }: Stage) => controls.list().flatMap(({ id, on: isOn }) => (isOn === true ? [id] : []))

/** The shop's requests of the minute after the present one. */
function traffic({ world, clock }: Stage) {
  return world.requestsIn(world.pullZone(301n)!, Math.floor(clock.now().getTime() / 60_000) + 1)
}

const share = (requests: ReturnType<typeof traffic>, status: string) =>
  requests.filter(({ cacheStatus }) => cacheStatus === status).length / requests.length

/** What each control does, seen where the bot would see it. */
const EFFECTS: Readonly<Record<string, (here: Stage) => unknown>> = {
  'origin-down': (here) => share(traffic(here), 'STALE') > 0.15,
  'purge-storm': (here) => share(traffic(here), 'MISS') > 0.5,
  'traffic-gone': (here) => traffic(here).length === 0,
  'traffic-surge': (here) => traffic(here).length > 3 * traffic(stage()).length,
  'cache-bypassed': (here) => share(traffic(here), 'BYPASS') > 0.5,
  'log-lag': ({ world }) => world.logLags,
  'logging-off': ({ world }) => world.pullZone(301n)?.logging === 'off',
  slow: ({ faults }) => faults.take('queryLogs')?.kind === 'slow',
  'status-429': ({ faults }) => JSON.stringify(faults.take('queryLogs'))?.includes('429'),
  'status-500': ({ faults }) => JSON.stringify(faults.take('listApiKeys'))?.includes('500'),
  'reset-after-accept': ({ faults }) =>
    JSON.stringify([faults.take('addDnsRecord'), faults.take('createVideoLibrary')]) ===
      '[{"kind":"reset","carriedOut":true},{"kind":"reset","carriedOut":true}]' &&
    faults.take('listApiKeys') === undefined,
  'fast-time': ({ clock, time }) => {
    const before = clock.now().getTime()
    time.turn(1_000)
    return clock.now().getTime() - before === 60_000
  },
  'otto-leaves': ({ workspace }) => !workspace.groups.some(({ users }) => users.includes(OTTO)),
  'otto-deactivated': ({ workspace }) => workspace.member(OTTO).kind === 'deactivated',
  'no-user-groups': ({ switches }) => !switches.paidPlan,
  'refuse-charts': ({ switches }) => switches.refusedBlocks.length > 0,
  'slack-rate-limits': ({ switches }) => switches.rateLimits,
  'refuse-posts': ({ switches }) => standing('chat.postMessage', switches) !== undefined,
  'slack-down': ({ switches }) => standing('chat.update', switches) !== undefined,
}

describe('A toggle', () => {
  it('stands for each thing that can stay broken', () => {
    const toggles = stage()
      .controls.list()
      .filter(({ on: isOn }) => isOn !== undefined)
    expect(toggles.map(({ id }) => id).toSorted()).toEqual(Object.keys(EFFECTS).toSorted())
    expect(toggles.every(({ on: isOn }) => isOn === false)).toBe(true)
  })

  it.each(Object.entries(EFFECTS))('%s works when it is on, and only then', (id, isSeen) => {
    const here = stage()
    expect(isSeen(here)).not.toBe(true)
    here.controls.set(id, true)
    expect([on(here), isSeen(here)]).toEqual([[id], true])
    here.controls.set(id, true)
    here.controls.set(id, false)
    expect(on(here)).toEqual([])
    expect(isSeen(here)).not.toBe(true)
  })
})

describe('A button', () => {
  it('makes a key, uploads much, or ends links', () => {
    const here = stage()
    const keys = here.world.apiKeys.length
    const today = Math.floor(here.clock.now().getTime() / 86_400_000)
    const bytes = () => storageOn(here.world.seed, here.world.storageZone(101n)!, today)!.bytes
    const before = bytes()
    for (const id of ['new-api-key', 'storage-jump', 'drop-links']) here.controls.set(id, true)
    expect(here.world.apiKeys).toHaveLength(keys + 1)
    expect(bytes() - before).toBe(250_000_000_000n)
    expect(here.told).toEqual(['dropped'])
    expect(on(here)).toEqual([])
  })
})
