import { describe, expect, it, vi } from 'vitest'
import { packKeys, readKeysRecord, KeysWatch } from '../../../src/alerts/watch/keys-watch.ts'
import type { ApiKeyList } from '../../../src/cdn/contract/api-keys.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { alertBench } from '../alert-bench.ts'

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
  const bench = await alertBench()
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
    const { bench, look, recorded, snapshot, listApiKeys, posted } = await watched()
    await using _ = bench
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
    await using _ = bench
    listApiKeys.mockRejectedValueOnce(
      new CdnError('listApiKeys', { kind: 'unreachable', reason: 'network', sent: 'maybe' }),
    )
    expect((await watch.look(signal)) - bench.clock.now().getTime()).toBe(FIVE_MINUTES_MS)
    expect([watch.isHealthy(), lines.map(({ sentence }) => sentence)]).toEqual([
      false,
      ['the API keys could not be listed'],
    ])
  })

  it('are told, and put on record, when they change', async () => {
    const { bench, look, recorded, posted } = await watched()
    await using _ = bench
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
  })

  it('prove nothing when the listing is not whole', async () => {
    const { bench, look, recorded, snapshot, lines } = await watched()
    await using _ = bench
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
    await using _ = bench
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
    await using _ = bench
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
