import { describe, expect, it } from 'vitest'
import { Forger } from '../../support/forger.ts'
import { OLGA, OPS, VERA } from '../../../src/playground/slack/seed.ts'
import { field, openForm } from './open-form.ts'
import { actions, button, plain, type Piece } from './sample-blocks.ts'
import { scene } from './scripted-app.ts'

describe('A delivery', () => {
  it('comes again under its id, as it was, for the person it is from', async () => {
    const { person, parts, received } = scene()
    await person(VERA).command(OPS, '/cdn one')
    await person(OLGA).command(OPS, '/cdn two')
    const outcome = await new Forger(VERA, parts).redeliver()
    expect(outcome).toMatchObject({ kind: 'acked' })
    expect(received[2]).toEqual(received[0])
    const [first, , again] = parts.deliveries.all
    expect(again?.id).toBe(first?.id)
    expect(parts.deliveries.all.map(({ number, outcome: end }) => [number, end])).toEqual([
      [1, 'acked'],
      [2, 'acked'],
      [3, 'acked'],
    ])
  })

  it('of a kind comes again, and there must have been one', async () => {
    const { person, parts, received } = scene()
    const forger = new Forger(VERA, parts)
    await expect(forger.redeliver()).rejects.toThrow('Nothing was delivered')
    await person(VERA).openHome()
    await person(VERA).command(OPS, '/cdn')
    await forger.redeliver('events_api')
    expect(received[2]).toEqual(received[0])
    await expect(forger.redeliver('interactive')).rejects.toThrow('Nothing was delivered')
  })

  it('whose acknowledgement is lost is tried again by the person, in the same form', async () => {
    const on = await openForm([field('name')])
    on.parts.deliveries.loseNextAck()
    expect(await on.person(VERA).submit({ name: 'x' })).toMatchObject({
      ok: false,
      shown: expect.stringContaining('Try again?'),
    })
    expect(await on.person(VERA).submit()).toEqual({ ok: true })
    const [first, second] = on.received.slice(-2) as { view: { id: string }; trigger_id: string }[]
    expect(second?.view).toEqual(first?.view)
    expect(second?.trigger_id).not.toBe(first?.trigger_id)
  })
})

describe('A forged click', () => {
  it('names whatever message, button and value one likes', async () => {
    const { call, parts, received } = scene()
    const row: Piece = { ...actions(button({ value: 'own' })), block_id: 'row' }
    const { ts } = call('chat.postMessage', { channel: OPS, text: 't', blocks: [row] })
    const forger = new Forger(VERA, parts)
    await forger.click({ channel: OPS, ts: String(ts), actionId: 'go', blockId: 'row', value: 'other' })
    expect(received[0]).toMatchObject({
      type: 'block_actions',
      user: { id: VERA },
      container: { message_ts: ts, channel_id: OPS },
      message: { text: 't' },
      actions: [{ type: 'button', action_id: 'go', block_id: 'row', value: 'other' }],
    })
    await forger.click({ channel: 'C0NOWHERE1', ts: '1.000001', actionId: 'made_up' })
    expect(received[1]).toMatchObject({
      container: { message_ts: '1.000001', channel_id: 'C0NOWHERE1' },
      channel: { id: 'C0NOWHERE1' },
      actions: [{ action_id: 'made_up' }],
    })
  })
})

describe('A forged submission', () => {
  it('is of the open form, with what one likes in the place of what was shown', async () => {
    const on = await openForm([field('name')])
    const forger = new Forger(VERA, on.parts)
    const values = { other: { pick: { type: 'static_select', selected_option: { text: plain('z'), value: 'z' } } } }
    await forger.submit({ callbackId: 'else', privateMetadata: '{}', hash: 'old', values })
    expect(on.received.at(-1)).toMatchObject({
      type: 'view_submission',
      view: {
        id: on.person(VERA).view()?.id,
        callback_id: 'else',
        private_metadata: '{}',
        hash: 'old',
        state: { values: { name: {}, ...values } },
      },
    })
    expect(on.person(VERA).view()?.callbackId).not.toBe('else')
    await expect(new Forger(OLGA, on.parts).submit()).rejects.toThrow('No modal is open')
  })
})

describe('A response_url in wrong hands', () => {
  it('lets its holder speak as the app, five times', async () => {
    const { person, parts } = scene()
    const forger = new Forger(VERA, parts)
    expect(() => forger.speakAsApp({ text: 'x' })).toThrow('No response_url')
    await person(VERA).command(OPS, '/cdn')
    const body = { text: 'Approved', response_type: 'in_channel' }
    const errors = [1, 2, 3, 4, 5, 6].map(() => forger.speakAsApp(body))
    expect(errors).toEqual([undefined, undefined, undefined, undefined, undefined, 'used_url'])
    expect(person(OLGA).messages(OPS)).toContainEqual(expect.objectContaining({ text: 'Approved', byBot: true }))
  })
})
