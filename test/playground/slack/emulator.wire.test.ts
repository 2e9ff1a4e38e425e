import type { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSlackEmulator, type SlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OLGA, OPS, RANDOM, VERA } from '../../../src/playground/slack/seed.ts'
import { stockApp } from './bolt-app.ts'

let slack: SlackEmulator
let app: App

beforeEach(async () => {
  slack = await startSlackEmulator()
  app = stockApp(slack)
})

afterEach(async () => {
  await app.stop()
  await slack.close()
})

const form = (blocks: object[]) => ({
  type: 'modal' as const,
  callback_id: 'form',
  title: { type: 'plain_text' as const, text: 'A form' },
  submit: { type: 'plain_text' as const, text: 'Send' },
  blocks: blocks as never,
})

const nameInput = {
  type: 'input',
  block_id: 'name',
  label: { type: 'plain_text', text: 'Name' },
  element: { type: 'plain_text_input', action_id: 'value' },
}

async function started(): Promise<void> {
  await app.init()
  await app.start()
}

describe('A stock Bolt app on the emulator', () => {
  it('answers a slash command in the acknowledgement, for the one who typed it', async () => {
    app.command('/cdn', async ({ ack, command }) => {
      await ack(`You typed ${command.text}`)
    })
    await started()

    expect(await slack.person(VERA).command(OPS, '/cdn keys list')).toEqual({ ok: true })

    expect(slack.person(VERA).messages(OPS)).toMatchObject([{ text: 'You typed keys list', ephemeral: true }])
    expect(slack.person(OLGA).messages(OPS)).toEqual([])
  })

  it('answers by response_url where the bot is not in the channel', async () => {
    app.command('/cdn', async ({ ack, respond }) => {
      await ack()
      await respond({ response_type: 'in_channel', text: 'done' })
    })
    await started()

    await slack.person(OLGA).command(RANDOM, '/cdn status')

    const seen = await slack.until(() => slack.person(VERA).messages(RANDOM)[1] && slack.person(VERA).messages(RANDOM))
    expect(seen).toMatchObject([
      { text: '/cdn status', author: OLGA, ephemeral: false },
      { text: 'done', byBot: true, ephemeral: false },
    ])
  })

  it('opens a modal, complains about it and takes it', async () => {
    app.command('/cdn', async ({ ack, client, body }) => {
      await ack()
      await client.views.open({ trigger_id: body.trigger_id, view: form([nameInput]) })
    })
    app.view('form', async ({ ack, view }) => {
      const given = view.state.values['name']?.['value']?.value
      await (given === 'shop' ? ack() : ack({ response_action: 'errors', errors: { name: 'Not a zone' } }))
    })
    await started()
    const olga = slack.person(OLGA)

    await olga.command(OPS, '/cdn')
    await slack.until(() => olga.view())

    expect(await olga.submit()).toMatchObject({ ok: false, errors: { name: 'Please complete this required field.' } })
    expect(await olga.submit({ name: 'shed' })).toEqual({
      ok: false,
      shown: 'Not a zone',
      errors: { name: 'Not a zone' },
    })
    expect(olga.view()?.errors).toEqual({ name: 'Not a zone' })
    expect(await olga.submit({ name: 'shop' })).toEqual({ ok: true })
    expect(olga.view()).toBeUndefined()
  })
})
