import type { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSlackEmulator, type SlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OLGA, OPS, RANDOM, SECRET, VERA } from '../../../src/playground/slack/seed.ts'
import { stockApp } from './bolt-app.ts'
import {
  actions,
  button,
  chart,
  input,
  line,
  modal,
  plain,
  section,
  textInput,
  times,
  type Piece,
} from './sample-blocks.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

let slack: SlackEmulator
let clock: TurnedClock
let app: App

beforeEach(async () => {
  clock = new TurnedClock()
  slack = await startSlackEmulator({ clock, scopes: ['commands', 'chat:write'] })
  app = stockApp(slack)
})

afterEach(async () => {
  await app.stop()
  await slack.close()
})

const olga = () => slack.person(OLGA)
const row = { ...actions(button()), block_id: 'row' }
const form = modal([input(textInput(), { block_id: 'name' }), row])
// The types of Bolt want literal kinds, which sample pieces do not carry, and refuse the wrong ones tried here.
const typed = (piece: Piece | readonly Piece[]) => piece as never

/** What a call of the stock client failed with, or undefined when it went well. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => (error as { readonly data?: unknown }).data,
  )
}

async function started(): Promise<void> {
  await app.init()
  await app.start()
}

/** An app whose command opens a form; Olga has it open. */
async function withForm(): Promise<void> {
  app.command('/cdn', async ({ ack, client, body }) => {
    await ack()
    await client.views.open({ trigger_id: body.trigger_id, view: typed(form) })
  })
  await started()
  await olga().command(OPS, '/cdn')
  await slack.until(() => olga().view())
}

describe('An app that is late', () => {
  it('with a command is not heard, and Slack says that it timed out', async () => {
    const late = Promise.withResolvers<void>()
    app.command('/cdn', async ({ ack }) => {
      await late.promise
      await ack('sorry')
    })
    await started()
    const done = olga().command(OPS, '/cdn')
    await slack.until(() => slack.deliveries.length === 1)
    clock.turn(3_001)
    expect(await done).toEqual({ ok: false, shown: '/cdn failed with the error "operation_timeout"' })
    late.resolve()
    await slack.until(() => slack.deliveries[0]?.ackMs !== undefined)
    expect(olga().messages(OPS)).toEqual([])
  })

  it('with a form leaves it open, and the person is told to try again', async () => {
    await withForm()
    const done = olga().submit({ name: 'shop' })
    await slack.until(() => slack.deliveries.length === 2)
    clock.turn(3_001)
    expect(await done).toEqual({ ok: false, shown: 'We had some trouble connecting. Try again?' })
    expect(olga().view()).toMatchObject({ values: { name: { value: { value: 'shop' } } } })
  })

  it('with a button of a message gets it a warning sign', async () => {
    await started()
    await app.client.apiCall('chat.postMessage', { channel: OPS, text: 't', blocks: typed([row]) })
    const done = olga().click({ message: olga().messages(OPS)[0]! }, 'row', 'go')
    await slack.until(() => slack.deliveries.length === 1)
    clock.turn(3_001)
    expect(await done).toEqual({ ok: false, shown: '⚠' })
  })
})

