import { createServer as createRawServer } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import type { CdnClient } from '../../src/cdn/client.ts'
import { CdnError, type CdnFailure } from '../../src/cdn/errors.ts'
import { type Answer, clientFor, hang, json, KEY, PlatformServer, raw, reset } from './platform-server.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const MB = 1024 * 1024
const CANARY = 'body-canary'

async function failureOf(call: Promise<unknown>): Promise<CdnFailure> {
  const error: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof CdnError)) throw new Error(`Not a CdnError: ${inspect(error)}`)
  expect(Object.getOwnPropertyNames(error).toSorted()).toEqual(['endpoint', 'failure', 'message', 'name', 'stack'])
  for (const text of [inspect(error, { showHidden: true, depth: 9 }), JSON.stringify(error)]) {
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain('127.0.0.1')
  }
  return error.failure
}

const read = async (client: CdnClient): Promise<CdnFailure> => failureOf(client.listApiKeys())
const write = async (client: CdnClient): Promise<CdnFailure> => failureOf(client.addDnsRecord(1n, { Type: 0 }))

describe('a refusal', () => {
  it.each([
    [
      400,
      '{"ErrorKey":"validation_error","Field":"Value","Message":"No.\\r"}',
      { code: 'validation_error', field: 'Value', message: 'No.' },
    ],
    [
      400,
      '{"error":{"code":"invalid_request","message":"No.","details":["a"]}}',
      { code: 'invalid_request', message: 'No. a' },
    ],
    [401, '', {}],
    [403, 'Forbidden', { message: 'Forbidden' }],
    [404, '{"Message":"Not there"}', { message: 'Not there' }],
    [405, `<html>${CANARY}</html>`, {}],
    [409, `{"Message":"Key ${KEY} is wrong"}`, { message: 'Key [secret] is wrong' }],
    [418, '[]', {}],
  ])('with %i and %s is told as it is, and not repeated', async (status, body, expected) => {
    await using platform = await PlatformServer.start(raw(body, status))
    expect(await read(platform.client())).toEqual({ kind: 'rejected', status, ...expected })
    expect(platform.received).toHaveLength(1)
  })

  it.each([429, 500, 502, 503, 504, 599])('with %i is repeated twice for a read', async (status) => {
    await using platform = await PlatformServer.start(raw('', status, { 'retry-after': '0' }))
    expect(await read(platform.client())).toEqual({ kind: 'rejected', status, retryAfterMs: 0 })
    expect(platform.received).toHaveLength(3)
  })

  it('that asks for more patience than the deadline has is told at once', async () => {
    await using platform = await PlatformServer.start(raw('', 429, { 'retry-after': '30' }))
    expect(await read(platform.client({ clock: new TurnedClock() }))).toEqual({
      kind: 'rejected',
      status: 429,
      retryAfterMs: 30_000,
    })
    expect(platform.received).toHaveLength(1)
  })

  it('pauses as long as it asks for before the repeat', async () => {
    const clock = new TurnedClock()
    await using platform = await PlatformServer.start(raw('', 429, { 'retry-after': '7' }), json({ Items: [] }))
    const call = platform.client({ clock }).listApiKeys()
    await vi.waitFor(() => expect(clock.timers).toBe(2))
    clock.turn(6_999)
    expect(platform.received).toHaveLength(1)
    clock.turn(1)
    await expect(call).resolves.toMatchObject({ Items: [] })
  })

  it('is read though its body is cut, compressed or huge', async () => {
    const packed = gzipSync('{"Message":"No."}')
    await using zipped = await PlatformServer.start(raw(packed, 400, { 'content-encoding': 'gzip' }))
    expect(await read(zipped.client())).toEqual({ kind: 'rejected', status: 400, message: 'No.' })
    await using huge = await PlatformServer.start(raw('x'.repeat(MB), 400))
    expect(await read(huge.client())).toEqual({ kind: 'rejected', status: 400 })
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is a refusal, and the key goes to no other host', async (status) => {
    await using other = await PlatformServer.start(json({ Items: [] }))
    await using platform = await PlatformServer.start(raw('', status, { location: other.url }))
    expect(await read(platform.client())).toEqual({ kind: 'rejected', status })
    expect(await write(platform.client())).toEqual({ kind: 'rejected', status })
    expect(other.received).toEqual([])
  })
})

/** Answers with 200 that nobody can read, and what is said of them. */
const UNREADABLE: readonly (readonly [string, Answer, RegExp])[] = [
  ['empty', json(''), /empty/],
  ['HTML by its type', raw(`<p>${CANARY}`, 200, { 'content-type': 'text/html' }), /web page/],
  ['HTML by its look', json(`<!doctype html>${CANARY}`), /web page/],
  ['no JSON', json(`{"Id":1,"Name":"${CANARY}`), /Not JSON/],
  ['of another type', json([CANARY]), /the answer itself/],
  ['of wrong types', json({ Id: CANARY, Items: CANARY }), /wrong type or missing: (Id|Items)/],
  ['too deep', json('['.repeat(50_000)), /nested/],
  ['not UTF-8', raw(Buffer.from([0x22, 0xff, 0xfe, 0x22])), /UTF-8/],
  ['huge', raw(Buffer.alloc(9 * MB, ' ')), /over 2048 KB/],
  ['a gzip bomb', raw(gzipSync(Buffer.alloc(200 * MB)), 200, { 'content-encoding': 'gzip' }), /over 2048 KB/],
  ['broken gzip', raw('not gzip at all', 200, { 'content-encoding': 'gzip' }), /compressed body is broken/],
  [
    'cut gzip',
    raw(gzipSync('x'.repeat(999)).subarray(0, 20), 200, { 'content-encoding': 'gzip' }),
    /compressed body is broken/,
  ],
  ['in an unknown encoding', raw('x', 200, { 'content-encoding': 'zstd, gzip' }), /encoding/],
]

