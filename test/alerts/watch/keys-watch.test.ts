import { describe, expect, it, vi } from 'vitest'
import { readIncidentDoc } from '../../../src/alerts/state/incident.ts'
import {
  compareKeys,
  createKeyEvents,
  type KeyChange,
  type KnownKey,
  packKeys,
  readKeysRecord,
  KeysWatch,
} from '../../../src/alerts/watch/keys-watch.ts'
import type { ApiKeyList } from '../../../src/cdn/contract/api-keys.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { UserError } from '../../../src/shared/errors.ts'
import type { AlertRule, SubjectView } from '../../../src/store/schema/alert-records.ts'
import { type LogLine, recordingLog } from '../../support/recording-log.ts'
import { benchOfTest } from '../alert-bench.ts'
import { rule } from '../evaluated-zone.ts'

const FIVE_MINUTES_MS = 300_000
const NOW = new Date('2026-01-20T12:00:00Z')
const { signal } = new AbortController()

function page(ids: readonly (number | undefined)[], more: boolean | 'unsaid' = false): ApiKeyList {
  const Items = ids.map((id) => ({
    Id: id === undefined ? undefined : BigInt(id),
    redactedKey: 'abcd…',
    Roles: ['User'],
  }))
  return { Items, HasMoreItems: more === 'unsaid' ? undefined : more, CurrentPage: undefined, TotalItems: undefined }
}

async function watched() {
  const bench = await benchOfTest()
  await bench.watch('account', 'api-keys-changed')
  const listApiKeys = vi.fn<Cdn['listApiKeys']>()
  const { log, lines } = recordingLog()
  const { store, clock } = bench
  const posted = vi.fn<() => void>()
  store.outbox.onPut(posted)
  const parts = { cdn: { listApiKeys }, store, clock, log, webhook: false, team: () => 'T0TEAM' }
  const watch = new KeysWatch(parts)
  /** One look at these pages, five minutes after the one before. */
  const look = async (...pages: readonly (ApiKeyList | Error)[]): Promise<void> => {
    for (const each of pages) {
      if (each instanceof Error) listApiKeys.mockRejectedValueOnce(each)
      else listApiKeys.mockResolvedValueOnce(each)
    }
    await watch.look(signal)
    clock.turn(FIVE_MINUTES_MS)
  }
  const recorded = async () =>
    (await store.audit.list({ limit: 50 })).toReversed().filter(({ event }) => event !== 'alert_added')
  const snapshot = async () => readKeysRecord(await bench.kept('account'))?.snapshot
  const restarted = () => new KeysWatch({ ...parts, team: undefined })
  return { bench, look, recorded, snapshot, listApiKeys, posted, lines, watch, restarted }
}

