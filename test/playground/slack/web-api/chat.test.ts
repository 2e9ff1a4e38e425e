import { describe, expect, it } from 'vitest'
import {
  ADA,
  ATTIC,
  BOT_USER_ID,
  CDN_PRIVATE,
  GENERAL,
  GUS,
  OLGA,
  OPS,
  RANDOM,
  SCOPES,
  SECRET,
  VERA,
} from '../../../../src/playground/slack/seed.ts'
import { actions, button, chars, chart, line, section } from '../sample-blocks.ts'
import { scene } from '../scripted-app.ts'

const error = (code: string) => expect.objectContaining({ ok: false, error: code })

describe('chat.postMessage', () => {
  it('posts where the bot is a member, and everybody there sees it', () => {
    const { call, person } = scene()
    expect(call('chat.postMessage', { channel: CDN_PRIVATE, text: 'hello' })).toMatchObject({
      ok: true,
      channel: CDN_PRIVATE,
    })
    expect(person(ADA).messages(CDN_PRIVATE)).toMatchObject([{ text: 'hello', byBot: true, ephemeral: false }])
  })

  it.each([
    ['a public channel without the bot', RANDOM, 'not_in_channel'],
    ['a private channel without the bot', SECRET, 'channel_not_found'],
    ['an archived channel', ATTIC, 'is_archived'],
    ['a channel that is not', 'C0NOWHERE1', 'channel_not_found'],
    ['nowhere', undefined, 'channel_not_found'],
  ])('refuses %s', (_where, channel, code) => {
    expect(scene().call('chat.postMessage', { channel, text: 'x' })).toEqual(error(code))
  })

  it('reaches any public channel with the scope for it, but no private one', () => {
    const { call } = scene(undefined, { scopes: [...SCOPES, 'chat:write.public'] })
    expect(call('chat.postMessage', { channel: RANDOM, text: 'x' })).toMatchObject({ ok: true })
    expect(call('chat.postMessage', { channel: SECRET, text: 'x' })).toEqual(error('channel_not_found'))
    expect(call('chat.postMessage', { channel: ATTIC, text: 'x' })).toEqual(error('is_archived'))
  })

  it('opens the direct conversation with a person given by id', () => {
    const { call, person } = scene()
    const { channel } = call('chat.postMessage', { channel: VERA, text: 'psst' })
    expect(channel).toBe(person(VERA).direct())
    expect(person(VERA).messages(String(channel))).toMatchObject([{ text: 'psst' }])
  })

  it('answers in a thread, and in the channel as well when asked to', () => {
    const { call, person } = scene()
    const root = call('chat.postMessage', { channel: OPS, text: 'root' })
    const quiet = call('chat.postMessage', { channel: OPS, text: 'quiet', thread_ts: root['ts'] })
    const loud = call('chat.postMessage', {
      channel: OPS,
      text: 'loud',
      thread_ts: root['ts'],
      reply_broadcast: 'true',
    })
    expect(quiet['message']).not.toHaveProperty('subtype')
    expect(loud['message']).toMatchObject({ subtype: 'thread_broadcast', thread_ts: root['ts'] })
    call('chat.postMessage', { channel: OPS, text: 'rootless', reply_broadcast: true })
    call('chat.update', { channel: OPS, ts: loud['ts'], text: 'louder' })
    expect(
      person(OLGA)
        .messages(OPS)
        .map(({ text, broadcast }) => [text, broadcast]),
    ).toEqual([
      ['root', false],
      ['quiet', false],
      ['louder', true],
      ['rootless', false],
    ])
  })

  it('needs something to show', () => {
    const { call } = scene()
    expect(call('chat.postMessage', { channel: OPS })).toEqual(error('no_text'))
    expect(call('chat.postMessage', { channel: OPS, text: '' })).toEqual(error('no_text'))
    expect(call('chat.postMessage', { channel: OPS, blocks: [section('s')] })).toMatchObject({ ok: true })
  })

  it('says what is wrong with blocks the way Slack does', () => {
    expect(scene().call('chat.postMessage', { channel: OPS, text: 't', blocks: [section('')] })).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: ['must be more than 0 characters [json-pointer:/blocks/0/text/text]'],
      response_metadata: { messages: ['[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]'] },
    })
    expect(scene().call('chat.postMessage', { channel: OPS, text: 't', blocks: '[{' })).toEqual(
      error('invalid_blocks_format'),
    )
    const wide = [section(chars(3_000)), section(chars(3_000)), section(chars(3_000)), section(chars(1_001))]
    expect(scene().call('chat.postMessage', { channel: OPS, text: 't', blocks: wide })).toEqual(
      error('msg_blocks_too_long'),
    )
  })

  it('refuses charts once they are switched off', () => {
    const { call, parts } = scene()
    const charted = { channel: OPS, text: 't', blocks: [chart(line(1, 2))] }
    expect(call('chat.postMessage', charted)).toMatchObject({ ok: true })
    parts.switches.refuseCharts = true
    expect(call('chat.postMessage', charted)).toEqual(error('invalid_blocks'))
  })

  it('gives every block and element an id that it has not', () => {
    const { call } = scene()
    const { message } = call('chat.postMessage', {
      channel: OPS,
      blocks: [{ ...section('s'), block_id: 'mine' }, section('t')],
    })
    expect(message).toMatchObject({ blocks: [{ block_id: 'mine' }, { block_id: expect.stringMatching(/^\w{5}$/) }] })
  })

  it('gives no timestamp twice while the clock stands still', () => {
    const { call } = scene()
    const stamps = [1, 2, 3].map(() => call('chat.postMessage', { channel: OPS, text: 'x' })['ts'])
    expect(new Set(stamps).size).toBe(3)
    expect(stamps[0]).toMatch(/^\d{10}\.\d{6}$/)
  })

  it('takes no markdown', () => {
    const { call } = scene()
    for (const beside of [{}, { text: 'b' }]) {
      expect(call('chat.postMessage', { channel: OPS, markdown_text: '# a', ...beside })).toMatchObject({
        error: 'invalid_arguments',
      })
    }
  })
})

