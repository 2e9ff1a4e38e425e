import { describe, expect, it } from 'vitest'
import { APP_ID, OLGA, OPS, VERA } from '../../../src/playground/slack/state/seed.ts'
import { actions, button, plain, section, type Piece } from './sample-blocks.ts'
import { scene } from './scripted-app.ts'

const row = (...elements: readonly Piece[]): Piece => ({ ...actions(...elements), block_id: 'row' })

describe('A click in a message', () => {
  it('carries the message, a response_url and what stands on the button', async () => {
    const { call, person, received } = scene()
    const { ts } = call('chat.postMessage', { channel: OPS, text: 't', blocks: [row(button({ value: 'c-17' }))] })
    expect(await person(VERA).click({ message: person(VERA).messages(OPS)[0]! }, 'row', 'go')).toEqual({ ok: true })
    expect(received[0]).toMatchObject({
      type: 'block_actions',
      user: { id: VERA, username: 'vera' },
      api_app_id: APP_ID,
      container: { type: 'message', message_ts: ts, channel_id: OPS, is_ephemeral: false },
      channel: { id: OPS, name: 'ops' },
      message: { ts, text: 't' },
      state: { values: {} },
      response_url: expect.stringContaining('/actions/'),
      trigger_id: expect.any(String),
      actions: [{ type: 'button', action_id: 'go', block_id: 'row', value: 'c-17', text: plain('Go') }],
    })
  })

  it('on an ephemeral message brings no copy of it', async () => {
    const { call, person, received } = scene()
    call('chat.postEphemeral', { channel: OPS, user: VERA, text: 't', blocks: [row(button())] })
    await person(VERA).click({ message: person(VERA).messages(OPS)[0]! }, undefined, 'go')
    expect(received[0]).toMatchObject({ container: { is_ephemeral: true } })
    expect(received[0]).not.toHaveProperty('message')
  })

  it('cannot be made on what is gone, changed or not for this person', async () => {
    const { call, person } = scene()
    const { ts } = call('chat.postMessage', { channel: OPS, text: 't', blocks: [row(button())] })
    const message = person(VERA).messages(OPS)[0]!
    call('chat.update', { channel: OPS, ts, text: 'answered', blocks: [section('answered')] })
    await expect(person(VERA).click({ message }, 'row', 'go')).rejects.toThrow('Nothing called row/go is shown')
    call('chat.postEphemeral', { channel: OPS, user: VERA, text: 't', blocks: [row(button())] })
    const hers = person(VERA).messages(OPS).at(-1)!
    await expect(person(OLGA).click({ message: hers }, 'row', 'go')).rejects.toThrow('not there any more')
  })
})
