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
import type { SubjectView } from '../../../src/store/schema/alert-records.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { benchOfTest } from '../alert-bench.ts'
import { rule } from '../evaluated-zone.ts'

const FIVE_MINUTES_MS = 300_000
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
  const watch = new KeysWatch(parts, 'account')
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
  return { bench, look, recorded, snapshot, listApiKeys, posted, lines, watch }
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
    expect(await recorded()).toMatchObject([
      { event: 'read', actor: 'cdn-ops', team: 'T0TEAM', operation: 'keys list' },
    ])
  })

  it('that cannot be listed are asked for again five minutes later', async () => {
    const { bench, watch, listApiKeys, lines } = await watched()
    listApiKeys.mockRejectedValueOnce(
      new CdnError('listApiKeys', { kind: 'unreachable', reason: 'network', sent: 'maybe' }),
    )
    expect((await watch.look(signal)) - bench.clock.now().getTime()).toBe(FIVE_MINUTES_MS)
    expect([watch.isHealthy(), lines.map(({ sentence }) => sentence)]).toEqual([
      false,
      ['the API keys could not be listed'],
    ])
  })

  it('that have too many roles to be compared are listed again five minutes later', async () => {
    const { bench, watch, listApiKeys, lines } = await watched()
    const { Items, ...rest } = page([1])
    const Roles = Array.from({ length: 3_000 }, (_, index) => `a role with a long name ${index}`)
    listApiKeys.mockResolvedValueOnce({ ...rest, Items: Items.map((item) => ({ ...item, Roles })) })
    expect((await watch.look(signal)) - bench.clock.now().getTime()).toBe(FIVE_MINUTES_MS)
    expect(lines[0]?.sentence).toContain('too many roles to be compared')
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
    await look(page([1]))
    expect((await recorded()).map(({ event }) => event)).toEqual(['read', 'read'])
  })

  it('are left alone before five minutes are over', async () => {
    const { bench, look, listApiKeys, watch } = await watched()
    await look(page([1]))
    bench.clock.turn(-1)
    await watch.look(signal)
    expect(listApiKeys).toHaveBeenCalledTimes(1)
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
  const NOW = new Date('2026-11-20T12:00:00Z')
  const added: KeyChange = { what: 'new', id: '7', roles: ['Admin', 'User'] }
  const keysRule = rule('api-keys-changed', { subject: 'account' })
  const events = (changes: readonly KeyChange[], view: Partial<SubjectView> = {}, webhook = false) => {
    const whole = { rules: [keysRule], states: [], incidents: [], silences: [], marks: [], watch: undefined, ...view }
    return createKeyEvents({ view: whole, now: NOW, newId: () => 'incident1', webhook }, changes)
  }
  const alertsOf = (changes: readonly KeyChange[]) => readIncidentDoc(events(changes).incidents[0]!.doc).alerts
  const sentences = (...changes: readonly KeyChange[]) => alertsOf(changes).map(({ facts }) => facts.sentence)

  it('are told once, as an event that has ended, in each channel with a rule, and to the address', () => {
    const other = rule('api-keys-changed', { subject: 'account', channelId: 'C2' })
    const { incidents, posts } = events([added], { rules: [keysRule, other] })
    expect(incidents).toMatchObject([
      { channelId: 'C1', openedAt: NOW, endedAt: NOW, doc: { nature: 'event', alerts: [{ endedMs: NOW.getTime() }] } },
      { channelId: 'C2' },
    ])
    expect(posts).toMatchObject([{ what: 'card', dueAt: NOW }, { what: 'card' }])
    expect(events([added], {}, true).posts.map(({ what }) => what)).toEqual(['card', 'webhook'])
  })

  it('are said in sentences, roles that are long cut', () => {
    const changed: KeyChange = { what: 'roles changed', id: '9', roles: ['User'], before: ['Admin'] }
    expect(sentences(added, { what: 'gone', id: '8', roles: [] }, changed)).toEqual([
      'API key 7 is new, with the roles Admin, User.',
      'API key 8 is gone. It had no role.',
      'API key 9 now has the role User. Before, it had the role Admin.',
    ])
    expect(sentences({ ...added, roles: ['R'.repeat(5_000), 'a\u202Eb'] })).toEqual([
      `API key 7 is new, with the roles ${'R'.repeat(59)}…, a\\u{202E}b.`,
    ])
  })

  it('are counted where they have no room', () => {
    const all = sentences(...Array.from({ length: 30 }, (_, id) => ({ ...added, id: String(id) })))
    expect(all).toHaveLength(20)
    expect(all.at(-1)).toMatch(/^11 more API keys/)
  })

  it('are not told where there are none, while silenced, and where the rule is paused', () => {
    const silence = { id: 's', subject: 'account', by: 'U2', from: new Date(0), until: new Date(NOW.getTime() + 1) }
    const paused = { ...keysRule, pausedWhy: 'The channel is archived.' }
    expect(events([]).incidents).toEqual([])
    expect(events([added], { silences: [silence] }).posts).toEqual([])
    expect(events([added], { rules: [paused] }).posts).toEqual([])
  })
})
