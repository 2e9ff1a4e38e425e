import { describe, expect, it, test } from 'vitest'
import type { Block, ModalView } from '../../src/block-kit/blocks.ts'
import { message, plainFormOf } from '../../src/block-kit/message.ts'
import { section } from '../../src/block-kit/sections.ts'
import { fitTable } from '../../src/block-kit/table.ts'
import { modal } from '../../src/block-kit/view.ts'
import { Outbound } from '../../src/slack/outbound.ts'
import { postBy } from '../support/post-by.ts'
import { type Fetch, SlackError, type WebApi } from '../../src/slack/web-api.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { recordingLog } from '../support/recording-log.ts'

const URL_SECRET = 'https://hooks.slack.test/commands/T1/hush'
const TABLE = fitTable({ caption: 'Days', columns: [{ title: 'Day', kind: 'text' }], rows: [['Monday']] }).block
const SAID = message({ text: 'Said.', blocks: [section('with blocks'), TABLE] })
const PLAIN = plainFormOf(SAID)
/** Nothing in it is drawn, so it has no plain form. */
const WORDS = message({ text: 'Said.', blocks: [section('with blocks')] })
const HOUR_MS = 3_600_000
/** As somebody might have put it into the store. */
const FORGED: Block = { type: 'section', text: { type: 'mrkdwn', text: '<!channel> hush', verbatim: true } }

interface Sent {
  readonly to: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The way out to a scripted Slack. `answers` gives the answer to each thing sent, by its number. */
function outbound(answers: (index: number, sent: Sent) => unknown = () => ({})) {
  const clock = new TurnedClock()
  const { log, lines } = recordingLog()
  const sent: Sent[] = []
  const api: Pick<WebApi, 'call'> = {
    call: async (lane, method, body) => {
      sent.push({ to: `${lane} ${method}`, body })
      const answer = await answers(sent.length - 1, sent.at(-1)!)
      if (answer instanceof Error) throw answer
      return { channel: 'C1', ts: '1.2', view: { id: 'V1', hash: 'h' }, upload_url: URL_SECRET, file_id: 'F1' }
    },
  }
  const fetch: Fetch = async (url, init) => {
    const text = typeof init?.body === 'string' ? init.body : ''
    const body = text.startsWith('{') ? (JSON.parse(text) as Sent['body']) : { text } // what this test sent itself
    sent.push({ to: String(url), body })
    const answer = await answers(sent.length - 1, sent.at(-1)!)
    if (answer instanceof Error) throw answer
    return answer instanceof Response ? answer : new Response('ok')
  }
  return { clock, lines, sent, out: new Outbound({ api: api as WebApi, post: postBy(fetch), clock, log }) }
}

const refused = (code: string): SlackError => new SlackError('chat.postMessage', code)
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false }
const everyday = { public: false, replace: false }

