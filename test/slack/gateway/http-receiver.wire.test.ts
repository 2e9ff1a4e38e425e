import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, JSON_TYPE, type OpenDoor, openDoor, post } from '../../support/http-door.ts'
import { HurriedClock } from '../../support/hurried-clock.ts'

let open: Awaited<ReturnType<typeof openDoor>>
let clock: HurriedClock
const stray: unknown[] = []
const onStray = (reason: unknown): void => void stray.push(reason)

beforeEach(async () => {
  process.on('unhandledRejection', onStray)
  clock = new HurriedClock()
  open = await openDoor({ clock })
})
afterEach(async () => {
  await open.door.stop()
  process.off('unhandledRejection', onStray)
  const strays = stray.splice(0)
  if (strays.length > 0) throw new AggregateError(strays, 'Errors that nothing handled')
})

const nowS = (): number => Math.floor(clock.now().getTime() / 1_000)
const status = async (given: Parameters<typeof post>[1]): Promise<number> => (await post(open.port, given)).status
const refusals = ({ lines }: OpenDoor) => lines.map(({ fields }) => fields['reason'])

describe('a request of Slack’s', () => {
  it('is handed on, and answered with what the app says', async () => {
    open.handle = ({ ack }) => ack('words')
    const words = { status: 200, text: 'words', type: 'text/plain; charset=utf-8' }
    expect(await post(open.port, { body: command() })).toEqual(words)
    open.handle = ({ ack }) => ack({ response_type: 'ephemeral' })
    const answer = await post(open.port, { body: command() })
    expect(answer).toMatchObject({ status: 200, text: '{"response_type":"ephemeral"}' })
    expect(answer.type).toMatch(/^application\/json/)
    open.handle = ({ ack }) => ack()
    expect(await post(open.port, { body: command() })).toMatchObject({ status: 200, text: '' })
    expect(open.events).toHaveLength(3)
  })

  it('with a challenge hears it again', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c1' })
    expect(await post(open.port, { body, type: JSON_TYPE })).toMatchObject({ status: 200, text: '{"challenge":"c1"}' })
    expect(open.events).toEqual([])
  })

  it('is answered once, however often the app acknowledges', async () => {
    open.handle = async ({ ack }) => {
      await ack('one')
      await ack('two')
    }
    expect(await post(open.port, { body: command() })).toMatchObject({ text: 'one' })
  })

  it('that Slack’s library cannot read, or that the app does not know, is answered all the same', async () => {
    open.handle = async () => {
      throw new TypeError('odd')
    }
    expect(await status({ body: command() })).toBe(400)
    expect(refusals(open)).toEqual(['signed, in an unknown form'])
    expect(JSON.stringify(open.lines)).not.toContain('odd')
    open.handle = async () => undefined
    expect(await status({ body: command() })).toBe(404)
  })

  it('that cannot be handled by a fault of this program’s is answered, and logged', async () => {
    clock.now = () => {
      throw new TypeError('a fault')
    }
    expect(await status({ body: command() })).toBe(500)
    expect(open.lines).toMatchObject([{ level: 'error', sentence: 'a request of Slack could not be handled' }])
  })

  it('that the app does not acknowledge is let go after three seconds', async () => {
    const begun = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    open.handle = () => {
      begun.resolve()
      return over.promise
    }
    const answered = status({ body: command() })
    await begun.promise
    clock.turn(3_000)
    expect(await answered).toBe(503)
    over.resolve()
  })

  it('of which half is sent holds up a stop for three seconds at most', async () => {
    const socket = connect(open.port, '127.0.0.1')
    const ended = once(
      socket.on('error', () => undefined),
      'close',
    )
    const signature = `x-slack-signature: v0=${'0'.repeat(64)}\r\nx-slack-request-timestamp: ${nowS()}`
    socket.write(
      `POST /slack/events HTTP/1.1\r\nhost: x\r\n${signature}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: 9\r\n\r\nhalf`,
    )
    // Once this one is answered, the half of the other has arrived.
    expect(await status({ body: command() })).toBe(200)
    const stopped = open.door.stop()
    clock.turn(3_000)
    await stopped
    await ended
  })

  it('that comes too early is put off', async () => {
    const early = await openDoor({ started: false })
    expect(await post(early.port, { body: command() })).toMatchObject({ status: 503 })
    const links = [early.door.openLinks]
    await early.door.start()
    links.push(early.door.openLinks)
    await early.door.stop()
    expect([...links, early.door.openLinks]).toEqual([0, 1, 0])
  })
})

