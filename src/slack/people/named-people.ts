import * as z from 'zod'
import type { NamedPerson } from '../../operations/declaration/field.ts'
import { type Clock, waitAtMost } from '../../shared/clock.ts'
import type { WebApi } from '../out/web-api.ts'
import { SLACKBOT } from './membership.ts'

const PAGE = 500
/** Whoever has more people picks them from Slack's own list. */
const MAX_PAGES = 4
/** Somebody waits, and Slack for its acknowledgement. */
const WITHIN_MS = 1_200

const Text = z.string().nullish()
const People = z.object({
  members: z.array(
    z.object({
      id: z.string(),
      deleted: z.boolean().default(false),
      is_bot: z.boolean().default(false),
      name: Text,
      real_name: Text,
      profile: z.object({ real_name: Text, display_name: Text }).default({}),
    }),
  ),
  response_metadata: z.object({ next_cursor: Text }).optional(),
})
const Groups = z.object({
  usergroups: z.array(z.object({ id: z.string(), handle: Text, name: Text, date_delete: z.number().default(0) })),
})

interface Called extends NamedPerson {
  readonly names: readonly string[]
}

/**
 * The active people and user groups of the workspace with this name, handle, or else with one of the words of their name;
 * nobody where Slack does not say it soon, or has more people than are looked through. Never throws.
 */
export async function findNamed(
  name: string,
  { api, clock, teamId }: { readonly api: WebApi; readonly clock: Clock; readonly teamId: string | undefined },
): Promise<readonly NamedPerson[]> {
  const looking = Promise.all([
    listPeople(api, teamId),
    // Not every plan has user groups, and not every installation lets them be read.
    listGroups(api, teamId).catch(() => []),
  ]).catch(() => [])
  const all = (await waitAtMost(clock, WITHIN_MS, looking))?.value.flat() ?? []
  const whole = all.filter(({ names }) => names.includes(name))
  return whole.length > 0 ? whole : all.filter(({ names }) => names.some((each) => each.split(/\s+/).includes(name)))
}

async function listPeople(api: WebApi, teamId: string | undefined): Promise<readonly Called[]> {
  const all: Called[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await api.call('lookup', 'users.list', { limit: PAGE, cursor, team_id: teamId })
    const { members, response_metadata: more } = People.parse(answer)
    const active = members.filter(({ id, deleted, is_bot: isBot }) => !deleted && !isBot && id !== SLACKBOT)
    all.push(
      ...active.map(({ id, name, real_name: realName, profile }) =>
        called(id, [profile.real_name, realName, profile.display_name, name], name),
      ),
    )
    cursor = more?.next_cursor || undefined
    if (cursor === undefined) return all
  }
  return []
}

async function listGroups(api: WebApi, teamId: string | undefined): Promise<readonly Called[]> {
  const { usergroups } = Groups.parse(await api.call('lookup', 'usergroups.list', { team_id: teamId }))
  const active = usergroups.filter(({ date_delete: deleted }) => deleted === 0)
  return active.map(({ id, handle, name }) => called(id, [name, handle], handle))
}

function called(id: string, given: readonly (string | null | undefined)[], handle: string | null | undefined): Called {
  const names = given.flatMap((each) => each || [])
  return { id, name: `${names[0] ?? id} (@${handle ?? id})`, names: names.map((each) => each.toLowerCase()) }
}
