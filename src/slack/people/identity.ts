import * as z from 'zod'
import type { WebApi } from '../out/web-api.ts'

export type Identity = Awaited<ReturnType<typeof askIdentity>>

/** The token is good, but not for one workspace that could be meant. */
export class NoWorkspaceError extends Error {
  override readonly name = 'NoWorkspaceError'
  /** What to do about it, as a sentence. */
  readonly remedy: string

  constructor(happened: string, remedy: string) {
    super(happened)
    this.remedy = remedy
  }
}

/**
 * Who the bot is, as Slack says now. A token of an organisation is for the workspace with the id `wanted`, else for the one that
 * it is granted to. Throws SlackError, ZodError for an answer that cannot be read, and NoWorkspaceError.
 */
export async function askIdentity(api: WebApi, wanted: string | undefined) {
  const answer = AuthTest.parse(await api.call('lookup', 'auth.test', {}))
  const { team_id: ownTeam, enterprise_id: enterprise, is_enterprise_install: isOrgWide, user_id: userId } = answer
  const granted = isOrgWide
    ? TeamsList.parse(await api.call('lookup', 'auth.teams.list', { limit: MAX_TEAMS })).teams.map(({ id }) => id)
    : [ownTeam]
  return {
    teamId: findWorkspace(granted, wanted),
    /** The organisation the workspace belongs to; undefined for one that stands alone. */
    enterpriseId: enterprise ?? undefined,
    /** Whether the app is installed for the whole organisation: then calls that list something have to name the workspace. */
    isOrgWide,
    userId,
    botId: answer.bot_id,
    /** The app, where Slack names it along with the rest. */
    appId: answer.app_id,
    /** What the app was allowed at its installation; undefined where Slack does not say. */
    scopes: answer.response_metadata?.scopes,
  }
}

function findWorkspace(granted: readonly string[], wanted: string | undefined): string {
  const [first, ...others] = granted
  const named = granted.slice(0, MAX_NAMED_TEAMS).join(', ')
  const all = granted.length > MAX_NAMED_TEAMS ? `${named} and ${granted.length - MAX_NAMED_TEAMS} more` : named
  if (first === undefined)
    throw new NoWorkspaceError(
      'SLACK_BOT_TOKEN is of an organisation, and granted to no workspace.',
      'Have an admin of the organisation add the app to one workspace, then start again.',
    )
  if (wanted === undefined ? others.length > 0 : !granted.includes(wanted))
    throw new NoWorkspaceError(
      `SLACK_TEAM_ID ${wanted === undefined ? 'is not set' : `names the workspace ${wanted}`}, and SLACK_BOT_TOKEN is for ${all}.`,
      'Name in SLACK_TEAM_ID the one of these that CDN Ops is for, then start again.',
    )
  return wanted ?? first
}

/** As many as Slack lists in one answer; to name a few of them is enough. */
const MAX_TEAMS = 1_000
const MAX_NAMED_TEAMS = 5

const AuthTest = z.object({
  team_id: z.string(),
  enterprise_id: z.string().nullish(),
  is_enterprise_install: z.boolean().default(false).catch(false),
  user_id: z.string(),
  bot_id: z.string(),
  app_id: z.string().optional().catch(undefined),
  /** Slack's library puts the header `x-oauth-scopes` there. */
  response_metadata: z
    .object({ scopes: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
})

const TeamsList = z.object({ teams: z.array(z.object({ id: z.string() })) })
