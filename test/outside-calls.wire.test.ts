import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { OutsideCallError, ping, postJson } from '../src/outside-calls.ts'
import { systemClock } from '../src/shared/clock.ts'
import { Secret } from '../src/shared/secret.ts'
import { TurnedClock } from './support/turned-clock.ts'

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
    await postJson(address, { status: 'firing' }, systemClock)
    expect(got.map(({ request }) => [request.method, request.url, request.headers['content-type']])).toEqual([
      ['POST', '/hush?token=hush', 'application/json'],
    ])
    expect(await got[0]?.body).toBe('{"status":"firing"}')
  })

  it('asks for it once', async () => {
    let asked = 0
    const address = await serve((_, response) => {
      asked += 1
      response.writeHead(200).end()
    })
    await ping(address, systemClock)
    expect(asked).toBe(1)
  })

  it.each([301, 404, 500])('fails on %i, and does not say where', async (status) => {
    const address = await serve((_, response) =>
      response.writeHead(status, status === 301 ? { location: '/elsewhere' } : {}).end(),
    )
    expect(await failureOf(ping(address, systemClock))).toBe(
      status === 301 ? 'it could not be reached' : `it answered with ${status}`,
    )
  })

  it('fails where nobody listens', async () => {
    const address = await serve(() => undefined)
    server?.close()
    expect(await failureOf(ping(address, systemClock))).toBe('it could not be reached')
  })

  it('gives up after ten seconds', async () => {
    const clock = new TurnedClock()
    const address = await serve(() => clock.turn(10_000))
    expect(await failureOf(postJson(address, {}, clock))).toBe('there was no answer in time')
  })
})
