import { describe, expect, it } from 'vitest'
import { OLGA, OPS, VERA } from '../../../../src/playground/slack/state/seed.ts'
import { actions, button, section } from '../sample-blocks.ts'
import { scene, type Received, type Scene } from '../scripted-app.ts'

const pathOf = (payload: Received | undefined) => new URL(String(payload?.['response_url'])).pathname

/** Posts a message with a button, lets Vera press it and returns the path that came along. */
async function pressed({ call, person, received }: Scene, ephemeral = false): Promise<string> {
  const message = { channel: OPS, text: 'before', blocks: [{ ...actions(button()), block_id: 'row' }] }
  call(ephemeral ? 'chat.postEphemeral' : 'chat.postMessage', ephemeral ? { ...message, user: VERA } : message)
  const shown = person(VERA).messages(OPS).at(-1)!
  await person(VERA).click({ message: shown }, 'row', 'go')
  return pathOf(received.at(-1))
}

describe('A response_url', () => {
  it('takes five posts', async () => {
    const { person, received, parts } = scene()
    await person(VERA).command(OPS, '/cdn')
    const path = pathOf(received[0])
    for (let use = 1; use <= 5; use += 1) parts.responseUrls.use(path, { text: `${use}` })
    expect(() => parts.responseUrls.use(path, { text: '6' })).toThrow('used_url')
    expect(person(VERA).messages(OPS)).toHaveLength(5)
    expect(person(OLGA).messages(OPS)).toEqual([])
  })

  it('is good for thirty minutes', async () => {
    const { person, received, parts, clock } = scene()
    await person(VERA).command(OPS, '/cdn')
    clock.turn(30 * 60_000)
    parts.responseUrls.use(pathOf(received[0]), { text: 'in time' })
    clock.turn(1)
    expect(() => parts.responseUrls.use(pathOf(received[0]), { text: 'late' })).toThrow('expired_url')
    expect(() => parts.responseUrls.use('/commands/T/unknown', { text: 'x' })).toThrow('invalid_url')
  })

  it('refuses blocks and empty posts as Slack does, and counts them', async () => {
    const { person, received, parts } = scene()
    await person(VERA).command(OPS, '/cdn')
    const path = pathOf(received[0])
    for (let tries = 0; tries < 2; tries += 1) {
      expect(() => parts.responseUrls.use(path, { blocks: [section('')] })).toThrow('invalid_blocks')
    }
    expect(() => parts.responseUrls.use(path, {})).toThrow('no_text')
    expect(() => parts.responseUrls.use(path, 'text')).toThrow('invalid_payload')
    parts.responseUrls.use(path, { text: 'fine' })
    expect(person(VERA).messages(OPS)).toHaveLength(1)
    expect(() => parts.responseUrls.use(path, { text: 'x' })).toThrow('used_url')
  })

  it.each([false, true])('of a button replaces its message (ephemeral: %s)', async (ephemeral) => {
    const on = scene()
    const path = await pressed(on, ephemeral)
    on.parts.responseUrls.use(path, { text: 'after', replace_original: true })
    expect(on.person(VERA).messages(OPS)).toMatchObject([{ text: 'after', blocks: [], ephemeral }])
  })

  it('of a button posts beside the message when it is not told to replace it', async () => {
    const on = scene()
    const path = await pressed(on)
    on.parts.responseUrls.use(path, { text: 'for you', replace_original: false })
    on.parts.responseUrls.use(path, { text: 'for all', response_type: 'in_channel' })
    expect(on.person(OLGA).messages(OPS)).toMatchObject([{ text: 'before' }, { text: 'for all', byBot: true }])
    expect(on.person(VERA).messages(OPS)).toHaveLength(3)
  })
})
