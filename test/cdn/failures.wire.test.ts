import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import type { CdnClient } from '../../src/cdn/client.ts'
import { CdnError, type CdnFailure } from '../../src/cdn/contract/errors.ts'
import { type Answer, hang, json, KEY, PlatformServer, raw, reset } from './platform-server.ts'
import { TurnedClock } from '../support/turned-clock.ts'

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

/** What comes back wrong from the network, as a status or as a body is played by test/safety/faults. */
const read = async (client: CdnClient): Promise<CdnFailure> => failureOf(client.listApiKeys({}))
const write = async (client: CdnClient): Promise<CdnFailure> =>
  failureOf(client.addDnsRecord({ zoneId: 1n, body: { Type: 0 } }))

describe('a refusal', () => {
  it.each([
    [400, '{"ErrorKey":"e","Field":"Value","Message":"No.\\r"}', { code: 'e', field: 'Value', message: 'No.' }],
    [401, '', {}],
    [403, 'Forbidden', { message: 'Forbidden' }],
    [405, `<html>${CANARY}</html>`, {}],
    [409, `{"Message":"Key ${KEY} is wrong"}`, { message: 'Key [secret] is wrong' }],
    [409, `{"Message":"${KEY.replaceAll('-', String.raw`\u002D`)} is wrong"}`, { message: '[secret] is wrong' }],
    [409, `Key ${KEY} is wrong`, { message: 'Key [secret] is wrong' }],
  ])('with %i and %s is told as it is, and not repeated', async (status, body, expected) => {
    await using platform = await PlatformServer.start(raw(body, status))
    expect(await read(platform.client())).toEqual({ kind: 'rejected', status, ...expected })
    expect(platform.received).toHaveLength(1)
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

describe('no answer', () => {
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
    const early = client.addDnsRecord({ zoneId: 1n, body: {} }, { signal: AbortSignal.abort() })
    expect(await failureOf(early)).toEqual({ kind: 'unreachable', reason: 'aborted', sent: 'no' })
    const abort = new AbortController()
    const late = failureOf(client.addDnsRecord({ zoneId: 1n, body: {} }, { signal: abort.signal }))
    await vi.waitFor(() => expect(platform.received).toHaveLength(1))
    abort.abort()
    expect(await late).toEqual({ kind: 'unreachable', reason: 'aborted', sent: 'maybe' })
  })
})

it('a client that was closed asks for nothing more', async () => {
  await using platform = await PlatformServer.start(json({ Items: [] }))
  const client = platform.client()
  await client.listApiKeys({})
  await client.close()
  expect(await read(client)).toMatchObject({ kind: 'unreachable' })
  expect(platform.received).toHaveLength(1)
})

it('a client that is being closed waits for the call that is under way', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  await using platform = await PlatformServer.start((response) => asked.resolve(response))
  const client = platform.client()
  const call = client.listApiKeys({})
  const response = await asked.promise
  const closed = client.close()
  response.end('{"Items":[]}')
  expect(await call).toMatchObject({ Items: [] })
  await closed
})

describe('a write', () => {
  const KINDS: readonly Answer[] = [reset, raw('', 500), raw('', 503, { 'retry-after': '0' }), raw('', 429), json('')]
  it.each(KINDS.map((answer, index) => [index, answer] as const))(
    'is sent once, whatever comes of it (%i)',
    async (_, answer) => {
      await using platform = await PlatformServer.start(answer)
      const client = platform.client()
      await failureOf(client.createVideoLibrary({ body: { Name: 'x' } }))
      await failureOf(client.addDnsRecord({ zoneId: 1n, body: { Value: '192.0.2.1' } }))
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
    await client.listApiKeys({})
    await client.addDnsRecord({ zoneId: 1n, body: {} })
    await client.listApiKeys({})
    expect(ports[1]).not.toBe(ports[0])
    expect(ports[2]).toBe(ports[0])
  })
})
