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

describe('the workspace that the bot serves', () => {
  it('is the one its token is of', async () => {
    const identity = { teamId: 'T1', isOrgWide: false, enterpriseId: undefined }
    expect(await identityOf(OWN)).toMatchObject(identity)
    expect(await identityOf(OWN, [], 'T1')).toMatchObject(identity)
    expect(await identityOf({ ...OWN, enterprise_id: 'E1' })).toMatchObject({ ...identity, enterpriseId: 'E1' })
  })

  it('is the one that the token of an organisation is granted to', async () => {
    const identity = { teamId: 'T2', isOrgWide: true, enterpriseId: 'E1' }
    expect(await identityOf(ORG, ['T2'])).toMatchObject(identity)
    expect(await identityOf(ORG, ['T1', 'T2', 'T3'], 'T2')).toMatchObject(identity)
  })

  it.each([
    ['of no workspace of an organisation', [ORG], /granted to no workspace\. .*add the app to one workspace/],
    ['of several and none is named', [ORG, ['T1', 'T2']], /granted to 2 workspaces: T1, T2\. Name in SLACK_TEAM_ID/],
    [
      'of others than the one named',
      [ORG, ['T1', 'T2'], 'T9'],
      /names the workspace T9, .* is for T1, T2\. Name one of/,
    ],
    ['of another than the one named', [OWN, [], 'T9'], /names the workspace T9, .* is for T1\. Correct or unset/],
  ] as const)('is none where the token is %s', async (_, [who, granted, wanted], words) => {
    expect(await refusal(who, granted, wanted)).toMatch(words)
  })

  it('comes with what the token is granted, where Slack says it', async () => {
    const scopes = ['commands']
    expect((await identityOf({ ...OWN, response_metadata: { scopes } })).scopes).toEqual(scopes)
    expect((await identityOf(OWN)).scopes).toBeUndefined()
  })

  it('is named with five others at most', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `T${index}`)
    expect(await refusal(ORG, many)).toContain('300 workspaces: T0, T1, T2, T3, T4 and 295 more.')
  })
})
