import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as bodyText } from 'node:stream/consumers'
import { verifySlackRequest, type App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSlackEmulator, type SlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OLGA, OPS } from '../../../src/playground/slack/seed.ts'
import { HurriedClock } from '../../support/hurried-clock.ts'
import { stockHttpApp } from './bolt-app.ts'
import { actions, button, input, modal, option, section, textInput, type Piece } from './sample-blocks.ts'

let slack: SlackEmulator
let clock: HurriedClock
const endings: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  clock = new HurriedClock()
  slack = await startSlackEmulator({ clock })
})

afterEach(async () => {
  await slack.close()
  for (const end of endings.splice(0)) await end()
})

const olga = () => slack.person(OLGA)
// The types of Bolt want literal kinds, which sample pieces do not carry; the emulator checks them.
const typed = (piece: Piece | readonly Piece[]) => piece as never

async function stockApp(options = {}): Promise<App> {
  const { app, requestUrl } = await stockHttpApp(slack, options)
  endings.push(async () => app.stop())
  await slack.useHttp({ requestUrl })
  return app
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** An app of a few lines, to see the requests themselves; it answers the challenge by itself. */
async function rawApp(answer: Answer): Promise<string> {
  const server: Server = createServer((request, response) => {
    void bodyText(request).then((body) =>
      body.includes('url_verification') ? response.end(body) : answer(request, response, body),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack`
}

describe('A stock app with signed requests', () => {
  it('answers a command, acts on a button and replaces a message', async () => {
    const app = await stockApp()
    app.command('/cdn', async ({ ack, command }) =>
      ack({ text: `you typed ${command.text}`, blocks: typed([{ ...actions(button()), block_id: 'row' }]) }),
    )
    app.action('go', async ({ ack, respond }) => {
      await ack()
      await respond({ replace_original: true, text: 'gone' })
    })
    expect(await olga().command(OPS, '/cdn keys & more')).toEqual({ ok: true })
    expect(olga().messages(OPS)).toMatchObject([{ text: 'you typed keys &amp; more', ephemeral: true }])
    expect(await olga().click({ message: olga().messages(OPS)[0]! }, 'row', 'go')).toEqual({ ok: true })
    await slack.until(() => olga().messages(OPS)[0]?.text === 'gone')
    expect([slack.linkCount, slack.deliveries.map(({ outcome }) => outcome)]).toEqual([0, ['acked', 'acked']])
  })

  it('opens a form, offers options, complains and takes it', async () => {
    const app = await stockApp()
    const zone = { type: 'external_select', action_id: 'zone', min_query_length: 0 }
    app.command('/cdn', async ({ ack, client, body }) => {
      await ack()
      const form = modal([input(textInput(), { block_id: 'name' }), input(zone, { block_id: 'zone' })])
      await client.views.open({ trigger_id: body.trigger_id, view: typed(form) })
    })
    app.options('zone', async ({ ack }) => ack({ options: typed([option('shop')]) }))
    app.view(/.*/, async ({ ack, view }) => {
      const name = view.state.values['name']?.['value']?.value
      await (name === 'shop' ? ack() : ack({ response_action: 'errors', errors: { name: 'Unknown' } }))
    })
    await olga().command(OPS, '/cdn')
    await slack.until(() => olga().view())
    expect(await olga().submit({ name: 'shed', zone: 'shop' })).toMatchObject({ errors: { name: 'Unknown' } })
    expect(await olga().submit({ name: 'shop' })).toEqual({ ok: true })
    expect(olga().view()).toBeUndefined()
  })

  it('takes a plain word as an answer, shortcuts and events', async () => {
    const app = await stockApp()
    app.command('/cdn', async ({ ack }) => ack('just words'))
    app.shortcut('add', async ({ ack }) => ack())
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({ user_id: event.user, view: typed({ type: 'home', blocks: [section('hi')] }) })
    })
    await olga().command(OPS, '/cdn')
    expect(olga().messages(OPS)).toMatchObject([{ text: 'just words' }])
    expect(await olga().shortcut('add')).toEqual({ ok: true })
    expect(await olga().openHome()).toEqual({ ok: true })
    await slack.until(() => olga().home())
  })

  it('with another secret refuses the challenge, and Socket Mode stays', async () => {
    await expect(stockApp({ signingSecret: 'another' })).rejects.toThrow('value of the challenge parameter')
    expect(await olga().command(OPS, '/cdn')).toEqual({
      ok: false,
      shown: '/cdn failed with the error "dispatch_failed"',
    })
  })

  it('that nobody listens to any more gets envelopes again', async () => {
    await stockApp()
    slack.useSocketMode()
    expect(await olga().command(OPS, '/cdn')).toMatchObject({ shown: expect.stringContaining('dispatch_failed') })
  })
})

describe('A request', () => {
  it('is signed over its time and its exact body, and goes to the address for options when it asks for some', async () => {
    const seen: { url: string; type: string; body: string; headers: IncomingMessage['headers'] }[] = []
    const requestUrl = await rawApp(({ url = '', headers }, response, body) => {
      seen.push({ url, type: headers['content-type'] ?? '', body, headers })
      response.end()
    })
    await slack.useHttp({ requestUrl, optionsUrl: `${requestUrl}/options` })
    await olga().command(OPS, '/cdn a=ü&b')
    const [{ body, headers, type, url }] = seen as [(typeof seen)[number]]
    const signed = {
      'x-slack-signature': String(headers['x-slack-signature']),
      'x-slack-request-timestamp': Number(headers['x-slack-request-timestamp']),
    }
    expect(() => verifySlackRequest({ signingSecret: slack.signingSecret, body, headers: signed })).not.toThrow()
    expect(() => verifySlackRequest({ signingSecret: slack.signingSecret, body: `${body} `, headers: signed })).toThrow(
      /mismatch/,
    )
    expect([url, type, new URLSearchParams(body).get('text')]).toEqual([
      '/slack',
      'application/x-www-form-urlencoded',
      'a=ü&amp;b',
    ])
    await olga().shortcut('add')
    expect(JSON.parse(new URLSearchParams(seen[1]?.body).get('payload') ?? '')).toMatchObject({
      type: 'shortcut',
      callback_id: 'add',
    })
    await openSelect()
    expect(seen.at(-1)).toMatchObject({ url: '/slack/options' })
  })

  it('that is not answered in three seconds has failed, whatever comes later', async () => {
    const arrived = Promise.withResolvers<ServerResponse>()
    await slack.useHttp({ requestUrl: await rawApp((_request, response) => arrived.resolve(response)) })
    const done = olga().command(OPS, '/cdn')
    const response = await arrived.promise
    clock.turn(3_001)
    expect(await done).toEqual({ ok: false, shown: '/cdn failed with the error "operation_timeout"' })
    response.end('too late')
    await slack.until(() => (slack.deliveries[0]?.ackMs ?? 0) > 3_000)
    expect(olga().messages(OPS)).toEqual([])
  })

  it.each([500, 404, 302])('answered with %i has failed', async (status) => {
    await slack.useHttp({ requestUrl: await rawApp((_request, response) => response.writeHead(status).end('oh')) })
    expect(await olga().command(OPS, '/cdn')).toMatchObject({ shown: expect.stringContaining('dispatch_failed') })
  })

  it('answered with more than anybody answers has failed', async () => {
    const requestUrl = await rawApp((_request, response) => response.end('x'.repeat(1_000_001)))
    await slack.useHttp({ requestUrl })
    expect(await olga().command(OPS, '/cdn')).toMatchObject({ shown: expect.stringContaining('dispatch_failed') })
  })

  it('with an event comes again, numbered, unless the app wants none again', async () => {
    const numbers: unknown[] = []
    const reasons: unknown[] = []
    let wantsNone = false
    const requestUrl = await rawApp(({ headers }, response) => {
      numbers.push(headers['x-slack-retry-num'])
      reasons.push(headers['x-slack-retry-reason'])
      response.writeHead(500, wantsNone ? { 'x-slack-no-retry': '1' } : {}).end()
    })
    await slack.useHttp({ requestUrl })
    await olga().openHome()
    clock.turn(1)
    await expect.poll(() => numbers).toEqual([undefined, '1'])
    wantsNone = true
    clock.turn(60_000)
    await expect.poll(() => numbers).toEqual([undefined, '1', '2'])
    await slack.until(() => slack.deliveries.at(-1)?.outcome === 'unreachable')
    clock.turn(300_000)
    expect(await olga().command(OPS, '/cdn')).toMatchObject({ ok: false })
    expect(slack.deliveries.filter(({ type }) => type === 'events_api')).toHaveLength(3)
    expect(reasons.slice(0, 3)).toEqual([undefined, 'http_error', 'http_error'])
  })

  it('left without an answer ends with the workspace', { timeout: 5_000 }, async () => {
    const arrived = Promise.withResolvers<ServerResponse>()
    await slack.useHttp({ requestUrl: await rawApp((_request, response) => arrived.resolve(response)) })
    const done = olga().command(OPS, '/cdn')
    const gone = once(await arrived.promise, 'close')
    await slack.close()
    expect(await done).toMatchObject({ ok: false })
    await gone
  })
})

/** Opens a form with an external select for Olga, and its menu. */
async function openSelect(): Promise<void> {
  const trigger = slack.deliveries.at(-1)?.payload['trigger_id']
  const zone = { type: 'external_select', action_id: 'zone', min_query_length: 0 }
  await fetch(`${slack.apiUrl}views.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ trigger_id: trigger, view: modal([input(zone, { block_id: 'zone' })]) }),
  })
  await olga().suggest('zone', 'zone')
}
