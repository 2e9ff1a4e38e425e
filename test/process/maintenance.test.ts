import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMaintenance, type MaintenanceOptions } from '../../src/process/maintenance.ts'
import type { Roster } from '../../src/slack/people/roster.ts'
import type { Workspace } from '../../src/slack/workspace.ts'
import type { AlertRule } from '../../src/store/schema/alert-records.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { type Bench, createBench } from '../support/execution-bench.ts'
import { recordingLog } from '../support/recording-log.ts'

let bench: Bench
let roster: Roster | undefined
/** Of the configuration file. */
let alertRules: readonly AlertRule[] = []
/** How often digests were told. */
let digestRounds = 0
/** How often alerts were told to look again. */
let looks = 0
beforeEach(async () => {
  alertRules = []
  looks = 0
  digestRounds = 0
  bench = await createBench()
  roster = EMPTY
})
afterEach(() => bench.close())

const EMPTY: Roster = {
  members: { 'Listed as admin': ['UADA'], 'Listed as operator': ['UOLGA'] },
  everybodyIsViewer: false,
  policy: '1',
}
const DAY_MS = 24 * 3_600_000
const FIRST = 'Who has which role is noted from now on'

function createTested(more: Partial<MaintenanceOptions> = {}) {
  const { log, lines } = recordingLog()
  const { reconciler, store, clock } = bench
  const workspace = {
    directory: { roster: async () => roster },
    identity: { teamId: 'T1' },
    tryToken: async () => undefined,
  } as unknown as Workspace // only what maintenance reads
  const configuration = {
    get file() {
      return { policy: bench.rules.policy, alertRules }
    },
  }
  const onAlertRules = () => void (looks += 1)
  const digests = async () => void (digestRounds += 1)
  const parts = { digests, reconciler, configuration, onAlertRules, store, clock, workspace, opsChannel: 'COPS', log }
  return { maintenance: createMaintenance({ ...parts, ...more }), lines }
}

const entries = async () =>
  (await bench.store.audit.list({ limit: 100 })).toReversed().map(({ event, summary }) => `${event}: ${summary}`)
const heads = async () => {
  await bench.deliver()
  return bench.board.in('COPS').filter((text) => text.startsWith('The audit log ends'))
}

describe('who has which role', () => {
  it('is on record from the first look on, and then whenever it changes', async () => {
    const { maintenance } = createTested()
    await maintenance.round()
    await maintenance.round()
    expect(await entries()).toEqual([`roles_changed: ${FIRST}`])
    roster = { ...EMPTY, members: { ...EMPTY.members, 'Listed as operator': ['UOTTO'] }, policy: '2' }
    await maintenance.round()
    await maintenance.round()
    expect(await entries()).toEqual([
      `roles_changed: ${FIRST}`,
      'roles_changed: Listed as operator: UOTTO added, UOLGA removed',
      'policy_changed: The policy changed from version 1 to 2',
    ])
    const [newest] = await bench.store.audit.list({ limit: 1 })
    expect(newest).toMatchObject({ actor: 'cdn-ops', team: 'T1', operation: 'configuration' })
    const first = (await bench.store.audit.list({ limit: 100 })).at(-1)
    expect(first?.detail).toBe('Listed as admin: UADA added. Listed as operator: UOLGA added')
  })

  it('is compared with what the last process knew', async () => {
    await createTested().maintenance.round()
    roster = { ...EMPTY, everybodyIsViewer: true }
    await createTested().maintenance.round()
    expect((await entries()).at(-1)).toBe('roles_changed: Every full member is viewer')
  })

  it('is written once by two processes that notice the same', async () => {
    await createTested().maintenance.round()
    bench.clock.turn(1_000)
    roster = { ...EMPTY, everybodyIsViewer: true }
    await Promise.all([createTested().maintenance.round(), createTested().maintenance.round()])
    expect(await entries()).toHaveLength(2)
  })

  it('is noted anew where what was remembered cannot be read', async () => {
    await bench.store.remembered.set('roster', { users: 'nonsense' }, { now: bench.clock.now() })
    bench.clock.turn(1)
    await createTested().maintenance.round()
    expect(await entries()).toEqual([`roles_changed: ${FIRST}`])
  })
})