describe('what is not Slack’s', () => {
  it.each<[string, Parameters<typeof post>[1]]>([
    ['signed with another secret', { secret: 'another-secret' }],
    ['signed for later', { epochS: Math.floor(Date.parse('2100-01-01') / 1_000) }],
  ])('is refused: %s', async (_name, given) => {
    expect(await status({ body: command(), ...given })).toBe(401)
    expect(open.events).toEqual([])
  })

  it('does not get past the signature as a look at the certificate', async () => {
    const body = `ssl_check=1&${command()}`
    expect(await status({ body, headers: { 'x-slack-signature': undefined } })).toBe(401)
    expect(await status({ body })).toBe(200)
    expect(open.events).toEqual([])
  })

  it('has no other address, method, content type or encoding', async () => {
    expect(await status({ body: command(), path: '/' })).toBe(404)
    expect(await status({ body: command(), path: '/slack/events/..' })).toBe(404)
    expect(await status({ method: 'GET' })).toBe(404)
    expect(await status({ body: command(), type: 'text/plain' })).toBe(415)
    expect(await status({ body: gzipSync(command()), headers: { 'content-encoding': 'gzip' } })).toBe(415)
  })

  it('is told in the log by reason, once a minute', async () => {
    for (let count = 0; count < 5; count += 1) await status({ body: command(), secret: 'another-secret' })
    expect(await status({ body: 'x' })).toBe(400)
    expect(refusals(open)).toEqual(['signed wrongly', 'signed, in an unknown form'])
    clock.turn(60_000)
    await status({ body: command(), secret: 'another-secret' })
    expect(refusals(open)).toEqual(['signed wrongly', 'signed, in an unknown form', 'signed wrongly'])
    expect(open.lines.at(-1)?.sentence).toContain('if all are, look at SLACK_SIGNING_SECRET')
  })
})

describe('what is too much', () => {
  it('is refused by its stated length, before any of it is taken', async () => {
    const length = { 'content-length': '1000001' }
    const socket = connect(open.port, '127.0.0.1')
    const signature = `x-slack-signature: v0=${'0'.repeat(64)}\r\nx-slack-request-timestamp: ${nowS()}`
    socket.write(
      `POST /slack/events HTTP/1.1\r\nhost: x\r\n${signature}\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${length['content-length']}\r\n\r\n`,
    )
    const [said] = await new Promise<[Buffer]>((resolve) => socket.once('data', (data) => resolve([data])))
    expect(String(said)).toMatch(/^HTTP\/1\.1 413/)
    socket.destroy()
  })

  it('is refused without a stated length, too', async () => {
    const body = Buffer.alloc(1_000_001, 'a')
    expect(await status({ body, headers: { 'transfer-encoding': 'chunked' } })).toBeOneOf([413, 0])
  })

  it('is one byte more than what is taken', async () => {
    const [start = '', end = ''] = JSON.stringify({ type: 'url_verification', challenge: 'c', pad: '?' }).split('?')
    const body = `${start}${'x'.repeat(1_000_000 - start.length - end.length)}${end}`
    expect(await status({ body, type: JSON_TYPE })).toBe(200)
    expect(await status({ body: ` ${body}`, type: JSON_TYPE })).toBe(413)
  })
})

describe('a request that was signed, and is odd', () => {
  it.each(['null', '[]', '"x"', '{}', '', '{"type":"event_callback"}', '['.repeat(50_000)])(
    'is refused and nothing else happens: %.40s',
    async (body) => {
      expect(await status({ body, type: JSON_TYPE })).toBe(400)
      expect(await status({ body: new URLSearchParams({ payload: body }).toString() })).toBe(400)
      expect(await status({ body: command() })).toBe(200)
      expect(open.events).toHaveLength(1)
    },
  )

  it('is refused and put on record when it is for another app', async () => {
    expect(await status({ body: command({ api_app_id: 'A2' }) })).toBe(403)
    expect(open.foreign).toEqual([{ origin: { appId: 'A2', userId: 'U1', places: [] }, what: 'it names another app' }])
    expect(open.events).toEqual([])
  })

  it('is refused and put on record when it is for another workspace', async () => {
    const from = { type: 'block_actions', api_app_id: 'A1', user: { id: 'U1' }, actions: [{}] }
    const body = (team: unknown): string =>
      new URLSearchParams({ payload: JSON.stringify({ ...from, team }) }).toString()
    expect(await status({ body: body({ id: 'T2' }) })).toBe(403)
    expect(open.foreign).toMatchObject([{ what: 'it names another workspace' }])
    expect(await status({ body: body({ id: 'T1' }) })).toBe(200)
    expect(await status({ body: body(null) })).toBe(200)
  })
})

describe('the same request again', () => {
  it('is answered, and has no effect', async () => {
    const again = { body: command(), epochS: nowS() }
    expect(await status(again)).toBe(200)
    expect(await status(again)).toBe(200)
    expect(open.events).toHaveLength(1)
  })

  it('is known after a restart too, from the store', async () => {
    const again = { body: command(), epochS: nowS() }
    const { isFirst } = open
    expect(await status(again)).toBe(200)
    await open.door.stop()
    open = await openDoor({ clock })
    open.isFirst = isFirst
    expect(await status(again)).toBe(200)
    expect(open.events).toEqual([])
  })

  it('signed anew, as Slack repeats it, is handed on', async () => {
    const body = command()
    expect(await status({ body, epochS: nowS() - 60 })).toBe(200)
    expect(await status({ body, epochS: nowS() })).toBe(200)
    expect(open.events).toHaveLength(2)
  })

  it('is known while the store fails or hangs, and others are answered in time', async () => {
    open.isFirst = () => Promise.reject(new Error('locked'))
    const again = { body: command(), epochS: nowS() }
    expect(await status(again)).toBe(200)
    expect(await status(again)).toBe(200)
    const asked = Promise.withResolvers<void>()
    open.isFirst = () => {
      asked.resolve()
      return new Promise(() => undefined)
    }
    const answered = status({ body: command() })
    await asked.promise
    clock.turn(300)
    expect(await answered).toBe(200)
    expect(open.events).toHaveLength(2)
  })
})
