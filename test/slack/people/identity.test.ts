import { describe, expect, it } from 'vitest'
import { askIdentity, NoWorkspaceError } from '../../../src/slack/people/identity.ts'
import type { WebApi } from '../../../src/slack/out/web-api.ts'

const OWN = { ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' }
const ORG = { ...OWN, team_id: 'E1', enterprise_id: 'E1', is_enterprise_install: true }

/** Who the bot is for a Slack that says so of the token, and grants it these workspaces. */
async function identityOf(who: object, granted: readonly string[] = [], wanted?: string) {
  const call = async (_client: unknown, method: string) =>
    method === 'auth.test' ? who : { ok: true, teams: granted.map((id) => ({ id, name: id })) }
  return askIdentity({ call } as unknown as WebApi, wanted)
}

const refusal = async (...asked: Parameters<typeof identityOf>) => {
  const error: unknown = await identityOf(...asked).catch((thrown: unknown) => thrown)
  return error instanceof NoWorkspaceError ? `${error.message} ${error.remedy}` : error
}

const IDENTITY = { teamId: 'T1', enterpriseId: undefined, isOrgWide: false, userId: 'U1', botId: 'B1' }
const UNSAID = { appId: undefined, scopes: undefined }
const NAME = 'Name in SLACK_TEAM_ID the one of these that CDN Ops is for, then start again.'
const MANY = Array.from({ length: 300 }, (_, index) => `T${index}`)

describe('the workspace that the bot serves', () => {
  const scopes = ['commands']
  it.each<[string, Parameters<typeof identityOf>, object]>([
    ['its token is of', [OWN], {}],
    ['its token is of, where it is named', [OWN, [], 'T1'], {}],
    ['its token is of, in an organisation', [{ ...OWN, enterprise_id: 'E1' }], { enterpriseId: 'E1' }],
    [
      'the token of an organisation is granted to',
      [ORG, ['T2']],
      { teamId: 'T2', isOrgWide: true, enterpriseId: 'E1' },
    ],
    [
      'is named of those that it is granted to',
      [ORG, ['T1', 'T2', 'T3'], 'T2'],
      { teamId: 'T2', isOrgWide: true, enterpriseId: 'E1' },
    ],
    [
      'its token is of, with its app and what it is granted, where Slack says it',
      [{ ...OWN, app_id: 'A1', response_metadata: { scopes } }],
      { appId: 'A1', scopes },
    ],
    [
      'its token is of, where the rest is odd',
      [{ ...OWN, enterprise_id: null, is_enterprise_install: null, app_id: 7, response_metadata: 7 }],
      {},
    ],
  ])('is the one that %s', async (_, asked, differs) => {
    expect(await identityOf(...asked)).toEqual({ ...IDENTITY, ...UNSAID, ...differs })
  })

  it.each<[string, Parameters<typeof identityOf>, string]>([
    [
      'of no workspace of an organisation',
      [ORG],
      'SLACK_BOT_TOKEN is of an organisation, and granted to no workspace. Have an admin of the organisation add the app to one workspace, then start again.',
    ],
    [
      'of several and none is named',
      [ORG, MANY.slice(0, 5)],
      `SLACK_TEAM_ID is not set, and SLACK_BOT_TOKEN is for T0, T1, T2, T3, T4. ${NAME}`,
    ],
    [
      'of many, and five are said',
      [ORG, MANY],
      `SLACK_TEAM_ID is not set, and SLACK_BOT_TOKEN is for T0, T1, T2, T3, T4 and 295 more. ${NAME}`,
    ],
    [
      'of others than the one named',
      [ORG, ['T1', 'T2'], 'T9'],
      `SLACK_TEAM_ID names the workspace T9, and SLACK_BOT_TOKEN is for T1, T2. ${NAME}`,
    ],
    [
      'of another than the one named',
      [OWN, [], 'T9'],
      `SLACK_TEAM_ID names the workspace T9, and SLACK_BOT_TOKEN is for T1. ${NAME}`,
    ],
  ])('is none where the token is %s', async (_, asked, words) => {
    expect(await refusal(...asked)).toBe(words)
  })
})
