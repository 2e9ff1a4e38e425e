import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CdnClient } from '../../../src/cdn/client.ts'
import type { EndpointName } from '../../../src/cdn/endpoints.ts'
import { CdnError } from '../../../src/cdn/errors.ts'
import { LogLimit } from '../../../src/cdn/log-limit.ts'
import { startCdnEmulator, type CdnEmulator } from '../../../src/playground/cdn/emulator.ts'
import type { Fault } from '../../../src/playground/cdn/faults.ts'
import { type Clock, systemClock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { faultOf, type Broken } from '../../support/broken-answers.ts'
import { NOW } from './running-emulator.ts'

const MIB = 1_048_576
const ATTEMPTS_OF_A_READ = 3

/** Real time for deadlines, but a moment that stands still, so that the log holds the same on every run. */
const clock: Clock = { ...systemClock, now: () => new Date(NOW) }

let emulator: CdnEmulator
let client: CdnClient

beforeAll(async () => {
  emulator = await startCdnEmulator({ clock })
  client = clientWith('accessKey', emulator.accessKey)
})
afterEach(() => emulator.faults.clear())
afterAll(async () => await emulator.close())

function clientWith(scheme: 'accessKey' | 'bearer', secret: string): CdnClient {
  const { managementUrl, loggingUrl } = emulator
  const limiter = new LogLimit({ clock, warm: true })
  const credential = { scheme, secret: new Secret(secret) }
  return new CdnClient({ managementUrl, loggingUrl, credential, clock, limiter })
}

/** One call of each kind whose JSON the client reads. */
const CALLS: Readonly<Partial<Record<EndpointName, () => Promise<unknown>>>> = {
  getStorageStatistics: () => client.getStorageStatistics(101n),
  listApiKeys: () => client.listApiKeys({ perPage: 5 }),
  createVideoLibrary: () => client.createVideoLibrary({ Name: 'x' }),
  addDnsRecord: () => client.addDnsRecord(201n, { Type: 0, Name: 'x', Value: '192.0.2.1' }),
}
const WRITES: ReadonlySet<string> = new Set<EndpointName>(['createVideoLibrary', 'addDnsRecord'])

describe.each(Object.entries(CALLS))('the client calling %s', (name, call) => {
  // A boundary of the test: the keys of the table above are endpoint names.
  const endpoint = name as EndpointName
  const isWrite = WRITES.has(name)

  it.each([
    [{ kind: 'status', status: 401 }, 'rejected', 1],
    [{ kind: 'status', status: 404, body: 'empty' }, 'rejected', 1],
    [{ kind: 'status', status: 500 }, 'rejected', ATTEMPTS_OF_A_READ],
    [{ kind: 'status', status: 502, body: 'html' }, 'rejected', ATTEMPTS_OF_A_READ],
    [{ kind: 'status', status: 429, retryAfter: '0' }, 'rejected', ATTEMPTS_OF_A_READ],
    [{ kind: 'redirect', location: 'http://elsewhere.example/' }, 'rejected', 1],
    [{ kind: 'reset', carriedOut: false }, 'unreachable', ATTEMPTS_OF_A_READ],
    [{ kind: 'reset', carriedOut: true }, 'unreachable', ATTEMPTS_OF_A_READ],
    [{ kind: 'empty' }, 'malformed', 1],
    [{ kind: 'html' }, 'malformed', 1],
    [{ kind: 'wrong types' }, 'malformed', 1],
    [{ kind: 'bad JSON' }, 'malformed', 1],
    [{ kind: 'bad UTF-8' }, 'malformed', 1],
    [{ kind: 'deep' }, 'malformed', 1],
    [{ kind: 'huge', bytes: 16 * MIB, gzip: false }, 'malformed', 1],
    [{ kind: 'huge', bytes: 16 * MIB, gzip: true }, 'malformed', 1],
  ] satisfies [Fault | Broken, string, number][])('meets %j as %s', async (fault, kind, attemptsOfARead) => {
    const before = emulator.count(endpoint)
    emulator.faults.set(endpoint, faultOf(fault))
    const error = await call().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(CdnError)
    expect(error).toMatchObject({ endpoint, failure: { kind } })
    expect(emulator.count(endpoint) - before).toBe(isWrite ? 1 : attemptsOfARead)
  })

  it.each([{ kind: 'gzip' }, { kind: 'extra fields' }, { kind: 'drip', bytes: 400, everyMs: 1 }] satisfies Broken[])(
    'reads an answer spoilt by %j',
    async (fault) => {
      emulator.faults.set(endpoint, faultOf(fault))
      await expect(call()).resolves.toBeDefined()
    },
  )
})

describe('the client', () => {
  it('keeps an id beyond 2^53 and no key', async () => {
    const { Items } = await client.listApiKeys({ perPage: 20 })
    expect(Items.map(({ Id }) => Id)).toContain(9_007_199_254_740_993n)
    expect(JSON.stringify(Items.map(({ redactedKey }) => redactedKey))).not.toContain(emulator.accessKey)
  })

  it('gets the same lines from both versions of the log', async () => {
    const to = new Date('2026-11-20T17:30:00Z')
    const from = new Date('2026-11-20T16:00:00Z')
    const { entries } = await client.queryLogs(
      301n,
      { from, to, cacheStatus: ['MISS', 'STALE'] },
      { maxEntries: 5_000 },
    )
    const ids: unknown[] = []
    const filter = { from, to, cacheStatus: ['MISS', 'STALE'] }
    await client.streamDayFile(301n, '2026-11-20', filter, ({ requestId }) => ids.push(requestId))
    expect(ids.length).toBeGreaterThan(100)
    expect(ids).toEqual(entries.map(({ requestId }) => requestId))
  })

  it('follows short and empty pages to every row', async () => {
    const range = { from: new Date('2026-11-20T12:00:00Z'), to: new Date('2026-11-20T18:00:00Z') }
    const all = await client.queryLogs(302n, range, { maxEntries: 50_000 })
    const some = await client.queryLogs(302n, { ...range, country: ['AU'] }, { maxEntries: 50_000 })
    const expected = all.entries.filter(({ countryCode }) => countryCode === 'AU')
    expect(some.entries.map(({ requestId }) => requestId)).toEqual(expected.map(({ requestId }) => requestId))
    expect(some.duplicates).toBe(0)
  })

  it('is let in with a bearer token, and told when it is not', async () => {
    const bearer = clientWith('bearer', emulator.bearerToken)
    await expect(bearer.getStorageStatistics(101n)).resolves.toBeDefined()
    const stranger = clientWith('accessKey', 'nobody-knows-this-key')
    await expect(stranger.listApiKeys()).rejects.toMatchObject({ failure: { kind: 'rejected', status: 401 } })
    await expect(stranger.queryLogs(301n, {}, { maxEntries: 10 })).rejects.toMatchObject({
      failure: { status: 403, code: 'forbidden' },
    })
  })
})