describe('every message', () => {
  it('is quiet, by whatever way it goes', async () => {
    const { out, sent } = outbound()
    await out.post('C1', SAID)
    await out.postEphemeral('C1', 'U1', SAID)
    await out.respond(URL_SECRET, SAID, { public: true, replace: true })
    expect(sent.map(({ to }) => to)).toEqual(['deliver chat.postMessage', 'deliver chat.postEphemeral', URL_SECRET])
    for (const { body } of sent) expect(body).toMatchObject({ ...QUIET, text: 'Said.' })
    expect(sent[2]!.body).toMatchObject({ response_type: 'in_channel', replace_original: true })
  })

  it('is for one person alone unless it is said to be public', async () => {
    const { out, sent } = outbound()
    await out.respond(URL_SECRET, SAID, everyday)
    expect(sent[0]!.body).toMatchObject({ response_type: 'ephemeral', replace_original: false })
  })

  test.each(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'invalid_attachments'])(
    'is sent in its plain form where Slack answers %s, and at last as text alone',
    async (code) => {
      const once = outbound((index) => (index === 0 ? refused(code) : {}))
      expect(await once.out.post('C1', SAID)).toEqual({ channel: 'C1', ts: '1.2' })
      expect(once.sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, PLAIN])
      const twice = outbound((index) => (index < 2 ? refused(code) : {}))
      await twice.out.post('C1', SAID)
      expect(twice.sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, PLAIN, undefined])
      const always = outbound(() => refused(code))
      await expect(always.out.post('C1', SAID)).rejects.toMatchObject({ code })
      expect(always.sent).toHaveLength(3)
    },
  )

  it('has its text sent alone where it has no plain form', async () => {
    const { out, sent } = outbound((index) => (index === 0 ? refused('invalid_blocks') : {}))
    await out.post('C1', WORDS)
    expect(sent.map(({ body }) => body['blocks'])).toEqual([WORDS.blocks, undefined])
  })

  it('comes in its plain form at once for an hour after Slack took only that', async () => {
    const { out, sent, clock } = outbound((index) => (index === 0 ? refused('invalid_blocks') : {}))
    await out.post('C1', SAID)
    clock.turn(HOUR_MS - 1)
    await out.post('C1', SAID)
    await out.post('C1', WORDS)
    clock.turn(1)
    await out.post('C1', SAID)
    expect(sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, PLAIN, PLAIN, WORDS.blocks, SAID.blocks])
  })

  it('is sent as it is again where Slack refused its plain form too', async () => {
    const { out, sent } = outbound((index) => (index < 2 ? refused('invalid_blocks') : {}))
    await out.post('C1', SAID)
    await out.post('C1', SAID)
    expect(sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, PLAIN, undefined, SAID.blocks])
  })

  test.each(['not_in_channel', 'no_answer', 'ratelimited', 'no_text'])('is not sent again after %s', async (code) => {
    const { out, sent } = outbound(() => refused(code))
    await expect(out.post('C1', SAID)).rejects.toMatchObject({ code })
    expect(sent).toHaveLength(1)
  })

  it('is edited in whole: its text alone leaves no blocks of before', async () => {
    const { out, sent } = outbound((index) => (index === 1 || index === 2 ? refused('invalid_blocks') : {}))
    await out.update('C1', '1.2', SAID)
    await out.update('C1', '1.2', SAID)
    expect(sent.map(({ to }) => to)).toEqual(Array.from({ length: 4 }, () => 'deliver chat.update'))
    expect(sent[0]!.body).toMatchObject({ channel: 'C1', ts: '1.2', text: 'Said.', parse: 'none', link_names: false })
    expect(sent.map(({ body }) => body['blocks'])).toEqual([SAID.blocks, SAID.blocks, PLAIN, []])
  })

  it('that holds foreign markup is sent as text alone, and that is logged without its words', async () => {
    const { out, sent, lines } = outbound()
    await out.post('C1', { text: 'Said.', blocks: [FORGED] })
    expect(sent[0]!.body).toMatchObject({ text: 'Said.' })
    expect(sent[0]!.body).not.toHaveProperty('blocks')
    expect(lines[0]).toMatchObject({ level: 'error', fields: { pointer: '/blocks/0/text/text' } })
    expect(JSON.stringify(lines)).not.toContain('hush')
  })

  it('whose plain words hold a control sequence is sent as words alone, escaped', async () => {
    const { out, sent, lines } = outbound()
    await out.post('C1', { text: '<!channel> hush', blocks: SAID.blocks })
    expect(sent[0]!.body).toMatchObject({ text: '&lt;!channel&gt; hush' })
    expect(sent[0]!.body).not.toHaveProperty('blocks')
    expect(lines[0]).toMatchObject({ level: 'error', fields: { pointer: '/text' } })
  })
})

describe('a message in a thread', () => {
  it('names the thread, and the channel sees it where that is wanted', async () => {
    const { out, sent } = outbound()
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
    const { out, sent } = outbound((index) =>
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
    const { out, lines } = outbound(() => answer)
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
    const { out } = outbound(() => new Response(text))
    await expect(out.respond(URL_SECRET, SAID, everyday)).rejects.toEqual(new SlackError('response_url', code))
  })

  test.each(['ok', 'ok\n', '{"ok":true}', '{ "ok" : true, "more": 1 }'])('that answers %s has', async (text) => {
    const { out, sent } = outbound(() => new Response(text))
    await out.respond(URL_SECRET, SAID, everyday)
    expect(sent).toHaveLength(1)
  })

  it('that does not answer is given up after eight seconds', async () => {
    const { out, clock, sent } = outbound()
    const hanging = new Outbound({
      api: {} as WebApi, // Nothing is called by this way.
      post: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error(URL_SECRET)))
        }),
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
    const { out, sent } = outbound()
    expect(await out.openView('trigger', view)).toEqual({ id: 'V1', hash: 'h' })
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
    const { out, sent } = outbound()
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

describe('a file', () => {
  const file = { name: 'lines.csv', title: 'Lines', content: 'é\n' }

  it('is announced by its length in bytes, sent, and put into the channel', async () => {
    const { out, sent } = outbound()
    await out.uploadFile('D1', file)
    expect(sent).toEqual([
      { to: 'deliver files.getUploadURLExternal', body: { filename: 'lines.csv', length: 3 } },
      { to: URL_SECRET, body: { text: 'é\n' } },
      { to: 'deliver files.completeUploadExternal', body: { files: [{ id: 'F1', title: 'Lines' }], channel_id: 'D1' } },
    ])
  })

  it('that does not arrive is not put anywhere, and the error has nothing of its address', async () => {
    const { out, sent } = outbound((index) => (index === 1 ? new TypeError(URL_SECRET) : {}))
    const failure = await out.uploadFile('D1', file).catch((error: unknown) => error)
    expect(failure).toEqual(new SlackError('file upload', 'no_answer'))
    expect(sent).toHaveLength(2)
  })
})