describe('the head of the audit log', () => {
  it('is posted once a day, as it is then', async () => {
    const { maintenance } = createTested()
    await maintenance.round()
    expect(await heads()).toEqual([])
    bench.clock.turn(DAY_MS)
    await maintenance.round()
    const { seq, hash } = await bench.store.audit.head()
    expect(await heads()).toEqual([expect.stringContaining(`entry ${seq} today: ${seq}:${hash}`)])
    // To deliver it took a second.
    bench.clock.turn(DAY_MS - 1_001)
    await maintenance.round()
    expect(await heads()).toHaveLength(1)
    roster = { ...EMPTY, everybodyIsViewer: true }
    bench.clock.turn(1)
    await maintenance.round()
    expect(await heads()).toHaveLength(2)
    expect((await heads())[1]).toContain(`entry ${seq + 1} today`)
  })

  it('is posted when the last one was, by a clock that has been put back since, in the future', async () => {
    await createTested().maintenance.round()
    await bench.store.remembered.set('audit_head', {}, { now: new Date(bench.clock.now().getTime() + 365 * DAY_MS) })
    await createTested().maintenance.round()
    await createTested().maintenance.round()
    expect(await heads()).toHaveLength(1)
  })

  it('is posted once by two processes, at once or one after the other', async () => {
    await createTested().maintenance.round()
    bench.clock.turn(DAY_MS)
    await Promise.all([createTested().maintenance.round(), createTested().maintenance.round()])
    await createTested().maintenance.round()
    expect(await heads()).toHaveLength(1)
    bench.clock.turn(DAY_MS)
    await Promise.all([createTested().maintenance.round(), createTested().maintenance.round()])
    expect(await heads()).toHaveLength(2)
  })

  it('is not posted where there is no channel for it, or no entry yet', async () => {
    roster = undefined
    await createTested().maintenance.round()
    await createTested({ opsChannel: undefined }).maintenance.round()
    expect(await heads()).toEqual([])
  })
})

describe('a round', () => {
  it('does each part whatever becomes of the others, and logs which one failed', async () => {
    bench.store.remembered.get = () => Promise.reject(new StoreError('locked'))
    bench.reconciler.reconcile = () => Promise.reject(new TypeError('a bug'))
    const { maintenance, lines } = createTested()
    await maintenance.round()
    expect(lines.map(({ level, fields }) => `${level} ${String(fields['task'])}`)).toEqual([
      'error reconcile changes',
      'error audit who has which role',
      'error post the head of the audit log',
    ])
    expect(digestRounds).toBe(1)
  })

  it('probes the store and the token in each process', async () => {
    const stopping = new AbortController()
    let probes = 0
    bench.store.probe = async () => {
      probes += 1
      throw new StoreError('locked')
    }
    const tryToken = async () => stopping.abort()
    const workspace = { tryToken } as unknown as Workspace // only what is asked here
    const { maintenance, lines } = createTested({ workspace })
    await maintenance.watchSelf(stopping.signal)
    expect([probes, lines.map(({ fields }) => fields['task'])]).toEqual([1, ['probe the store']])
  })

  it('ends with the step that is under way when the bot stops', async () => {
    const stopping = new AbortController()
    bench.reconciler.reconcile = async (signal) => {
      expect(signal).toBe(stopping.signal)
      stopping.abort()
    }
    bench.store.prune = () => expect.unreachable('It stops')
    await createTested().maintenance.round(stopping.signal)
    expect(await entries()).toEqual([])
  })

  it('deletes what has outlived its time once a minute, also after that failed', async () => {
    let pruned = 0
    bench.store.prune = async () => {
      pruned += 1
      if (pruned === 2) throw new StoreError('locked')
    }
    const { maintenance } = createTested()
    for (const afterMs of [0, 59_999, 1, 15_000, 45_000]) {
      bench.clock.turn(afterMs)
      await maintenance.round()
    }
    expect(pruned).toBe(3)
  })
})