describe('An app that sends what Slack does not take', () => {
  it.each<[string, readonly Piece[], string]>([
    ['a block nobody knows', [{ type: 'marquee' }], 'unsupported type: marquee [json-pointer:/blocks/0/type]'],
    [
      'an input that belongs in a modal',
      [input({ type: 'number_input', is_decimal_allowed: true })],
      'unsupported type: number_input [json-pointer:/blocks/0/element/type]',
    ],
    ['51 blocks', times(51, () => section('s')), 'no more than 50 items allowed [json-pointer:/blocks]'],
    [
      'three charts',
      times(3, () => chart(line(1, 1))),
      'no more than 2 data_visualization blocks allowed [json-pointer:/blocks]',
    ],
  ])('learns about %s, and nobody sees it', async (_what, blocks, complaint) => {
    await started()
    expect(
      await failure(app.client.apiCall('chat.postMessage', { channel: OPS, text: 't', blocks: typed(blocks) })),
    ).toMatchObject({
      error: 'invalid_blocks',
      errors: [complaint],
      response_metadata: { messages: [`[ERROR] ${complaint}`] },
    })
    expect(slack.messages).toEqual([])
  })

  it('learns what was wrong with its modal, and may try again with the same trigger', async () => {
    const outcomes: unknown[] = []
    app.command('/cdn', async ({ ack, client, body: { trigger_id } }) => {
      await ack()
      const title = plain('A title that is longer than allowed')
      outcomes.push(await failure(client.views.open({ trigger_id, view: typed(modal([], { title })) })))
      outcomes.push(await failure(client.views.open({ trigger_id, view: typed(modal([])) })))
    })
    await started()
    await olga().command(OPS, '/cdn')
    await expect.poll(() => outcomes.length).toBe(2)
    expect(olga().view()).toMatchObject({ title: 'Title' })
    const complaint = '[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'
    expect(outcomes).toMatchObject([
      { error: 'invalid_arguments', response_metadata: { messages: expect.arrayContaining([complaint]) } },
      undefined,
    ])
  })

  it.each<[string, object]>([
    ['a modal with no title', { response_action: 'push', view: { type: 'modal', blocks: [] } }],
    ['a complaint under no input', { response_action: 'errors', errors: { nowhere: 'Wrong' } }],
    ['an action Slack does not know', { response_action: 'celebrate' }],
  ])('in answer to a form, such as %s, never learns of it, but the person does', async (_what, answer) => {
    app.view(/.*/, async ({ ack }) => ack(answer as never))
    await withForm()
    expect(await olga().submit({ name: 'shop' })).toEqual({
      ok: false,
      shown: 'We had some trouble connecting. Try again?',
    })
    expect(olga().view()).toMatchObject({ title: 'Title' })
  })
})

describe('An app that takes more than it was given', () => {
  it('opens nothing with a trigger it has used', async () => {
    const second = Promise.withResolvers<unknown>()
    app.command('/cdn', async ({ ack, client, body: { trigger_id } }) => {
      await ack()
      await client.views.open({ trigger_id, view: typed(form) })
      second.resolve(await failure(client.views.open({ trigger_id, view: typed(modal([])) })))
    })
    await started()
    await olga().command(OPS, '/cdn')
    expect(await second.promise).toMatchObject({ error: 'exchanged_trigger_id' })
    expect(olga().view()).toMatchObject({ submit: 'Send', blocks: { length: 2 } })
  })

  it('cannot put a fourth modal on three', async () => {
    const outcomes: unknown[] = []
    app.action('go', async ({ ack, client, body }) => {
      await ack()
      if (!('trigger_id' in body)) return
      outcomes.push(await failure(client.views.push({ trigger_id: body.trigger_id, view: typed(modal([row])) })))
    })
    await withForm()
    for (const pushes of [1, 2, 3]) {
      await olga().click({ view: olga().view()! }, 'row', 'go')
      await expect.poll(() => outcomes.length).toBe(pushes)
    }
    expect(outcomes).toMatchObject([undefined, undefined, { error: 'push_limit_reached' }])
  })

  it('posts nothing where it is not a member, and sees no private channel', async () => {
    await started()
    const post = (channel: string) => failure(app.client.apiCall('chat.postMessage', { channel, text: 't' }))
    expect(await post(RANDOM)).toMatchObject({ error: 'not_in_channel' })
    expect(await post(SECRET)).toMatchObject({ error: 'channel_not_found' })
    expect(slack.messages).toEqual([])
  })

  it('calls nothing it has no scope for, and learns which one that is', async () => {
    await started()
    expect(await failure(app.client.users.info({ user: VERA }))).toMatchObject({
      error: 'missing_scope',
      needed: 'users:read',
      provided: 'commands,chat:write',
    })
  })

  it('answers five times to one address and no sixth time', async () => {
    const statuses = Promise.withResolvers<readonly (number | undefined)[]>()
    app.command('/cdn', async ({ ack, respond }) => {
      await ack()
      const seen: (number | undefined)[] = []
      for (let use = 0; use < 6; use += 1) {
        seen.push(
          await respond(`answer ${use}`).then(
            () => 200,
            (error: unknown) => (error as { readonly statusCode?: number }).statusCode,
          ),
        )
      }
      statuses.resolve(seen)
    })
    await started()
    await olga().command(OPS, '/cdn')
    expect(await statuses.promise).toEqual([200, 200, 200, 200, 200, 404])
    expect(olga().messages(OPS)).toHaveLength(5)
  })

  it('posts faster than one a second into a channel and is told how long to wait', async () => {
    slack.switches.rateLimits = true
    await started()
    const post = async () =>
      fetch(`${slack.apiUrl}chat.postMessage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ channel: OPS, text: 't' }),
      })
    const answers = [await post(), await post(), await post(), await post()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers.at(-1)?.headers.get('retry-after')).toBe('3')
  })
})
