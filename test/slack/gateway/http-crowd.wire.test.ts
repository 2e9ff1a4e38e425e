import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../support/request-signature.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { command, JSON_TYPE, openDoor, post, SIGNING_SECRET } from '../../support/http-door.ts'

/** As many as the door has places for. */
const PLACES = 100
/** Slow ones are ended after five seconds; each second is looked twice. */
const SLOW_MS = { timeout: 8_000 }

let open: Awaited<ReturnType<typeof openDoor>>
let sockets: Socket[]

beforeEach(async () => {
  open = await openDoor()
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await open.door.stop()
})

/** Connections that send this and no more. */
function crowd(count: number, text: string): void {
  for (let index = 0; index < count; index += 1) void say(text)
}

/** Everything that is answered on one connection until it ends, `texts` being written one after the other. */
async function say(...texts: readonly string[]): Promise<string> {
  const socket = connect(open.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  let said = ''
  socket.setEncoding('utf8').on('data', (data: string) => (said += data))
  const ended = new Promise<void>((resolve) => socket.once('close', resolve))
  for (const text of texts) {
    socket.write(text)
    await systemClock.sleep(20)
  }
  await ended
  return said
}

/** A request as it goes over the wire, signed with the secret of the app or as nobody can. */
function request(body: string, { secret = SIGNING_SECRET, version = '1.1', host = 'host: x\r\n', length = 0 } = {}) {
  const signed = signatureHeaders(body, secret, Math.floor(systemClock.now().getTime() / 1_000))
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    connection: 'keep-alive',
    'content-length': String(Math.max(Buffer.byteLength(body), length)),
    ...signed,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /slack/events HTTP/${version}\r\n${host}${lines.join('')}\r\n${body}`
}

const answers = (said: string): readonly string[] =>
  [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code = '']) => code)

/** An event of just below a megabyte that is nothing but this, again and again. */
function event(part: string): string {
  const value = part.repeat(999_000 / part.length)
  const known = { type: 'event_callback', api_app_id: 'A1', team_id: 'T1', event: { type: 'x' } }
  const head = JSON.stringify({ ...known, event_id: systemClock.newId() }).slice(0, -1)
  return `${head},"w":${part === 'a' ? `"${value}"` : `[${value}0]`}}`
}

describe('strangers that hold what they began', () => {
  it('do not keep out a large body of Slack’s', async () => {
    crowd(PLACES - 10, request('a'.repeat(60_000), { secret: 'another-secret', length: 900_000 }))
    await systemClock.sleep(300)
    expect(await post(open.port, { body: command({ text: 'x'.repeat(600_000) }) })).toMatchObject({ status: 200 })
  })

  it.each([
    ['headers', 'POST /slack/events HTTP/1.1\r\nx: '],
    ['a body', request('a', { secret: 'another-secret', length: 10 })],
    ['nothing', ''],
  ])('with %s in all places are ended after five seconds, and Slack is answered again', async (_what, text) => {
    crowd(PLACES, text)
    await systemClock.sleep(300)
    expect(await post(open.port, { body: command() })).toMatchObject({ status: 0 })
    await expect.poll(() => post(open.port, { body: command() }), SLOW_MS).toMatchObject({ status: 200 })
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed), SLOW_MS).toBe(true)
  })
})

describe('what comes behind a request on the same connection', () => {
  const unsigned = (given = {}): string => request('', { secret: 'another-secret', ...given })

  it.each([
    ['for its signature', '401', unsigned()],
    ['for its signature, by HTTP/1.0', '401', unsigned({ version: '1.0' })],
    ['for its address', '404', unsigned().replace('/slack/events', '/')],
    ['for its length', '413', unsigned({ length: 1_000_001 })],
    ['because it names no host', '400', unsigned({ host: '' })],
    ['and expects something', '401', unsigned().replace('host', 'expect: x\r\nhost')],
  ])('that is refused %s is not carried out', async (_why, status, refused) => {
    expect(answers(await say(refused + request(command())))).toEqual([status])
    expect(answers(await say(refused, request(command())))).toEqual([status])
    expect(open.events).toEqual([])
  })

  it.each(['1.0', '1.1'])('that is carried out is not, by HTTP/%s, and the first is answered', async (version) => {
    open.handle = async ({ ack }) => {
      await systemClock.sleep(50)
      await ack('first')
    }
    const said = await say(request(command(), { version }) + request(command(), { version }))
    expect(answers(said)).toEqual(['200'])
    expect(said).toMatch(/connection: close\r\n[^]*first/i)
    expect(open.events).toHaveLength(1)
  })
})

describe('a signed megabyte', () => {
  it.each(['[],', '{},', '0,', '{"a":0},'])('of %s is refused unread', async (part) => {
    const body = event(part)
    expect(await post(open.port, { body, type: JSON_TYPE })).toMatchObject({ status: 400 })
    const payload = new URLSearchParams({ payload: body.slice(0, 300_000) }).toString()
    expect(await post(open.port, { body: payload })).toMatchObject({ status: 400 })
    expect(open.events).toEqual([])
  })

  it('of fields is refused', async () => {
    expect(await post(open.port, { body: `${'a=1&'.repeat(249_000)}${command()}` })).toMatchObject({ status: 400 })
  })

  it('of text is taken, also in pieces of one byte', async () => {
    expect(await post(open.port, { body: event('a'), type: JSON_TYPE })).toMatchObject({ status: 200 })
    const [head = '', body = ''] = request(command()).split('\r\n\r\n')
    const chunked = `${head.replace(/content-length: \d+/, 'transfer-encoding: chunked')}\r\n\r\n`
    const pieces = body.replaceAll(/./g, '1\r\n$&\r\n')
    expect(answers(await say(`${chunked}${pieces}0\r\n\r\n`))).toEqual(['200'])
    expect(open.events).toHaveLength(2)
  })
})
