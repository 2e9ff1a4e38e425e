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

describe('Home', () => {
  it('is opened with an event, and its buttons bring no channel', async () => {
    const { call, person, received } = scene()
    expect(await person(VERA).openHome()).toEqual({ ok: true })
    expect(received[0]).toMatchObject({
      type: 'event_callback',
      event: { type: 'app_home_opened', user: VERA, tab: 'home', channel: person(VERA).direct() },
      event_id: expect.stringMatching(/^Ev/),
    })
    call('views.publish', { user_id: VERA, view: { type: 'home', blocks: [row(button())] } })
    await person(VERA).click({ view: person(VERA).home()! }, 'row', 'go')
    expect(received[1]).toMatchObject({ type: 'block_actions', container: { type: 'view' }, view: { type: 'home' } })
    expect(received[1]).not.toHaveProperty('channel')
    expect(received[1]).not.toHaveProperty('response_url')
  })

  it('is announced again when nobody answers: at once, after a minute, after five', async () => {
    const attempts: number[] = []
    const { person, clock } = scene((_payload, _type, extra) => {
      attempts.push((extra as { retry_attempt: number }).retry_attempt)
      return 'silence'
    })
    const opened = person(VERA).openHome()
    for (const ms of [3_000, 0, 3_000, 60_000, 3_000, 300_000, 3_000, 900_000]) {
      clock.turn(ms)
      await Promise.resolve()
      await new Promise(setImmediate)
    }
    expect(await opened).toMatchObject({ ok: false })
    expect(attempts).toEqual([0, 1, 2, 3])
  })
})
