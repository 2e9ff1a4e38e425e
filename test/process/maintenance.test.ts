import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Maintenance, type MaintenanceParts } from '../../src/process/maintenance.ts'
import type { Roster } from '../../src/slack/roster.ts'
import type { Workspace } from '../../src/slack/workspace.ts'
import type { AlertRule } from '../../src/store/alert-records.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { type Bench, createBench } from '../support/execution-bench.ts'
import { recordingLog } from '../support/recording-log.ts'

let bench: Bench
let roster: Roster | undefined
/** Of the configuration file. */
let alertRules: readonly AlertRule[] = []
/** How often alerts were told to look again. */
let looks = 0
beforeEach(async () => {
  alertRules = []
  looks = 0
  bench = await createBench()
  roster = EMPTY
})
afterEach(() => bench.close())

const EMPTY: Roster = {
  users: { admin: ['UADA'], operator: ['UOLGA'], viewer: [] },
  everybody: false,
  groups: {},
  policy: '1',
}
const DAY_MS = 24 * 3_600_000
const FIRST = 'Who has which role is noted from now on'

function house(more: Partial<MaintenanceParts> = {}) {
  const { log, lines } = recordingLog()
  const { keeper, courier, store, clock } = bench
  const workspace = {
    directory: { roster: async () => roster },
    identity: { teamId: 'T1' },
    tryToken: async () => undefined,
  } as unknown as Workspace // only what the house looks at
  const configuration = {
    get policy() {
      return bench.rules.policy
    },
    get alertRules() {
      return alertRules
    },
  }
  const onAlertRules = () => void (looks += 1)
  const parts = { keeper, courier, configuration, onAlertRules, store, clock, workspace, opsChannel: 'COPS', log }
  return { keeping: new Maintenance({ ...parts, ...more }), lines }
}

const entries = async () =>
  (await bench.store.audit.list({ limit: 100 })).toReversed().map(({ event, summary }) => `${event}: ${summary}`)
const heads = () => bench.board.in('COPS').filter((text) => text.startsWith('The audit log ends'))

describe('who has which role', () => {
  it('is on record from the first look on, and then whenever it changes', async () => {
    const { keeping } = house()
    await keeping.round()
    await keeping.round()
    expect(await entries()).toEqual([`roles_changed: ${FIRST}`])
    roster = { ...EMPTY, users: { ...EMPTY.users, operator: ['UOTTO'] }, policy: '2' }
    await keeping.round()
    await keeping.round()
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
    await house().keeping.round()
    roster = { ...EMPTY, everybody: true }
    await house().keeping.round()
    expect((await entries()).at(-1)).toBe('roles_changed: Every full member is viewer')
  })

  it('is written once by two processes that notice the same', async () => {
    await house().keeping.round()
    bench.clock.turn(1_000)
    roster = { ...EMPTY, everybody: true }
    await Promise.all([house().keeping.round(), house().keeping.round()])
    expect(await entries()).toHaveLength(2)
  })

  it('is not guessed while Slack has not said who is in the groups', async () => {
    roster = undefined
    const { keeping, lines } = house()
    await keeping.round()
    expect(await entries()).toEqual([])
    expect(lines).toEqual([])
  })

  it('is noted anew where what was remembered cannot be read', async () => {
    await bench.store.remembered.set('roster', { users: 'nonsense' }, { now: bench.clock.now() })
    bench.clock.turn(1)
    await house().keeping.round()
    expect(await entries()).toEqual([`roles_changed: ${FIRST}`])
  })
})

describe('the head of the audit log', () => {
  it('is posted once a day, as it is then', async () => {
    const { keeping } = house()
    await keeping.round()
    expect(heads()).toEqual([])
    bench.clock.turn(DAY_MS)
    await keeping.round()
    const { seq, hash } = await bench.store.audit.head()
    expect(heads()).toEqual([expect.stringContaining(`entry ${seq} today: ${seq}:${hash}`)])
    bench.clock.turn(DAY_MS - 1)
    await keeping.round()
    expect(heads()).toHaveLength(1)
    roster = { ...EMPTY, everybody: true }
    bench.clock.turn(1)
    await keeping.round()
    expect(heads()).toHaveLength(2)
    expect(heads()[1]).toContain(`entry ${seq + 1} today`)
  })

  it('is posted once by two processes, at once or one after the other', async () => {
    await house().keeping.round()
    bench.clock.turn(DAY_MS)
    await Promise.all([house().keeping.round(), house().keeping.round()])
    await house().keeping.round()
    expect(heads()).toHaveLength(1)
    bench.clock.turn(DAY_MS)
    await Promise.all([house().keeping.round(), house().keeping.round()])
    expect(heads()).toHaveLength(2)
  })

  it('is not posted where there is no channel for it, or no entry yet', async () => {
    roster = undefined
    await house().keeping.round()
    await house({ opsChannel: undefined }).keeping.round()
    expect(bench.board.posted).toEqual([])
  })

  it('is not lost while Slack takes nothing', async () => {
    const { keeping } = house()
    await keeping.round()
    bench.clock.turn(DAY_MS)
    bench.board.refusing.set('COPS', 'for a while')
    await keeping.round()
    expect(heads()).toEqual([])
    bench.board.refusing.clear()
    bench.clock.turn(60_000)
    await keeping.round()
    expect(heads()).toHaveLength(1)
  })
})