describe('chat.postEphemeral', () => {
  it('shows a message to one person until the client is loaded again', () => {
    const { call, person } = scene()
    call('chat.postEphemeral', { channel: OPS, user: VERA, text: 'only you' })
    expect(person(VERA).messages(OPS)).toMatchObject([{ text: 'only you', ephemeral: true }])
    expect(person(OLGA).messages(OPS)).toEqual([])
    person(VERA).reload()
    expect(person(VERA).messages(OPS)).toEqual([])
  })

  it('refuses people who are not in the channel and texts above 4,000 bytes', () => {
    const { call } = scene()
    expect(call('chat.postEphemeral', { channel: GENERAL, user: GUS, text: 'x' })).toEqual(error('user_not_in_channel'))
    expect(call('chat.postEphemeral', { channel: OPS, user: VERA, text: 'ä'.repeat(2_001) })).toEqual(
      error('msg_too_long'),
    )
    expect(call('chat.postEphemeral', { channel: OPS, user: VERA, text: 'ä'.repeat(2_000) })).toMatchObject({
      ok: true,
    })
  })
})

describe('chat.update and chat.delete', () => {
  it('change a message of the bot; text alone takes its blocks away', () => {
    const { call, person } = scene()
    const { ts } = call('chat.postMessage', { channel: OPS, text: 'old', blocks: [section('old')] })
    expect(call('chat.update', { channel: OPS, ts, text: 'new' })).toMatchObject({ ok: true, text: 'new' })
    expect(person(VERA).messages(OPS)).toMatchObject([{ text: 'new', blocks: [], edited: true }])
    expect(call('chat.delete', { channel: OPS, ts })).toMatchObject({ ok: true })
    expect(person(VERA).messages(OPS)).toEqual([])
  })

  it('keep the place of an edited message, and what stands in it now can be used', async () => {
    const { call, clock, person, received } = scene()
    const row = (value: string) => ({ ...actions(button({ value })), block_id: 'row' })
    const { ts } = call('chat.postMessage', { channel: OPS, text: 'waiting', blocks: [row('a')] })
    call('chat.postMessage', { channel: OPS, text: 'later' })
    clock.turn(60_000)
    const edited = call('chat.update', { channel: OPS, ts, text: 'still waiting', blocks: [row('b')] })
    expect(edited).toMatchObject({ ts, message: { ts, edited: { user: BOT_USER_ID } } })
    expect(edited).not.toMatchObject({ message: { edited: { ts } } })
    expect(person(VERA).messages(OPS)).toMatchObject([
      { ts, text: 'still waiting' },
      { text: 'later', edited: false },
    ])
    await person(VERA).click({ message: person(VERA).messages(OPS)[0]! }, 'row', 'go')
    expect(received[0]).toMatchObject({
      container: { message_ts: ts },
      message: { ts, text: 'still waiting', edited: { user: BOT_USER_ID } },
      actions: [{ value: 'b' }],
    })
  })

  it('refuse what the bot did not write, what only one person sees and what is gone', async () => {
    const { call, person, parts } = scene(() => ({ response_type: 'in_channel', text: 'answer' }))
    await person(VERA).command(OPS, '/cdn status')
    const [typed] = parts.messages.all
    expect(call('chat.update', { channel: OPS, ts: typed!.ts, text: 'x' })).toEqual(error('cant_update_message'))
    expect(call('chat.delete', { channel: OPS, ts: typed!.ts })).toEqual(error('cant_delete_message'))
    const { message_ts: ts } = call('chat.postEphemeral', { channel: OPS, user: VERA, text: 'x' })
    expect(call('chat.update', { channel: OPS, ts, text: 'y' })).toEqual(error('message_not_found'))
    expect(call('chat.update', { channel: OPS, ts: '1.000001', text: 'y' })).toEqual(error('message_not_found'))
  })

  it('refuse a user id in place of a channel and texts above 4,000 characters', () => {
    const { call } = scene()
    const { ts, channel } = call('chat.postMessage', { channel: VERA, text: 'x' })
    expect(call('chat.update', { channel: VERA, ts, text: 'y' })).toEqual(error('channel_not_found'))
    expect(call('chat.update', { channel, ts, text: chars(4_001) })).toEqual(error('msg_too_long'))
    expect(call('chat.update', { channel, ts, text: chars(4_000) })).toMatchObject({ ok: true })
  })
})
