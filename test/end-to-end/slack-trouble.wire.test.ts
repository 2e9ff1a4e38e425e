import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { OLGA, OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { closedPort } from '../support/bot.ts'
import { inRounds } from './approving.ts'
import { Scene } from './scene.ts'
import { failNext } from '../support/failing-slack.ts'

const STATISTICS = { until: /Number of files, by day/ }
const MINUTE_MS = 60_000
/** Longer than it is remembered who somebody is. */
const FORGOTTEN_MS = 61_000
/** At the longest, between two rounds of maintenance. */
const ROUND_MS = 16_000

let scene: Scene
beforeAll(async () => {
  scene = await Scene.start()
  await scene.looksAtSetUp()
})
afterAll(async () => scene.close())

/** Log lines since now, as they were written. */
function linesFromNow(): () => readonly string[] {
  const before = scene.log.length
  return () => scene.log.slice(before)
}

describe('an answer that Slack does not take at the response address', () => {
  test.each([
    ['a refusal with status 200', { error: 'invalid_payload' }],
    ['a page', { text: '<html>Sign in</html>' }],
    ['nothing', { text: '' }],
    ['another "ok"', { text: '{"ok":"yes"}' }],
  ])('reaches the person another way when it answers %s, and the log says so', async (_, fault) => {
    const lines = linesFromNow()
    failNext(scene.stage.slack, 'response_url', fault)
    const { messages } = await scene.types(VERA, '/cdn storage stats 101', STATISTICS)
    expect(messages).toMatchObject([{ ephemeral: true }])
    expect(lines().filter((line) => line.includes('a way to answer did not work'))).toHaveLength(1)
  })
})

describe.each([{ http: false }, { http: true }])(
  'a bot token that Slack ceases to take (requests: $http)',
  ({ http }) => {
    let port: number
    let revoked: Scene
    beforeAll(async () => {
      port = await closedPort()
      revoked = await Scene.start({ http, settings: { HEALTH_PORT: `127.0.0.1:${port}` } })
    })
    afterEach(() => void (revoked.stage.slack.switches.refuseToken = ''))
    afterAll(async () => revoked.close())

    const ready = async () => {
      const page = await fetch(`http://127.0.0.1:${port}/readyz`)
      return { status: page.status, text: await page.text() }
    }
    const told = (code: string): number =>
      revoked.log.filter((line) => line.includes('"level":50') && line.includes(`"code":"${code}"`)).length

    // What is signed has to be of these minutes, so the clock cannot be put forward as often there.
    const codes = http ? [] : ['invalid_auth', 'account_inactive', 'token_expired', 'not_authed']
    test.each(['token_revoked', ...codes])(
      'for %s is named to who asks, in the log once, and by readyz, until it works again',
      async (code) => {
        const { switches } = revoked.stage.slack
        expect(await ready()).toMatchObject({ status: 200 })
        revoked.clock.turn(FORGOTTEN_MS)
        const before = told(code)
        switches.refuseToken = code
        const refused = new RegExp(`Slack refuses the token[^\n]*${code}[^\n]*nothing was done[\\s\\S]*SLACK_BOT_TOKEN`)
        for (let count = 0; count < 3; count += 1) {
          const { text } = await revoked.types(VERA, '/cdn storage stats 101', { until: refused })
          expect(text).not.toMatch(/again in a moment/)
        }
        expect(told(code) - before).toBe(1)
        expect(await ready()).toMatchObject({ status: 503, text: expect.stringContaining(code) })
        switches.refuseToken = ''
        // Nobody asks anything: the bot finds out by itself.
        revoked.clock.turn(ROUND_MS)
        await expect.poll(ready).toMatchObject({ status: 200 })
        await revoked.types(VERA, '/cdn storage stats 101', STATISTICS)
      },
    )

    test('is named where a form would open', async () => {
      await revoked.answersOthers(OLGA)
      revoked.stage.slack.switches.refuseToken = 'token_revoked'
      const { text } = await revoked.types(OLGA, '/cdn dns add', { until: /token_revoked/ })
      expect(text).toMatch(/Slack refuses the token[\s\S]*nothing was done[\s\S]*SLACK_BOT_TOKEN/)
    })

    test('is named in the form that somebody submits, and nothing is sent', async () => {
      await revoked.types(OLGA, '/cdn dns add 201 A www 192.0.2.10', { until: /═══ Review ═══/ })
      revoked.clock.turn(FORGOTTEN_MS)
      revoked.stage.slack.switches.refuseToken = 'token_revoked'
      const { text } = await revoked.submits(OLGA, {}, { until: /token_revoked/ })
      expect(text).toMatch(/nothing was done[\s\S]*SLACK_BOT_TOKEN/)
      expect(revoked.stage.cdn.count('addDnsRecord')).toBe(0)
      await revoked.person(OLGA).closeView()
    })
  },
)

test('a bot that nobody asks anything finds out by itself that Slack ceased to take its token', async () => {
  const port = await closedPort()
  const idle = await Scene.start({ settings: { HEALTH_PORT: `127.0.0.1:${port}` } })
  try {
    const status = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
    expect(await status()).toBe(200)
    idle.stage.slack.switches.refuseToken = 'token_revoked'
    idle.clock.turn(6 * MINUTE_MS)
    await expect.poll(status).toBe(503)
  } finally {
    await idle.close()
  }
})

test.each(['missing_scope', 'no_permission', 'restricted_action'])(
  'how a write ended is told once Slack lets the bot post again, after it said %s for a while',
  async (error) => {
    const { slack, cdn } = scene.stage
    const [before, name] = [cdn.count('addDnsRecord'), error.replaceAll('_', '-')]
    // Her direct messages come after the channel. What is let through between the two tries stands there.
    const told = (): number => {
      const olga = scene.person(OLGA)
      const messages = [...olga.messages(OPS), ...olga.messages(olga.direct())]
      return messages.filter(({ blocks }) => JSON.stringify(blocks).includes(name)).length
    }
    failNext(slack, 'chat.postMessage', { error, times: 100 })
    await scene.types(OLGA, `/cdn dns add 201 A ${name} 192.0.2.10`, { until: /═══ Review ═══/ })
    await scene.submits(OLGA, {}, { until: /═══ Done ═══/ })
    await scene.person(OLGA).closeView()
    const tries = (): number => slack.calls.filter(({ method }) => method === 'chat.postMessage').length
    const triesBefore = tries()
    await inRounds(scene, tries, (count) => count > triesBefore + 4)
    expect(told()).toBe(0)
    failNext(slack, 'chat.postMessage', { error, times: 0 })
    await inRounds(scene, told, (count) => count === 1)
    expect(cdn.count('addDnsRecord')).toBe(before + 1)
  },
)

test('a bot over HTTP is ready and answers where Slack does not name its app, with a warning in the log', async () => {
  const nameless = await Scene.start({ http: true })
  try {
    const { slack } = nameless.stage
    const answer = { text: JSON.stringify({ ok: true, bot: { id: 'B0CDNOPS1' } }), times: 10 }
    await nameless.bot.restart(async () => failNext(slack, 'bots.info', answer))
    await nameless.types(VERA, '/cdn storage stats 101', STATISTICS)
    expect(nameless.log.filter((line) => line.includes('Slack does not say which app this is'))).toHaveLength(1)
  } finally {
    await nameless.close()
  }
})

describe('a file that was asked for', () => {
  const ask = '/cdn storage stats 101 --csv'
  const SORRY = /could not be sent to your direct messages[\s\S]*Ask again with --csv/
  const inDirect = (): readonly string[] => {
    const vera = scene.person(VERA)
    return vera.messages(vera.direct()).map(renderMessage)
  }

  test.each([
    [
      'is not permitted',
      'files.getUploadURLExternal',
      { error: 'missing_scope' },
      /could not be sent: the Slack app lacks the scope files:write\.[\s\S]*Ask whoever manages the app/,
    ],
    ['is not taken', 'upload', { status: 500 }, SORRY],
    ['is not shared', 'files.completeUploadExternal', { error: 'not_in_channel' }, SORRY],
  ])(
    'and %s is nowhere said to be there: both places say that it is not, and what to do',
    async (_, method, fault, sorry) => {
      const before = inDirect()
      failNext(scene.stage.slack, method, fault)
      await scene.types(VERA, ask, { until: sorry })
      await expect.poll(() => inDirect().slice(before.length)).toEqual([expect.stringMatching(sorry)])
      expect(inDirect().at(-1)).not.toMatch(/Here is|is being sent/)
    },
  )

  test('is said to be there once it is', async () => {
    const { slack } = scene.stage
    const [before, files] = [inDirect().length, scene.person(VERA).files().length]
    failNext(slack, 'files.completeUploadExternal', { delayMs: 100 })
    const watch = scene.watch(VERA, scene.person(VERA).direct())
    await scene.types(VERA, ask, { until: /Sent to your direct messages: .*storage-101/ })
    await slack.until(() => /is being sent/.test(watch().text))
    await slack.until(() => /Here is/.test(watch().text))
    expect(scene.person(VERA).files()).toHaveLength(files + 1)
    expect(inDirect().slice(before).join('\n')).not.toMatch(/is being sent/)
  })
})

describe('a form', () => {
  const MAY_BE = /may not have shown the form[\s\S]*Nothing was done[\s\S]*If none is there[\s\S]*ask again/

  test.each([
    ['does not answer', { hang: true, carriedOut: true }],
    ['breaks off', { reset: true, carriedOut: true }],
  ] as const)('that Slack opened is not said not to have opened, where it %s; it can be sent', async (_, fault) => {
    failNext(scene.stage.slack, 'views.open', fault)
    const { text, view } = await scene.types(OLGA, '/cdn dns add 201 A odd 192.0.2.10', { until: MAY_BE })
    expect(text).not.toMatch(/did not open/)
    expect(view?.callbackId).toBe('review')
    await scene.submits(OLGA, {}, { until: /═══ Done ═══/ })
    await scene.person(OLGA).closeView()
  })

  test.each([{ status: 500 }, { error: 'internal_error' }, { error: 'fatal_error' }])(
    'that Slack may have opened is not said not to have, after %j',
    async (fault) => {
      failNext(scene.stage.slack, 'views.open', fault)
      const { text } = await scene.types(OLGA, '/cdn dns add', { until: MAY_BE })
      expect(text).not.toMatch(/did not open/)
    },
  )

  test('that Slack refused to open is said not to have opened', async () => {
    failNext(scene.stage.slack, 'views.open', { error: 'expired_trigger_id' })
    const doing = { until: /Slack may not have shown the form \(expired_trigger_id\)[\s\S]*Nothing was done/ }
    const { view } = await scene.types(OLGA, '/cdn dns add', doing)
    expect(view).toBeUndefined()
  })
})