describe('the API keys', () => {
  it('are listed page by page; the first whole listing is the silent baseline', async () => {
    const { look, recorded, snapshot, listApiKeys, posted } = await watched()
    await look(page([1, 2], true), page([3]))
    expect(listApiKeys.mock.calls.map(([asked]) => asked)).toEqual([
      { page: 1, perPage: 1_000 },
      { page: 2, perPage: 1_000 },
    ])
    expect(await snapshot()).toEqual([1, 2, 3].map((id) => ({ id: String(id), roles: ['User'] })))
    expect(posted).not.toHaveBeenCalled()
    const by = { actor: 'cdn-ops', team: 'T0TEAM', operation: 'keys list', changeId: undefined, detail: undefined }
    const summary = 'List the API keys every 5 minutes, to tell of changes: 3 keys'
    const once = { ...by, at: NOW, event: 'read', seq: 2, hash: expect.any(String) as string, summary }
    expect(await recorded()).toEqual([once])
  })

  const { Items, ...rest } = page([1])
  const Roles = Array.from({ length: 3_000 }, (_, index) => `a role with a long name ${index}`)
  const tooLong = { ...rest, Items: Items.map((item) => ({ ...item, Roles })) }
  const refused = new CdnError('listApiKeys', { kind: 'rejected', status: 500 })
  const unlisted = (why: string) => ({ level: 'warn', sentence: 'the API keys could not be listed', fields: { why } })
  const untold = 'the API keys have too many roles to be compared: changes are not told'
  it.each<[string, ApiKeyList | Error, line: LogLine, isHealthy: boolean]>([
    ['cannot be listed', refused, unlisted('listApiKeys: rejected with 500'), false],
    ['cannot be listed in time', new UserError('busy', 'No turn'), unlisted('No turn'), false],
    ['have too many roles', tooLong, { level: 'error', sentence: untold, fields: { keys: 1 } }, true],
  ])('that %s are listed again five minutes later', async (_, answer, line, isHealthy) => {
    const { bench, watch, listApiKeys, lines } = await watched()
    if (answer instanceof Error) listApiKeys.mockRejectedValueOnce(answer)
    else listApiKeys.mockResolvedValueOnce(answer)
    expect(watch.isHealthy()).toBeUndefined()
    expect((await watch.look(signal)) - bench.clock.now().getTime()).toBe(FIVE_MINUTES_MS)
    expect([watch.isHealthy(), lines]).toEqual([isHealthy, [line]])
  })

  it('are listed again at once when somebody else has looked meanwhile, and a stop goes through', async () => {
    const { bench, watch, listApiKeys } = await watched()
    listApiKeys.mockImplementationOnce(async () => {
      await bench.store.alerts.commit({ subject: 'account', revision: 0, watch: {} })
      return page([1])
    })
    expect((await watch.look(signal)) - bench.clock.now().getTime()).toBe(1_000)
    listApiKeys.mockRejectedValueOnce(refused)
    await expect(watch.look(AbortSignal.abort())).rejects.toBe(refused)
  })

  it('are told, and put on record, when they change', async () => {
    const { bench, look, recorded, posted } = await watched()
    await look(page([1, 2]))
    await look(page([1, 7]))
    await look(page([1, 7]))
    expect(posted).toHaveBeenCalledTimes(1)
    expect((await recorded()).map(({ event, summary }) => [event, summary]).slice(1)).toEqual([
      ['keys_changed', 'API key 2 is gone. It had the role User. API key 7 is new, with the role User.'],
    ])
    expect(await bench.store.alerts.incidents({ limit: 5 })).toMatchObject([
      { subject: 'account', channelId: 'C0TEAM' },
    ])
    await look(page(Array.from({ length: 25 }, (_, id) => id + 1)))
    expect((await recorded()).at(-1)?.summary).toMatch(/^API key 10 is new, .* And 3 more\.$/)
  })

  it('are told, however many change and whatever their roles are called', async () => {
    const { look, recorded, posted } = await watched()
    const ids = Array.from({ length: 30 }, (_, index) => 1_000_000 + index)
    const named = (...roles: readonly string[]): ApiKeyList => {
      const { Items, ...rest } = page(ids)
      return { ...rest, Items: Items.map((item) => ({ ...item, Roles: roles })) }
    }
    await look(named('Billing', 'Purging of pull zones', 'Statistics'))
    await look(named('Billing', 'Purging of pull zones', 'Support'))
    await look(named('🔑'.repeat(60)))
    expect(posted).toHaveBeenCalledTimes(2)
    const [, plain, odd] = await recorded()
    expect(plain?.summary).toMatch(/^API key 1000000 now has the roles Billing, .* And 10 more\.$/)
    expect(odd).toMatchObject({ event: 'keys_changed' })
  })

  it('prove nothing when the listing is not whole', async () => {
    const { look, recorded, snapshot, lines } = await watched()
    await look(page([1, 2]))
    const before = await snapshot()
    await look(page([1], 'unsaid'))
    await look(page([1, undefined]))
    const many = (from: number) => Array.from({ length: 1_000 }, (_, n) => from + n)
    await look(...[1, 1_001, 2_001, 3_001].map((from) => page(many(from), true)), page([4_001]))
    await look(...[1, 2, 3, 4, 5].map((id) => page([id], true)))
    await look(page([1], true), new CdnError('listApiKeys', { kind: 'rejected', status: 500 }))
    expect(await snapshot()).toEqual(before)
    expect((await recorded()).map(({ event }) => event)).toEqual(['read'])
    expect(lines.map(({ sentence }) => sentence)).toEqual([
      'there are too many API keys to compare: changes are not told',
      'the API keys could not be listed',
    ])
  })

  it('are put on record as read once a day', async () => {
    const { bench, look, recorded } = await watched()
    await look(page([1]))
    await look(page([1]))
    bench.clock.turn(86_400_000 - 3 * FIVE_MINUTES_MS)
    await look(page([1]))
    expect(await recorded()).toHaveLength(1)
    await look(page([1], 'unsaid'))
    expect((await recorded()).map(({ summary }) => summary)).toEqual(
      ['1 key', '1 key, not all of them'].map(
        (keys) => `List the API keys every 5 minutes, to tell of changes: ${keys}`,
      ),
    )
  })

  it('are left alone before five minutes are over, over restarts too', async () => {
    const { bench, look, listApiKeys, restarted } = await watched()
    await look(page([1]))
    bench.clock.turn(-1)
    const watch = restarted()
    expect((await watch.look(signal)) - bench.clock.now().getTime()).toBe(1)
    expect([watch.isHealthy(), listApiKeys.mock.calls.length]).toEqual([true, 1])
  })
})