describe('maintenance', () => {
  /** Rounds as they end. */
  function counted() {
    const { maintenance } = createTested()
    const state = { rounds: 0 }
    bench.reconciler.reconcile = async () => void (state.rounds += 1)
    return { maintenance, state }
  }

  it('goes round every 15 seconds until the bot stops', async () => {
    const { maintenance, state } = counted()
    const stopping = new AbortController()
    const over = maintenance.run(stopping.signal)
    await expect.poll(() => bench.clock.timers).toBe(1)
    bench.clock.turn(14_999)
    expect(state.rounds).toBe(1)
    bench.clock.turn(1)
    await expect.poll(() => state.rounds).toBe(2)
    await expect.poll(() => bench.clock.timers).toBe(1)
    stopping.abort()
    await over
    expect(bench.clock.timers).toBe(0)
  })

  it('goes round at once when it is told to, also when that comes during a round', async () => {
    const { maintenance, state } = counted()
    const stopping = new AbortController()
    const over = maintenance.run(stopping.signal)
    maintenance.soon()
    await expect.poll(() => state.rounds).toBe(2)
    await expect.poll(() => bench.clock.timers).toBe(1)
    maintenance.soon()
    await expect.poll(() => state.rounds).toBe(3)
    stopping.abort()
    await over
  })
})

describe('alert rules of the configuration file', () => {
  const rule = (kind: string, subject = 'pull/301'): AlertRule => ({
    id: `${kind}-${subject}`,
    kind,
    subject,
    channelId: 'C0OPS',
    parameters: {},
    createdBy: 'configuration',
    createdAt: new Date(0),
  })
  const kinds = async () => (await bench.store.alertRules.list()).map(({ kind }) => kind).toSorted()
  const noted = async () =>
    (await bench.store.audit.list({ limit: 10 }))
      .filter(({ summary }) => summary.startsWith('Alert rules'))
      .map(({ summary, detail }) => [summary, detail])
  // Then the rules are the only thing on record.
  beforeEach(() => (roster = undefined))

  it('are brought into the store, put on record, and looked at', async () => {
    alertRules = [rule('origin-failing'), rule('cache-not-working')]
    await createTested().maintenance.round()
    expect(await kinds()).toEqual(['cache-not-working', 'origin-failing'])
    expect(looks).toBe(1)
    expect(await noted()).toEqual([
      [
        'Alert rules of the configuration file: 2 changed',
        'added: origin-failing of pull/301 in C0OPS; added: cache-not-working of pull/301 in C0OPS',
      ],
    ])
  })

  it('are written once while the file says the same, by this process and the next', async () => {
    alertRules = [rule('origin-failing')]
    const { maintenance } = createTested()
    await maintenance.round()
    await maintenance.round()
    expect(looks).toBe(1)
    await createTested().maintenance.round()
    expect(await noted()).toHaveLength(1)
  })

  it('are tried again when the store did not take them', async () => {
    alertRules = [rule('origin-failing')]
    const { maintenance, lines } = createTested()
    const manage = bench.store.alertRules.manage.bind(bench.store.alertRules)
    bench.store.alertRules.manage = () => Promise.reject(new StoreError('locked'))
    await maintenance.round()
    expect(lines.map(({ fields }) => fields['task'])).toEqual(['apply the alert rules of the configuration file'])
    bench.store.alertRules.manage = manage
    await maintenance.round()
    expect(await kinds()).toEqual(['origin-failing'])
  })

  it.each([
    [20, /pull\/20 in C0OPS$/],
    [22, /pull\/20 in C0OPS; and 2 more$/],
  ])('are named up to twenty changes, the others counted: of %i', async (count, end) => {
    alertRules = Array.from({ length: count }, (_, zone) => rule('origin-failing', `pull/${zone + 1}`))
    await createTested().maintenance.round()
    const [[summary, detail] = []] = await noted()
    expect(summary).toBe(`Alert rules of the configuration file: ${count} changed`)
    expect(detail).toMatch(end)
  })
})
