import type { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSlackEmulator, type SlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OLGA, OPS } from '../../../src/playground/slack/seed.ts'
import { stockApp } from './bolt-app.ts'
import {
  actions,
  button,
  input,
  modal,
  option,
  plain,
  section,
  select,
  textInput,
  type Piece,
} from './sample-blocks.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

let slack: SlackEmulator
let clock: TurnedClock
let app: App

beforeEach(async () => {
  clock = new TurnedClock()
  slack = await startSlackEmulator({ clock })
  app = stockApp(slack)
})

afterEach(async () => {
  await app.stop()
  await slack.close()
})

async function started(): Promise<void> {
  await app.init()
  await app.start()
}

// The types of Bolt want literal kinds, which sample pieces do not carry; the emulator checks them.
const typed = (piece: Piece | readonly Piece[]) => piece as never
const row = (...elements: readonly Piece[]): Piece => ({ ...actions(...elements), block_id: 'row' })
const olga = () => slack.person(OLGA)

describe('A stock app', () => {
  it('puts an answer in the place of the message whose button was pressed', async () => {
    app.command('/cdn', async ({ ack }) => ack({ text: 't', blocks: typed([row(button({ value: '2' }))]) }))
    app.action('go', async ({ ack, respond, payload }) => {
      await ack()
      await respond({ replace_original: true, text: `page ${'value' in payload ? payload.value : '?'}` })
    })
    await started()
    await olga().command(OPS, '/cdn')
    expect(await olga().click({ message: olga().messages(OPS)[0]! }, 'row', 'go')).toEqual({ ok: true })
    await slack.until(() => olga().messages(OPS)[0]?.text === 'page 2')
    expect(olga().messages(OPS)).toMatchObject([{ text: 'page 2', blocks: [], ephemeral: true }])
  })

  it('redraws a form by what is chosen in it, and what was typed stays', async () => {
    const kind = select({ action_id: 'kind', options: [option('A'), option('MX')] })
    const form = (...more: readonly Piece[]) =>
      modal([
        input(kind, { block_id: 'kind', dispatch_action: true }),
        input(textInput(), { block_id: 'name' }),
        ...more,
      ])
    app.command('/cdn', async ({ ack, client, body }) => {
      await ack()
      await client.views.open({ trigger_id: body.trigger_id, view: typed(form()) })
    })
    app.action('kind', async ({ ack, client, body }) => {
      await ack()
      if (!('view' in body) || body.view === undefined) return
      const priority = input(textInput(), { block_id: 'priority' })
      await client.views.update({ view_id: body.view.id, hash: body.view.hash, view: typed(form(priority)) })
    })
    app.view(/.*/, async ({ ack, view }) => {
      const review = modal([section(`sent ${view.state.values['name']?.['value']?.value}`)], { title: plain('Review') })
      await ack({ response_action: 'push', view: typed(review) })
    })
    await started()
    await olga().command(OPS, '/cdn')
    await slack.until(() => olga().view())
    await olga().type('name', 'www')
    await olga().choose('kind', 'MX')
    await slack.until(() => olga().view()?.blocks.length === 3)
    expect(await olga().submit({ priority: '10' })).toEqual({ ok: true })
    expect(olga().view()).toMatchObject({ title: 'Review', blocks: [{ text: { text: 'sent www' } }] })
  })

  it('offers options while somebody types', async () => {
    const zone = { type: 'external_select', action_id: 'zone', min_query_length: 0 }
    app.command('/cdn', async ({ ack, client, body }) => {
      await ack()
      await client.views.open({ trigger_id: body.trigger_id, view: typed(modal([input(zone, { block_id: 'zone' })])) })
    })
    app.options('zone', async ({ ack, payload }) => ack({ options: typed([option(`${payload.value}-1`)]) }))
    await started()
    await olga().command(OPS, '/cdn')
    await slack.until(() => olga().view())
    expect(await olga().suggest('zone', 'zone', 'shop')).toMatchObject({ ok: true, options: [{ value: 'shop-1' }] })
  })

  it('shows a Home to whoever opens it', async () => {
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({ user_id: event.user, view: typed({ type: 'home', blocks: [section('welcome')] }) })
    })
    await started()
    expect(await olga().openHome()).toEqual({ ok: true })
    expect(await slack.until(() => olga().home())).toMatchObject({ blocks: [{ text: { text: 'welcome' } }] })
  })

  it('learns from an error what was wrong with its blocks', async () => {
    await started()
    const sent = app.client.apiCall('chat.postMessage', { channel: OPS, text: 't', blocks: [section('')] })
    await expect(sent).rejects.toMatchObject({
      data: { error: 'invalid_blocks', errors: [expect.stringContaining('/blocks/0/text/text')] },
    })
  })

  it('that answers too late is not heard, and its trigger opens nothing', async () => {
    const answer = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<unknown>()
    app.command('/cdn', async ({ ack, client, body }) => {
      await answer.promise
      await ack('late')
      const view = typed(modal([]))
      opened.resolve(await client.views.open({ trigger_id: body.trigger_id, view }).catch((error: unknown) => error))
    })
    await started()
    const done = olga().command(OPS, '/cdn')
    await slack.until(() => slack.deliveries.length === 1)
    clock.turn(3_001)
    expect(await done).toEqual({ ok: false, shown: '/cdn failed with the error "operation_timeout"' })
    answer.resolve()
    expect(await opened.promise).toMatchObject({ data: { error: 'expired_trigger_id' } })
    expect(slack.deliveries[0]).toMatchObject({ outcome: 'timeout', ackMs: 3_001 })
    expect(olga().messages(OPS)).toEqual([])
  })
})
