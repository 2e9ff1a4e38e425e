import { describe, expect, it } from 'vitest'
import { Secret } from '../../src/shared/secret.ts'
import { roleSources } from '../../src/slack/people/role-sources.ts'
import type { Fetch } from '../../src/slack/out/web-api.ts'
import { Workspace } from '../../src/slack/workspace.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const NOBODY: ReadonlySet<string> = new Set()
const WHO = { ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' }
const STOPPING = new AbortController().signal

/** The bot's first questions to a Slack that answers them so; `times` counts those about the app. */
async function askedOf(answers: { readonly who?: object; readonly bot: unknown }) {
  const { log, lines } = recordingLog()
  let times = 0
  const fetch: Fetch = async (url) => {
    if (String(url).endsWith('auth.test')) return Response.json(answers.who ?? WHO)
    times += 1
    return Response.json(answers.bot)
  }
  const lists = { admins: NOBODY, operators: NOBODY, viewers: NOBODY }
  const workspace = new Workspace({
    apiUrl: new URL('https://slack.test/api/'),
    botToken: new Secret('xoxb-1'),
    fetch,
    post: () => Promise.reject(new Error('Nothing is posted here')),
    clock: new TurnedClock(),
    log,
    roles: () => roleSources(lists),
    onRefused: () => undefined,
  })
  const identity = await workspace.identify(STOPPING)
  const appId = identity && (await workspace.appId(identity, STOPPING))
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
