import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { OutsideCallError, outsideCalls } from '../../src/process/outside-calls.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { Secret } from '../../src/shared/secret.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const heard: (string | undefined)[] = []
const calls = outsideCalls(systemClock, (date) => heard.push(date))
let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(answer: RequestListener): Promise<Secret> {
  const started = createServer(answer)
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  const { port } = started.address() as AddressInfo // it listens on a port, not on a pipe
  return new Secret(`http://127.0.0.1:${port}/hush?token=hush`)
}

async function failureOf(work: Promise<void>): Promise<string> {
  const error = await work.then(
    () => new Error('It went well'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof OutsideCallError)) throw error
  expect(`${error.stack} ${String(error.cause)}`).not.toContain('hush')
  return error.message
}

describe('a call to an address of the settings', () => {
  it('sends JSON', async () => {
    const got: { request: IncomingMessage; body: Promise<string> }[] = []
    const address = await serve((request, response) => {
      got.push({ request, body: text(request) })
      request.on('end', () => response.writeHead(202).end('thanks'))
    })
    await calls.postJson(address, { status: 'firing' })
    expect(got.map(({ request }) => [request.method, request.url, request.headers['content-type']])).toEqual([
      ['POST', '/hush?token=hush', 'application/json'],
    ])
    expect(await got[0]?.body).toBe('{"status":"firing"}')
  })

  it.each([301, 404, 500])('fails on %i, and does not say where', async (status) => {
    const address = await serve((_, response) =>
      response.writeHead(status, status === 301 ? { location: '/elsewhere' } : {}).end(),
    )
    expect(await failureOf(calls.ping(address))).toBe(
      status === 301 ? 'it could not be reached' : `it answered with ${status}`,
    )
  })

  it('gives up after ten seconds', async () => {
    const clock = new TurnedClock()
    const address = await serve(() => clock.turn(10_000))
    expect(await failureOf(outsideCalls(clock, () => undefined).postJson(address, {}))).toBe(
      'there was no answer in time',
    )
  })
})

describe('a post to an address that Slack gave', () => {
  const sending = { type: 'application/json', body: '{"text":"Grüße"}', signal: new AbortController().signal }

  it('sends what it is given, says what was answered, and has the time of the answer heard', async () => {
    const got: [string | undefined, string | undefined, Promise<string>][] = []
    const address = await serve((request, response) => {
      got.push([request.method, request.headers['content-type'], text(request)])
      const headers = { date: 'Fri, 20 Nov 2026 12:00:00 GMT' }
      request.on('end', () => response.writeHead(got.length === 1 ? 200 : 404, headers).end('used_url'))
    })
    heard.length = 0
    expect(await calls.slackPost(address.reveal(), sending)).toEqual({ ok: true, text: 'used_url' })
    expect(await calls.slackPost(address.reveal(), sending)).toEqual({ ok: false, text: 'used_url' })
    expect(got.map(([method, type]) => [method, type])[0]).toEqual(['POST', 'application/json'])
    expect(await got[0]?.[2]).toBe(sending.body)
    expect(heard).toEqual(Array(2).fill('Fri, 20 Nov 2026 12:00:00 GMT'))
  })

  it('has it heard that an answer does not say its time, as one to a call of Slack’s library', async () => {
    const address = await serve((_, response) => {
      response.sendDate = false
      response.end()
    })
    heard.length = 0
    await calls.slackPost(address.reveal(), sending)
    await calls.slackFetch(address.reveal(), {})
    expect(heard).toEqual([undefined, undefined])
  })

  it('follows no redirect', async () => {
    let asked = 0
    const address = await serve((_, response) => {
      asked += 1
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(await calls.slackPost(address.reveal(), sending)).toMatchObject({ ok: false })
    expect(asked).toBe(1)
  })

  it('takes no answer that goes on and on', async () => {
    const address = await serve((_, response) => response.writeHead(200).end('x'.repeat(65_537)))
    await expect(calls.slackPost(address.reveal(), sending)).rejects.toThrow('max size')
  })

  it('ends when it is given up', async () => {
    const gaveUp = new AbortController()
    const address = await serve(() => gaveUp.abort())
    await expect(calls.slackPost(address.reveal(), { ...sending, signal: gaveUp.signal })).rejects.toThrow('abort')
  })
})
