import { describe, expect, it } from 'vitest'
import type { CdnClient } from '../../../src/cdn/client.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import type { LogLimiter } from '../../../src/cdn/http/log-limit.ts'
import { createDeadline } from '../../../src/cdn/http/deadline.ts'
import type { CallReport } from '../../../src/cdn/http/transport.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { type Scripted, scriptedPlatform } from '../platform-agent.ts'
import { KEY } from '../platform-server.ts'

const DAY = '2026-11-20'
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'It went well',
    (error: unknown) => (error instanceof CdnError ? error.failure : error),
  )
const keys = (client: CdnClient) => failureOf(client.listApiKeys({}))
const dayFile = (client: CdnClient, signal?: AbortSignal) =>
  failureOf(client.streamDayFile(1n, DAY, {}, () => undefined, { signal }))
const record = (client: CdnClient) => failureOf(client.addDnsRecord({ zoneId: 1n, body: { Type: 0 } }))

describe('the headers of a request', () => {
  const identity = { AccessKey: KEY, accept: 'application/json', 'accept-encoding': 'identity' }
  it.each([
    ['a read', keys, identity],
    ['a write', record, { ...identity, 'content-type': 'application/json' }],
    ['a day file', dayFile, { ...identity, accept: 'text/plain, */*', 'accept-encoding': 'gzip' }],
  ])('are for %s these and no others', async (_, call, headers) => {
    const { client, received } = scriptedPlatform({ json: {} })
    await call(client())
    expect(received.map((request) => request.headers)).toEqual([headers])
  })

  it('hold a bearer token in place of a key where the credential is one', async () => {
    const { client, received } = scriptedPlatform({ json: {} })
    await keys(client({ credential: { scheme: 'bearer', secret: new Secret('token') } }))
    const { AccessKey: _, ...others } = identity
    expect(received[0]?.headers).toEqual({ ...others, Authorization: 'Bearer token' })
  })
})

