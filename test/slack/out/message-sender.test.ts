import { describe, expect, it, test } from 'vitest'
import type { Block } from '../../../src/block-kit/blocks.ts'
import { formWith, message } from '../../../src/block-kit/message.ts'
import { md } from '../../../src/block-kit/mrkdwn.ts'
import { context, section } from '../../../src/block-kit/sections.ts'
import { fitTable } from '../../../src/block-kit/table.ts'
import { home, modal, type ModalView } from '../../../src/block-kit/view.ts'
import { MessageSender } from '../../../src/slack/out/message-sender.ts'
import { SlackError, type WebApi } from '../../../src/slack/out/web-api.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { messageSender, type Sent, URL_SECRET } from './scripted-sender.ts'

const TABLE = fitTable({ caption: 'Days', columns: [{ title: 'Day', kind: 'text' }], rows: [['Monday']] }).block
const SAID = message({ text: 'Said.', blocks: [section('with blocks'), TABLE] })
const PLAIN = formWith(SAID, [])
/** Nothing in it is drawn, so it has no plain form. */
const WORDS = message({ text: 'Said.', blocks: [section('with blocks')] })
/** As somebody might have put it into the store. */
const FORGED: Block = { type: 'section', text: { type: 'mrkdwn', text: '<!channel> hush', verbatim: true } }

/** Stands under every message of a demonstration. */
const FOOTER = md`Made up.`
const refused = (code: string): SlackError => new SlackError('chat.postMessage', code)
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false }
const everyday = { public: false, replace: false }

describe('every message', () => {
  it('is quiet, by whatever way it goes', async () => {
    const { out, sent } = messageSender()
    await out.post('C1', SAID)
    await out.postEphemeral('C1', 'U1', SAID)
    await out.respond(URL_SECRET, SAID, { public: true, replace: true })
    expect(sent.map(({ to }) => to)).toEqual(['deliver chat.postMessage', 'deliver chat.postEphemeral', URL_SECRET])
    for (const { body } of sent) expect(body).toMatchObject({ ...QUIET, text: 'Said.' })
    expect(sent[2]!.body).toMatchObject({ response_type: 'in_channel', replace_original: true })
  })

  test.each(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'invalid_attachments'])(
    'is sent in its plain form where Slack answers %s, and at last as text alone',
    async (code) => {
      const once = messageSender((index) => (index === 0 ? refused(code) : {}))
      expect(await once.out.post('C1', SAID)).toEqual({ channel: 'C1', ts: '1.2' })
      expect(once.sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, PLAIN])
      const twice = messageSender((index) => (index < 2 ? refused(code) : {}))
      await twice.out.post('C1', SAID)
      expect(twice.sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, PLAIN, undefined])
      const always = messageSender(() => refused(code))
      await expect(always.out.post('C1', SAID)).rejects.toMatchObject({ code })
      expect(always.sent).toHaveLength(3)
    },
  )

  it('has its text sent alone where it has no plain form', async () => {
    const { out, sent } = messageSender((index) => (index === 0 ? refused('invalid_blocks') : {}))
    await out.post('C1', WORDS)
    expect(sent.map(({ body }) => body['blocks'])).toEqual([WORDS.blocks, undefined])
  })

  it('is sent as it is again where Slack refused its plain form too', async () => {
    const { out, sent } = messageSender((index) => (index < 2 ? refused('invalid_blocks') : {}))
    await out.post('C1', SAID)
    await out.post('C1', SAID)
    expect(sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, PLAIN, undefined, SAID.blocks])
  })

  test.each(['not_in_channel', 'no_answer', 'ratelimited', 'no_text'])('is not sent again after %s', async (code) => {
    const { out, sent } = messageSender(() => refused(code))
    await expect(out.post('C1', SAID)).rejects.toMatchObject({ code })
    expect(sent).toHaveLength(1)
  })

  it('is edited in whole: its text alone leaves no blocks of before', async () => {
    const { out, sent } = messageSender((index) => (index === 1 || index === 2 ? refused('invalid_blocks') : {}))
    await out.update('C1', '1.2', SAID)
    await out.update('C1', '1.2', SAID)
    expect(sent.map(({ to }) => to)).toEqual(Array.from({ length: 4 }, () => 'deliver chat.update'))
    expect(sent[0]!.body).toMatchObject({ channel: 'C1', ts: '1.2', text: 'Said.', parse: 'none', link_names: false })
    expect(sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, SAID.blocks, PLAIN, []])
  })

  it('that holds foreign markup is sent as text alone, and that is logged without its words', async () => {
    const { out, sent, lines } = messageSender()
    await out.post('C1', { text: 'Said.', blocks: [FORGED] })
    expect(sent[0]!.body).toMatchObject({ text: 'Said.' })
    expect(sent[0]!.body).not.toHaveProperty('blocks')
    expect(lines[0]).toMatchObject({ level: 'error', fields: { pointer: '/blocks/0/text/text' } })
    expect(JSON.stringify(lines)).not.toContain('hush')
  })

  it('whose plain words hold a control sequence is sent as words alone, escaped', async () => {
    const { out, sent, lines } = messageSender()
    await out.post('C1', { text: '<!channel> hush', blocks: SAID.blocks })
    expect(sent[0]!.body).toMatchObject({ text: '&lt;!channel&gt; hush' })
    expect(sent[0]!.body).not.toHaveProperty('blocks')
    expect(lines[0]).toMatchObject({ level: 'error', fields: { pointer: '/text' } })
  })
})

