import { describe, expect, it, test } from 'vitest'
import { Secret } from '../../src/shared/secret.ts'
import { NoWorkspaceError } from '../../src/slack/people/identity.ts'
import { roleSources } from '../../src/slack/people/role-sources.ts'
import type { Fetch } from '../../src/slack/out/web-api.ts'
import { Workspace } from '../../src/slack/workspace.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const NOBODY: ReadonlySet<string> = new Set()
const WHO = { ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' }
const STOPPING = new AbortController().signal

/** A bot over a Slack that answers so, by the method that it is asked. */
function botOver(answer: (method: string) => unknown) {
  const { log, lines } = recordingLog()
  const clock = new TurnedClock()
  const [asked, refused]: [string[], unknown[]] = [[], []]
  const fetch: Fetch = async (url) => {
    const method = String(url).split('/').at(-1) ?? ''
    asked.push(method)
    return Response.json(answer(method))
  }
  const lists = { admins: NOBODY, operators: NOBODY, viewers: NOBODY }
  const workspace = new Workspace({
    apiUrl: new URL('https://slack.test/api/'),
    botToken: new Secret('xoxb-1'),
    fetch,
    post: () => Promise.reject(new Error('Nothing is posted here')),
    clock,
    log,
    roles: () => roleSources(lists),
    teamId: 'T1',
    onRefused: (why) => refused.push(why),
  })
  return { workspace, clock, asked, refused, lines }
}

/** The bot's first questions to a Slack that answers them so; `times` counts those about the app. */
async function askedOf(answers: { readonly who?: object; readonly bot: unknown }) {
  const { workspace, asked, lines } = botOver((method) => (method === 'auth.test' ? (answers.who ?? WHO) : answers.bot))
  const identity = await workspace.identify(STOPPING)
  const appId = identity && (await workspace.appId(identity, STOPPING))
  const times = asked.filter((method) => method === 'bots.info').length
  return { appId, times, warned: lines.filter(({ level }) => level === 'warn').map(({ sentence }) => sentence) }
}

const NOT_COMPARED = 'Slack does not say which app this is: whom requests are for is not compared'

describe('which app the bot is', () => {
  it('is what Slack says of the bot', async () => {
    const bot = { ok: true, bot: { id: 'B1', app_id: 'A1' } }
    expect(await askedOf({ bot })).toEqual({ appId: 'A1', times: 1, warned: [] })
  })

  it.each([
    ['names none', { ok: true, bot: { id: 'B1' } }],
    ['has no bot', { ok: true }],
    ['has an odd one', { ok: true, bot: { app_id: null } }],
    ['is refused', { ok: false, error: 'missing_scope' }],
  ])('is what Slack says of the token, where the answer about the bot %s', async (_, bot) => {
    expect(await askedOf({ who: { ...WHO, app_id: 'A1' }, bot })).toEqual({ appId: 'A1', times: 1, warned: [] })
  })

  it.each([
    ['names none', { ok: true, bot: { id: 'B1' } }],
    ['is refused', { ok: false, error: 'missing_scope' }],
  ])('stays unknown, with a warning, where neither says it: the answer about the bot %s', async (_, bot) => {
    expect(await askedOf({ bot })).toEqual({ appId: undefined, times: 1, warned: [NOT_COMPARED] })
  })
})

test('nothing is said of the app where the bot was stopped before Slack was asked', async () => {
  const { workspace, asked, lines } = botOver(() => ({ ok: false, error: 'internal_error' }))
  expect(await workspace.appId({ botId: 'B1', appId: undefined }, AbortSignal.abort())).toBeUndefined()
  expect({ asked, lines }).toEqual({ asked: [], lines: [] })
})

describe('who the bot is', () => {
  const no = (error: string) => ({ ok: false, error })
  it('is asked again with growing pauses until Slack says it, which is in the log, or until it is stopped', async () => {
    let answer: object = no('internal_error')
    const { workspace, clock, lines } = botOver(() => answer)
    const asking = workspace.identify(STOPPING)
    for (const pauseMs of [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      await expect.poll(() => clock.timers).toBe(1)
      const fields = { address: 'https://slack.test', reason: 'internal_error', retryInMs: pauseMs }
      expect(lines.at(-1)).toMatchObject({ level: 'warn', fields })
      if (pauseMs === 15_000) answer = WHO
      clock.turn(pauseMs)
      if (pauseMs === 15_000) break
    }
    expect(await asking).toMatchObject({ teamId: 'T1', userId: 'U1', botId: 'B1' })
    expect(workspace.identity).toMatchObject({ teamId: 'T1' })
    const stopping = new AbortController()
    answer = { ok: true }
    const stopped = botOver(() => answer).workspace.identify(stopping.signal)
    stopping.abort()
    expect(await stopped).toBeUndefined()
  })

  it.each<[object, unknown]>([
    ...['invalid_auth', 'missing_scope', 'no_permission', 'bot_not_found', 'unknown_method'].map(
      (code) => [no(code), code] as [object, unknown],
    ),
    [{ ...WHO, team_id: 'T2' }, expect.any(NoWorkspaceError)],
  ])('stays unknown where no waiting changes it, and why is told: %j', async (answer, why) => {
    const { workspace, clock, refused } = botOver(() => answer)
    expect(await workspace.identify(STOPPING)).toBeUndefined()
    expect([refused, workspace.identity, clock.timers]).toEqual([[why], undefined, 0])
  })
})

describe('whether Slack takes the token', () => {
  it('is tried where no call has shown it for five minutes, or it was refused, and told when it changes', async () => {
    let answer: object = WHO
    const { workspace, clock, asked, lines } = botOver(() => answer)
    const tried = async (turnMs: number): Promise<readonly unknown[]> => {
      clock.turn(turnMs)
      asked.length = 0
      await workspace.tryToken()
      return [asked.length, workspace.tokenRefused]
    }
    expect(await tried(0)).toEqual([1, undefined])
    expect(await tried(299_999)).toEqual([0, undefined])
    answer = { ok: false, error: 'token_revoked' }
    expect(await tried(1)).toEqual([1, 'token_revoked'])
    expect(await tried(0)).toEqual([1, 'token_revoked'])
    answer = WHO
    expect(await tried(0)).toEqual([1, undefined])
    expect(lines).toMatchObject([
      { level: 'error', fields: { code: 'token_revoked' } },
      { level: 'info', sentence: 'Slack takes SLACK_BOT_TOKEN again' },
    ])
  })
})