describe('a read that fails', () => {
  it.each<[Scripted, attempts: number]>([
    [{ status: 429 }, 3],
    [{ status: 500 }, 3],
    [{ status: 599 }, 3],
    [{ error: 'ECONNRESET' }, 3],
    [{ status: 400 }, 1],
    [{ status: 404 }, 1],
    [{ status: 408 }, 1],
    [{ status: 499 }, 1],
    [{ status: 300 }, 1],
    [{ status: 200, body: 'x' }, 1],
  ])('with %j is tried %i times, and reported once', async (answer, attempts) => {
    const reports: CallReport[] = []
    const { client, pauses } = scriptedPlatform(answer)
    await keys(client({ onCall: (report) => reports.push(report) }))
    const outcome = 'error' in answer ? 'unreachable' : 'body' in answer ? 'malformed' : 'rejected'
    const ms = expect.closeTo(attempts === 1 ? 0 : 600) as number
    expect(reports).toEqual([{ endpoint: 'listApiKeys', outcome, attempts, ms }])
    expect(pauses).toEqual(attempts === 1 ? [] : [200, 400])
  })

  it.each([
    ['0', [100, 200]],
    ['f', [300, 600]],
  ])('pauses by chance, twice as long the second time: %s', async (digit, expected) => {
    const { client, pauses, clock } = scriptedPlatform({ status: 503 })
    clock.newId = () => digit.repeat(32)
    await keys(client())
    expect(pauses).toEqual(expected)
  })

  it('pauses as long as it is asked to, unless the deadline comes first', async () => {
    const { client, pauses, clock } = scriptedPlatform(
      { status: 429, headers: { 'retry-after': '5' } },
      { status: 429, headers: { 'retry-after': '3' } },
    )
    expect(await keys(client())).toEqual({ kind: 'rejected', status: 429, retryAfterMs: 3_000 })
    expect([pauses, clock.timers]).toEqual([[5_000], 0])
    const written = scriptedPlatform({ status: 429, headers: { 'retry-after': '1' } })
    expect(await record(written.client())).toMatchObject({ status: 429, retryAfterMs: 1_000 })
    expect([written.received.length, written.pauses]).toEqual([1, []])
  })

  it('and is given up during a pause ends with what came of it', async () => {
    const { client, received, clock } = scriptedPlatform({ status: 503 })
    const abort = new AbortController()
    clock.after(1, () => abort.abort())
    expect(await failureOf(client().listApiKeys({}, abort))).toEqual({ kind: 'rejected', status: 503 })
    expect(received).toHaveLength(1)
  })

  it('has its status also where what was said with it is too long to be read', async () => {
    const { client } = scriptedPlatform({
      status: 404,
      headers: { 'content-length': '65537' },
      body: '{"Message":"No."}',
    })
    expect(await keys(client())).toEqual({ kind: 'rejected', status: 404 })
  })

  it.each([
    ['dns', 'no', ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']],
    ['refused', 'no', ['ECONNREFUSED']],
    ['timeout', 'no', ['UND_ERR_CONNECT_TIMEOUT']],
    ['timeout', 'maybe', ['ETIMEDOUT']],
    [
      'reset',
      'maybe',
      ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'],
    ],
    ['tls', 'maybe', ['EPROTO', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER']],
    ['tls', 'maybe', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']],
    ['tls', 'maybe', ['HOSTNAME_MISMATCH', 'INVALID_CA']],
    ['network', 'maybe', ['HPE_INVALID_CONSTANT']],
  ])('says that it was %s, and sent: %s, where the error is one of %j', async (reason, sent, codes) => {
    const failures = codes.map((code) => keys(scriptedPlatform({ error: code }).client()))
    expect(await Promise.all(failures)).toEqual(codes.map(() => ({ kind: 'unreachable', reason, sent })))
  })
})

describe('a call that needs a slot', () => {
  /** Gives a slot so many times, and then none. */
  const slots = (count: number): LogLimiter => ({
    run: async (_, { signal }, call) => {
      signal?.throwIfAborted()
      count -= 1
      if (count < 0) throw new RangeError('none is free')
      return call(() => undefined)
    },
  })

  it.each([
    [0, new RangeError('none is free')],
    [2, { kind: 'rejected', status: 503 }],
    [3, { kind: 'rejected', status: 503 }],
  ])('and gets %i of them ends with what came of it', async (count, end) => {
    const { client, received } = scriptedPlatform({ status: 503 })
    expect(await dayFile(client({ limiter: slots(count) }))).toEqual(end)
    expect(received).toHaveLength(count)
  })

  it('is not sent when it was given up meanwhile', async () => {
    const { client, received } = scriptedPlatform({ json: {} })
    expect(await dayFile(client({ limiter: slots(1) }), AbortSignal.abort())).toEqual({
      kind: 'unreachable',
      reason: 'aborted',
      sent: 'no',
    })
    expect(received).toEqual([])
  })
})

it('leaves open what it was given to send with', async () => {
  const { client } = scriptedPlatform({ json: {} })
  await client().close()
  expect(await keys(client())).toBe('It went well')
})

it('a deadline that has ended once says why it did, whatever comes later', () => {
  const clock = new TurnedClock()
  const abort = new AbortController()
  const deadline = createDeadline(clock, 1_000, abort.signal)
  deadline.expectWithin(10)
  abort.abort()
  clock.turn(10)
  expect(deadline.reason).toBe('aborted')
})

it('tells the time of each answer, and when it was asked for', async () => {
  const told: unknown[] = []
  const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
  const { client, clock } = scriptedPlatform({ status: 503, headers: { date } }, { status: 404 })
  const startedMs = clock.monotonicMs()
  await keys(client({ onDate: (...args) => told.push(args) }))
  expect(told).toEqual([
    [date, startedMs],
    [undefined, expect.closeTo(startedMs + 200)],
  ])
})