describe('a message in a thread', () => {
  it('names the thread, and the channel sees it where that is wanted', async () => {
    const { out, sent } = messageSender()
    await out.reply('C1', '1.1', SAID)
    await out.reply('C1', '1.1', SAID, true)
    await out.postEphemeral('C1', 'U1', SAID, '1.1')
    expect(sent.map(({ body }) => body)).toEqual([
      expect.objectContaining({ channel: 'C1', thread_ts: '1.1', ...QUIET }),
      expect.objectContaining({ thread_ts: '1.1', reply_broadcast: true }),
      expect.objectContaining({ user: 'U1', thread_ts: '1.1' }),
    ])
    expect(sent[0]?.body).not.toHaveProperty('reply_broadcast')
  })
})

describe('a response address', () => {
  it('is used five times at most, the simpler forms counted', async () => {
    const { out, sent } = messageSender((index) =>
      index === 0 ? new Response('{"ok":false,"error":"invalid_blocks"}', { status: 404 }) : {},
    )
    for (let answers = 0; answers < 4; answers += 1) await out.respond(URL_SECRET, SAID, everyday)
    expect(sent).toHaveLength(5)
    await expect(out.respond(URL_SECRET, SAID, everyday)).rejects.toMatchObject({ code: 'used_up' })
    expect(sent).toHaveLength(5)
    await out.respond(`${URL_SECRET}2`, SAID, everyday)
  })

  test.each([
    ['a code of Slack', new Response('{"ok":false,"error":"used_url"}', { status: 404 }), 'used_url'],
    ['a bare word', new Response('expired_url\n', { status: 404 }), 'expired_url'],
    ['a page', new Response(`<html>${URL_SECRET}</html>`, { status: 500 }), 'http_error'],
    ['a broken connection', new TypeError(`fetch failed for ${URL_SECRET}`), 'no_answer'],
  ])('that fails with %s says so, and nothing of the address', async (_, answer, code) => {
    const { out, lines } = messageSender(() => answer)
    const failure = await out.respond(URL_SECRET, SAID, everyday).catch((error: unknown) => error)
    expect(failure).toEqual(new SlackError('response_url', code))
    expect(failure).not.toHaveProperty('cause')
    expect(JSON.stringify([String(failure), lines])).not.toContain('hush')
  })

  test.each([
    ['{"ok":false,"error":"expired_url"}', 'expired_url'],
    ['<html>{"ok":true}</html>', 'not_taken'],
    ['', 'not_taken'],
    ['{"ok":"true"}', 'not_taken'],
    ['[{"ok":true}]', 'not_taken'],
  ])('that answers %s with status 200 has not taken the message', async (text, code) => {
    const { out } = messageSender(() => new Response(text))
    await expect(out.respond(URL_SECRET, SAID, everyday)).rejects.toEqual(new SlackError('response_url', code))
  })

  test.each(['ok', 'ok\n', '{"ok":true}', '{ "ok" : true, "more": 1 }'])('that answers %s has', async (text) => {
    const { out, sent } = messageSender(() => new Response(text))
    await out.respond(URL_SECRET, SAID, everyday)
    expect(sent).toHaveLength(1)
  })

  it('that does not answer is given up after eight seconds', async () => {
    const { out, clock, sent, refusals } = messageSender()
    const hanging = new MessageSender({
      api: {} as WebApi, // Nothing is called by this way.
      post: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error(URL_SECRET)))
        }),
      refusals,
      clock,
      log: recordingLog().log,
    })
    const answered = hanging.respond(URL_SECRET, SAID, everyday)
    clock.turn(7_999)
    expect(clock.timers).toBe(1)
    clock.turn(1)
    await expect(answered).rejects.toMatchObject({ code: 'no_answer' })
    await out.respond(URL_SECRET, SAID, everyday)
    expect({ timers: clock.timers, sent: sent.length }).toEqual({ timers: 0, sent: 1 })
  })
})

