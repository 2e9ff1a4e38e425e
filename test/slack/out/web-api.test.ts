import { inspect } from 'node:util'
import { LogLevel } from '@slack/bolt'
import { describe, expect, it, test } from 'vitest'
import { Secret } from '../../../src/shared/secret.ts'
import { boltLog, type Fetch, SlackError, WebApi } from '../../../src/slack/out/web-api.ts'
import { recordingLog } from '../../support/recording-log.ts'

const TOKEN = 'xoxb-hush-hush-hush'

/** The Web API over a scripted network. */
function webApi(answer: (index: number) => Response | Error) {
  const tokens: unknown[] = []
  const { log, lines } = recordingLog()
  const sent: { readonly url: string; readonly body: string }[] = []
  const fetch: Fetch = async (url, init) => {
    sent.push({ url: String(url), body: typeof init?.body === 'string' ? init.body : '' })
    const given = answer(sent.length - 1)
    if (given instanceof Error) throw given
    return given
  }
  const api = new WebApi({
    apiUrl: new URL('https://slack.test/api/'),
    token: new Secret(TOKEN),
    fetch,
    log,
    onToken: (refused) => tokens.push(refused),
  })
  return { api, sent, lines, tokens }
}
const json = (body: unknown, init?: ResponseInit): Response => Response.json(body, init)

describe('a call to Slack', () => {
  it('goes to the configured address and gives back what Slack says', async () => {
    const { api, sent } = webApi(() => json({ ok: true, ts: '1.2' }))
    expect(await api.call('deliver', 'chat.postMessage', { channel: 'C1' })).toMatchObject({ ok: true, ts: '1.2' })
    expect(sent).toMatchObject([{ url: 'https://slack.test/api/chat.postMessage', body: 'channel=C1' }])
  })

  test.each([
    ['a refusal', () => json({ ok: false, error: 'not_in_channel' }), 'not_in_channel'],
    ['a failing server', () => new Response(`<h1>${TOKEN}</h1>`, { status: 503 }), 'http_error'],
    ['too much', () => new Response('', { status: 429, headers: { 'retry-after': '7' } }), 'ratelimited'],
    ['a broken connection', () => new TypeError(`failed with ${TOKEN}`), 'no_answer'],
    ['a page', () => new Response(`<html>${TOKEN}`), 'http_error'],
  ])('that ends with %s has an effect once at most, and an error without what was sent', async (_, answer, code) => {
    for (const client of ['deliver', 'interactive'] as const) {
      const { api, sent, lines } = webApi(answer)
      const failure = await api.call(client, 'chat.postMessage', { text: 'hush' }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(SlackError)
      expect(failure).toMatchObject({ message: `chat.postMessage: ${code}`, code })
      expect(failure).not.toHaveProperty('cause')
      expect(inspect(failure)).not.toContain('hush')
      expect(sent).toHaveLength(1)
      expect(JSON.stringify(lines.filter(({ level }) => level === 'debug' || level === 'info'))).toBe('[]')
    }
  })

  it('shows whether Slack takes the token, and which blocks it refuses', async () => {
    const problem = '[ERROR] invalid [json-pointer:/blocks/12/type] and [json-pointer:/blocks/3/rows]'
    const answers = [
      { ok: true },
      { ok: false, error: 'token_revoked' },
      { ok: false, error: 'invalid_blocks', response_metadata: { messages: [problem] } },
    ]
    const { api, tokens } = webApi((index) => json(answers[index]))
    await api.call('deliver', 'chat.postMessage', {})
    for (const expected of [
      { code: 'token_revoked', blocks: [] },
      { code: 'invalid_blocks', blocks: [12, 3] },
    ])
      await expect(api.call('deliver', 'chat.postMessage', {})).rejects.toMatchObject(expected)
    expect(tokens).toEqual([undefined, 'token_revoked'])
  })

  it('says how long Slack wants to be left alone', async () => {
    const { api } = webApi(() => new Response('', { status: 429, headers: { 'retry-after': '7' } }))
    await expect(api.call('deliver', 'chat.postMessage', {})).rejects.toMatchObject({ retryAfterMs: 7_000 })
  })

  it('that only looks something up is tried once more', async () => {
    const { api, sent } = webApi((index) => (index === 0 ? new TypeError('reset') : json({ ok: true })))
    expect(await api.call('lookup', 'users.info', { user: 'U1' })).toMatchObject({ ok: true })
    expect(sent).toHaveLength(2)
  })

  it('of one client does not wait for another that was asked to slow down', async () => {
    const { api } = webApi((index) =>
      index === 0 ? new Response('', { status: 429, headers: { 'retry-after': '600' } }) : json({ ok: true }),
    )
    await expect(api.call('deliver', 'chat.postMessage', {})).rejects.toMatchObject({ code: 'ratelimited' })
    expect(await api.call('interactive', 'views.open', {})).toMatchObject({ ok: true })
  })
})

describe('what Slack’s libraries log', () => {
  it('is taken from warnings on, whatever level they set, without the properties of errors', () => {
    const { log, lines } = recordingLog()
    const logger = boltLog(log)
    logger.setLevel(LogLevel.DEBUG)
    logger.debug('hush')
    logger.info('hush')
    logger.warn('slow', 7)
    logger.error(Object.assign(new Error('refused'), { request: { body: 'hush' } }), 'again')
    expect(logger.getLevel()).toBe(LogLevel.WARN)
    expect(lines.map(({ level, sentence }) => `${level}: ${sentence}`)).toEqual([
      'warn: slow 7',
      'error: refused again',
    ])
  })

  it('is cut where it is long', () => {
    const { log, lines } = recordingLog()
    boltLog(log).error('x'.repeat(501))
    expect(lines[0]?.sentence).toBe('x'.repeat(500))
  })
})