it('two thousand keys with long ids are remembered in less than a watch may keep, with their roles', () => {
  const snapshot = Array.from({ length: 2_000 }, (_, index) => ({
    id: String(9_000_000_000_000_000_000n + BigInt(index)),
    roles: index % 2 === 0 ? ['Admin', 'User'] : [],
  }))
  const record = packKeys({ lookedMs: 1, recordedMs: undefined, snapshot })
  expect(JSON.stringify(record).length).toBeLessThan(64 * 1_024)
  const read = readKeysRecord(JSON.parse(JSON.stringify(record)))
  expect(new Map(read?.snapshot?.map(({ id, roles }) => [id, roles]))).toEqual(
    new Map(snapshot.map(({ id, roles }) => [id, roles])),
  )
  const roles = Array.from({ length: 3_000 }, (_, index) => `a role with a long name ${index}`)
  expect(packKeys({ lookedMs: 1, recordedMs: 1, snapshot: [{ id: '1', roles }] })).toBeUndefined()
})

describe('a listing beside the last one', () => {
  const A: KnownKey = { id: '1', roles: ['Admin'] }
  const B: KnownKey = { id: '2', roles: ['Reader', 'Writer'] }
  const twice = [
    { id: '2', roles: ['Writer'] },
    { id: '2', roles: ['Reader', 'Writer'] },
  ]

  it.each<[string, readonly KnownKey[] | undefined, readonly KnownKey[], readonly KnownKey[], readonly KeyChange[]]>([
    ['is the silent baseline where it is the first', undefined, [B, A], [A, B], []],
    ['says what is new beside none', [], [A], [A], [{ ...A, what: 'new' }]],
    ['says what is new beside others', [A], [A, B], [A, B], [{ ...B, what: 'new' }]],
    ['says what is gone, with the roles it had', [A, B], [A], [A], [{ ...B, what: 'gone' }]],
    [
      'says which key has other roles',
      [A, B],
      [A, { id: '2', roles: ['Writer', 'Owner'] }],
      [A, { id: '2', roles: ['Owner', 'Writer'] }],
      [{ what: 'roles changed', id: '2', roles: ['Owner', 'Writer'], before: B.roles }],
    ],
    ['says nothing of an order of roles, nor of a key that is listed twice', [B], twice, [B], []],
  ])('%s', (_, before, keys, snapshot, changes) => {
    expect(compareKeys(before, { complete: true, keys })).toEqual({ snapshot, changes })
    expect(compareKeys(before, { complete: false, keys })).toEqual({ snapshot: before, changes: [] })
  })
})

