import * as z from 'zod'
import type { Identity } from './identity.ts'

/** What Slack says of somebody. Of a deactivated person it leaves most out; what would give a right has to be there. */
export const Profile = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    deleted: z.boolean().default(false),
    is_bot: z.boolean().optional(),
    is_workflow_bot: z.boolean().default(false),
    is_connector_bot: z.boolean().default(false),
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
    is_stranger: z.boolean().default(false),
    /** In Enterprise Grid: the organisation, and all workspaces of it that the person is in. */
    enterprise_user: z
      .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).default([]) })
      .optional(),
    /** UTC where Slack gives none, or one that is not known here. */
    tz: z.string().default('UTC').transform(knownTimeZone),
  }),
})
export type Person = z.output<typeof Profile>['user']

function knownTimeZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/** The workspace the bot is installed in, and the organisation that has it, if one does. */
export type OwnWorkspace = Pick<Identity, 'teamId' | 'enterpriseId'>

/** Slack's own bot, of which it says that it is none. */
export const SLACKBOT = 'USLACKBOT'

export const DEACTIVATED = 'this account is deactivated'

/**
 * Why this person can have no role, whatever any list says: only full members of this workspace can. Undefined for them.
 * `team` is the workspace that a delivery gave for the person; nothing is compared where it gave none.
 */
export function findBar(person: Person, own: OwnWorkspace | undefined, team?: string | null): string | undefined {
  if (own === undefined) return 'Slack has not said yet which workspace this is'
  if (person.deleted) return DEACTIVATED
  if (person.id === SLACKBOT || person.is_bot === true || person.is_workflow_bot || person.is_connector_bot)
    return 'bots have no role'
  const ours = person.team_id === own.teamId || inOurOrganisation(person, own)
  if (person.is_stranger || !ours) return 'people of other workspaces have no role'
  if (team != null && !belongsTo(person, team, own))
    return 'the request came from another workspace than Slack names for this person'
  if (person.is_restricted === true || person.is_ultra_restricted === true) return 'guests have no role'
  const stated = [person.is_bot, person.is_restricted, person.is_ultra_restricted]
  return stated.includes(undefined) ? 'Slack does not say that this is a full member' : undefined
}

/** In a grid, people belong to another workspace first, and are full members of ours all the same. */
function inOurOrganisation({ enterprise_user: user }: Person, { teamId, enterpriseId }: OwnWorkspace): boolean {
  return enterpriseId !== undefined && user?.enterprise_id === enterpriseId && user.teams.includes(teamId)
}

/** Within our organisation a delivery may give any of the person's workspaces, or the organisation itself. */
function belongsTo(person: Person, team: string, own: OwnWorkspace): boolean {
  if (team === person.team_id) return true
  if (!inOurOrganisation(person, own)) return false
  return team === own.enterpriseId || person.enterprise_user?.teams.includes(team) === true
}