describe('a round', () => {
  it('does each part whatever becomes of the others, and logs which one failed', async () => {
    bench.store.remembered.get = () => Promise.reject(new StoreError('locked'))
    bench.keeper.keep = () => Promise.reject(new TypeError('a bug'))
    await bench.store.notices.put({ recipient: 'UADA', message: { text: 'told', blocks: [] } })
    const { keeping, lines } = house()
    await keeping.round()
    expect(bench.board.in('UADA')).toEqual(['told'])
    expect(lines.map(({ level, fields }) => `${level} ${String(fields['what'])}`)).toEqual([
      'error keep changes',
      'error note who has which role',
      'error post the head of the audit log',
    ])
  })

  it('ends with the step that is under way when the bot stops', async () => {
    const stopping = new AbortController()
    bench.keeper.keep = async (signal) => {
      expect(signal).toBe(stopping.signal)
      stopping.abort()
    }
    await bench.store.notices.put({ recipient: 'UADA', message: { text: 'told', blocks: [] } })
    bench.store.prune = () => expect.unreachable('It stops')
    await house().keeping.round(stopping.signal)
    expect(await entries()).toEqual([])
    expect(bench.board.posted).toEqual([])
  })

  it('deletes what has outlived its time once a minute, also after that failed', async () => {
    let pruned = 0
    bench.store.prune = async () => {
      pruned += 1
      if (pruned === 2) throw new StoreError('locked')
    }
    const { keeping } = house()
    for (const afterMs of [0, 59_999, 1, 15_000, 45_000]) {
      bench.clock.turn(afterMs)
      await keeping.round()
    }
    expect(pruned).toBe(3)
  })
})

describe('maintenance', () => {
  /** Rounds as they end. */
  function counted() {
    const { keeping } = house()
    const state = { rounds: 0 }
    const { keeper } = bench
    keeper.keep = async () => void (state.rounds += 1)
    return { keeping, state }
  }

  it('goes round every 15 seconds until the bot stops', async () => {
    const { keeping, state } = counted()
    const stopping = new AbortController()
    const over = keeping.run(stopping.signal)
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
    const { keeping, state } = counted()
    const stopping = new AbortController()
    const over = keeping.run(stopping.signal)
    keeping.soon()
    await expect.poll(() => state.rounds).toBe(2)
    await expect.poll(() => bench.clock.timers).toBe(1)
    keeping.soon()
    await expect.poll(() => state.rounds).toBe(3)
    stopping.abort()
    await over
  })

  it('does nothing for a bot that is stopping already', async () => {
    const { keeping, state } = counted()
    await keeping.run(AbortSignal.abort())
    expect(state.rounds).toBe(0)
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
    await house().keeping.round()
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
    const { keeping } = house()
    await keeping.round()
    await keeping.round()
    expect(looks).toBe(1)
    await house().keeping.round()
    expect(await noted()).toHaveLength(1)
  })

  it('go when the file says them no more', async () => {
    alertRules = [rule('origin-failing'), rule('cache-not-working')]
    const { keeping } = house()
    await keeping.round()
    alertRules = [rule('cache-not-working')]
    await keeping.round()
    expect(await kinds()).toEqual(['cache-not-working'])
  })

  it('are tried again when the store did not take them', async () => {
    alertRules = [rule('origin-failing')]
    const { keeping, lines } = house()
    const manage = bench.store.alertRules.manage.bind(bench.store.alertRules)
    bench.store.alertRules.manage = () => Promise.reject(new StoreError('locked'))
    await keeping.round()
    expect(lines.map(({ fields }) => fields['what'])).toEqual(['keep the alert rules of the configuration file'])
    bench.store.alertRules.manage = manage
    await keeping.round()
    expect(await kinds()).toEqual(['origin-failing'])
  })

  it.each([
    [20, /pull\/20 in C0OPS$/],
    [22, /pull\/20 in C0OPS; and 2 more$/],
  ])('are named up to twenty changes, the others counted: of %i', async (count, end) => {
    alertRules = Array.from({ length: count }, (_, zone) => rule('origin-failing', `pull/${zone + 1}`))
    await house().keeping.round()
    const [[summary, detail] = []] = await noted()
    expect(summary).toBe(`Alert rules of the configuration file: ${count} changed`)
    expect(detail).toMatch(end)
  })
})