describe('changed keys', () => {
  const added: KeyChange = { what: 'new', id: '7', roles: ['Admin', 'User'] }
  const keysRule = rule('api-keys-changed', { subject: 'account' })
  const events = (changes: readonly KeyChange[], view: Partial<SubjectView> = {}, webhook = false) => {
    const whole = { rules: [keysRule], states: [], incidents: [], silences: [], marks: [], watch: undefined, ...view }
    return createKeyEvents({ view: whole, now: NOW, newId: () => 'incident1', webhook }, changes)
  }
  const alertsOf = (changes: readonly KeyChange[]) => readIncidentDoc(events(changes).incidents[0]!.doc).alerts
  const sentences = (...changes: readonly KeyChange[]) => alertsOf(changes).map(({ facts }) => facts.sentence)

  it('are told once, as an event that has ended, in each channel with a rule, and to the address', () => {
    const other = rule('api-keys-changed', { subject: 'account', channelId: 'C2', runbook: 'https://wiki.example/1' })
    const { incidents, posts } = events([added], { rules: [keysRule, other] })
    const ms = NOW.getTime()
    const about = { kind: 'api-keys-changed', subject: 'account', severity: 'warning', firedMs: ms, endedMs: ms }
    const facts = { sentence: 'API key 7 is new, with the roles Admin, User.' }
    const title = 'key 7 is new'
    const alertsOf = ({ id: ruleId, runbook }: AlertRule) => [{ ...about, ruleId, title, facts, runbook }]
    const channel = { id: 'incident1', subject: 'account', openedAt: NOW, endedAt: NOW }
    const doc = { nature: 'event', cycle: 1, asOfMs: ms, samples: [], trend: [] }
    expect(incidents).toEqual([
      { ...channel, channelId: 'C1', doc: { ...doc, alerts: alertsOf(keysRule) } },
      { ...channel, channelId: 'C2', doc: { ...doc, alerts: alertsOf(other) } },
    ])
    const post = { incidentId: 'incident1', dueAt: NOW }
    expect(posts).toEqual(['C1', 'C2'].map((channelId) => ({ ...post, channelId, what: 'card' })))
    expect(events([added], {}, true).posts).toEqual([
      { ...post, channelId: 'C1', what: 'card' },
      { ...post, channelId: 'C1', what: 'webhook', body: { status: 'firing', alerts: alertsOf(keysRule) } },
    ])
  })

  it('are said in sentences, roles that are long cut', () => {
    const changed: KeyChange = { what: 'roles changed', id: '9', roles: ['User'], before: ['Admin'] }
    expect(sentences(added, { what: 'gone', id: '8', roles: [] }, changed)).toEqual([
      'API key 7 is new, with the roles Admin, User.',
      'API key 8 is gone. It had no role.',
      'API key 9 now has the role User. Before, it had the role Admin.',
    ])
    const titles = alertsOf([added, { ...added, what: 'gone' }, changed]).map(({ title }) => title)
    expect(titles).toEqual(['key 7 is new', 'key 7 is gone', 'key 9 has other roles'])
    const many = Array.from({ length: 12 }, (_, n) => `R${n}`)
    const ten = many.slice(0, 10).join(', ')
    const given = [['R'.repeat(5_000), 'a\u202Eb'], many.slice(0, 10), many]
    expect(sentences(...given.map((roles) => ({ ...added, roles })))).toEqual(
      [`${'R'.repeat(59)}…, a\\u{202E}b.`, `${ten}.`, `${ten} and 2 more.`].map(
        (roles) => `API key 7 is new, with the roles ${roles}`,
      ),
    )
  })

  it('are counted where they have no room', () => {
    const of = (count: number) => alertsOf(Array.from({ length: count }, (_, id) => ({ ...added, id: String(id) })))
    expect(of(20).map(({ title }) => title)).toEqual(Array.from({ length: 20 }, (_, id) => `key ${id} is new`))
    expect(of(30)).toHaveLength(20)
    const sentence = '11 more API keys have changed. The keys list shows all of them.'
    expect(of(30).at(-1)).toMatchObject({ title: 'more have changed', facts: { sentence } })
  })

  it('are not told where there are none, while silenced, and where the rule is paused', () => {
    const silence = { id: 's', subject: 'account', by: 'U2', from: new Date(0), until: new Date(NOW.getTime() + 1) }
    const paused = { ...keysRule, pausedWhy: 'The channel is archived.' }
    expect(events([]).incidents).toEqual([])
    expect(events([added], { silences: [silence] }).posts).toEqual([])
    expect(events([added], { rules: [paused] }).posts).toEqual([])
  })
})