describe.each(UNREADABLE)('an answer that is %s', (_, answer, why) => {
  it('is malformed, says why, and is asked for once', async () => {
    await using platform = await PlatformServer.start(answer)
    const client = platform.client()
    const isTooLong = why.source.startsWith('over') && { isTooLong: true }
    const expected = { kind: 'malformed', status: 200, why: expect.stringMatching(why) as string, ...isTooLong }
    expect(await read(client)).toEqual(expected)
    expect(await write(client)).toEqual(expected)
    expect(platform.received).toHaveLength(2)
  })
})

describe('no answer', () => {
  it('because nobody listens: nothing was sent', async () => {
    const platform = await PlatformServer.start(hang)
    const { url } = platform
    await platform[Symbol.asyncDispose]()
    expect(await write(clientFor(url))).toEqual({ kind: 'unreachable', reason: 'refused', sent: 'no' })
    expect(await read(clientFor(url))).toEqual({ kind: 'unreachable', reason: 'refused', sent: 'no' })
  })

  it('because there is no such host: nothing was sent', async () => {
    const client = clientFor('http://no-such-host.invalid')
    expect(await write(client)).toEqual({ kind: 'unreachable', reason: 'dns', sent: 'no' })
  })

  it('because the other side does not speak TLS: nothing was sent', async () => {
    await using platform = await PlatformServer.start(hang)
    const client = clientFor(platform.url.replace('http:', 'https:'))
    expect(await write(client)).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringMatching(/tls|reset/) as string,
      sent: 'no',
    })
    expect(platform.received).toEqual([])
  })

  it('because the connection was cut: a read is repeated, a write may have been carried out and is not', async () => {
    await using platform = await PlatformServer.start(reset)
    expect(await write(platform.client())).toEqual({ kind: 'unreachable', reason: 'reset', sent: 'maybe' })
    expect(platform.received).toHaveLength(1)
    expect(await read(platform.client())).toEqual({ kind: 'unreachable', reason: 'reset', sent: 'maybe' })
    expect(platform.received).toHaveLength(4)
  })

  it('within the deadline: 8 s for a read, 30 s for a write', async () => {
    await using platform = await PlatformServer.start(hang)
    for (const [call, ms] of [
      [read, 8_000],
      [write, 30_000],
    ] as const) {
      const clock = new TurnedClock()
      const failure = call(platform.client({ clock }))
      const before = platform.received.length
      await vi.waitFor(() => expect(platform.received.length).toBeGreaterThan(before))
      clock.turn(ms - 1)
      expect(clock.timers).toBe(1)
      clock.turn(1)
      expect(await failure).toEqual({ kind: 'unreachable', reason: 'timeout', sent: 'maybe' })
    }
    expect(platform.received).toHaveLength(2)
  })

  it('because the caller gave up: before sending nothing was sent, afterwards perhaps', async () => {
    await using platform = await PlatformServer.start(hang)
    const client = platform.client()
    const early = client.addDnsRecord(1n, {}, { signal: AbortSignal.abort() })
    expect(await failureOf(early)).toEqual({ kind: 'unreachable', reason: 'aborted', sent: 'no' })
    const abort = new AbortController()
    const late = failureOf(client.addDnsRecord(1n, {}, { signal: abort.signal }))
    await vi.waitFor(() => expect(platform.received).toHaveLength(1))
    abort.abort()
    expect(await late).toEqual({ kind: 'unreachable', reason: 'aborted', sent: 'maybe' })
  })

  it('beyond its first half: done for a write, no answer for a read', async () => {
    const cut: Answer = (response, request) => {
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"Id":1,', () => request.socket.destroy())
    }
    await using platform = await PlatformServer.start(cut)
    expect(await write(platform.client())).toEqual({ kind: 'malformed', status: 201, why: 'the answer was cut off' })
    expect(platform.received).toHaveLength(1)
    expect(await read(platform.client())).toMatchObject({ kind: 'unreachable', reason: 'reset' })
    expect(platform.received).toHaveLength(4)
  })

  it('but bytes that are no HTTP', async () => {
    const server = createRawServer((socket) => void socket.on('error', () => undefined).end('SSH-2.0-canary\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    expect(await write(clientFor(`http://127.0.0.1:${port}`))).toMatchObject({ kind: 'unreachable', sent: 'maybe' })
    server.close()
  })
})

describe('a write', () => {
  const KINDS: readonly Answer[] = [reset, raw('', 500), raw('', 503, { 'retry-after': '0' }), raw('', 429), json('')]
  it.each(KINDS.map((answer, index) => [index, answer] as const))(
    'is sent once, whatever comes of it (%i)',
    async (_, answer) => {
      await using platform = await PlatformServer.start(answer)
      const client = platform.client()
      await failureOf(client.createVideoLibrary({ Name: 'x' }))
      await failureOf(client.addDnsRecord(1n, { Value: '192.0.2.1' }))
      expect(platform.received.map(({ method, body }) => `${method} ${body}`)).toEqual([
        'POST {"Name":"x"}',
        'PUT {"Value":"192.0.2.1"}',
      ])
    },
  )

  it('goes over a connection of its own, even where a read has just left one open', async () => {
    const ports: (number | undefined)[] = []
    await using platform = await PlatformServer.start((response, request) => {
      ports.push(request.socket.remotePort)
      json({ Id: 1, Items: [] })(response, request)
    })
    const client = platform.client()
    await client.listApiKeys()
    await client.addDnsRecord(1n, {})
    await client.listApiKeys()
    expect(ports[1]).not.toBe(ports[0])
    expect(ports[2]).toBe(ports[0])
  })
})