describe('a view', () => {
  const view = modal({ callbackId: 'notice', title: 'Title', close: 'Close', blocks: [section('Text')] })
  const forged: ModalView = { ...view, blocks: [FORGED] }

  it('is opened on a trigger and replaced where it was found, only while nobody else has', async () => {
    const { out, sent } = messageSender()
    expect(await out.openView('trigger', view)).toBe('V1')
    await out.updateView({ viewId: 'V1', hash: 'h' }, view)
    await out.updateView({ viewId: 'V1', hash: undefined }, view)
    await out.updateView({ externalId: 'change-1' }, view)
    expect(sent.map(({ to, body }) => [to, { ...body, view: undefined }])).toEqual([
      ['interactive views.open', { trigger_id: 'trigger' }],
      ['interactive views.update', { view_id: 'V1', hash: 'h' }],
      ['interactive views.update', { view_id: 'V1' }],
      ['interactive views.update', { external_id: 'change-1' }],
    ])
  })

  it('that holds foreign markup is refused before anything is sent, without its words', async () => {
    const { out, sent } = messageSender()
    const failures = await Promise.allSettled([
      out.openView('trigger', forged),
      out.updateView({ viewId: 'V1' }, forged),
    ])
    for (const failure of failures) {
      expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) })
      expect(String((failure as PromiseRejectedResult).reason)).not.toContain('hush')
    }
    expect(sent).toEqual([])
  })
})

describe('the footer of a demonstration', () => {
  const blocksOf = ({ body }: Sent): readonly Block[] => body['blocks'] as readonly Block[] // what was sent
  const textOf = ({ body }: Sent): string => String(body['text'])

  it('is under whatever is sent, in whatever form', async () => {
    const { out, sent } = messageSender((index) => (index < 2 ? refused('invalid_blocks') : {}), FOOTER)
    await out.post('C1', SAID)
    await out.update('C1', '1.2', WORDS)
    await out.postEphemeral('C1', 'U1', SAID)
    await out.respond(URL_SECRET, SAID, everyday)
    expect(sent).toHaveLength(6)
    for (const each of sent) expect(textOf(each)).toBe('Said.\nMade up.')
    for (const each of sent.filter(({ body }) => body['blocks'] !== undefined))
      expect(blocksOf(each).at(-1)).toEqual(context(FOOTER))
    // The text alone stays alone: beside a block Slack would not show it.
    expect(sent.filter(({ body }) => body['blocks'] === undefined)).toHaveLength(1)
  })

  it('takes the place of what there is no room for', async () => {
    const { out, sent } = messageSender(undefined, FOOTER)
    const many = message({ text: 'x'.repeat(4_000), blocks: Array.from({ length: 50 }, () => section('part')) })
    await out.post('C1', many)
    expect(blocksOf(sent[0]!)).toHaveLength(50)
    expect(blocksOf(sent[0]!).at(-1)).toEqual(context(FOOTER))
    expect(textOf(sent[0]!)).toBe(many.text)
  })

  it('is the first line of Home, and no part of a form', async () => {
    const { out, sent } = messageSender(undefined, FOOTER)
    const full = home({ blocks: Array.from({ length: 100 }, () => section('part')) })
    await out.publishHome('U1', full)
    expect(sent[0]?.body).toMatchObject({ view: { blocks: { length: 100, 0: context(FOOTER) } } })
    await out.openView('trigger', modal({ title: 'Form', callbackId: 'form', blocks: [section('part')] }))
    expect(JSON.stringify(sent[1])).not.toContain('Made up')
  })
})

describe('a file', () => {
  const file = { name: 'lines.csv', title: 'Lines', content: 'é\n' }

  it('is announced by its length in bytes, sent, and put into the channel', async () => {
    const { out, sent } = messageSender()
    await out.uploadFile('D1', file)
    expect(sent).toEqual([
      { to: 'deliver files.getUploadURLExternal', body: { filename: 'lines.csv', length: 3 } },
      { to: URL_SECRET, body: { text: 'é\n' } },
      { to: 'deliver files.completeUploadExternal', body: { files: [{ id: 'F1', title: 'Lines' }], channel_id: 'D1' } },
    ])
  })

  it.each([
    ['https://acme.slack.com/files/U1/F1/lines.csv', 'https://acme.slack.com/files/U1/F1/lines.csv'],
    ['https://elsewhere.example/F1', undefined],
    [undefined, undefined],
  ])('is linked where Slack says that it is: %s', async (permalink, place) => {
    const { out } = messageSender(() => ({ files: [{ id: 'F1', ...(permalink !== undefined && { permalink }) }] }))
    expect((await out.uploadFile('D1', file))?.href).toBe(place)
  })

  it('that does not arrive is not put anywhere, and the error has nothing of its address', async () => {
    const { out, sent } = messageSender((index) => (index === 1 ? new TypeError(URL_SECRET) : {}))
    const failure = await out.uploadFile('D1', file).catch((error: unknown) => error)
    expect(failure).toEqual(new SlackError('file upload', 'no_answer'))
    expect(sent).toHaveLength(2)
  })
})
