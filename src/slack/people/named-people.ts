import * as z from 'zod'
import type { NamedPerson } from '../../operations/declaration/field.ts'
import { type Clock, waitAtMost } from '../../shared/clock.ts'
import type { SlackAnswer, WebApi } from '../out/web-api.ts'
import { SLACKBOT } from './membership.ts'

const PAGE = 500
/** Whoever has more people picks them from Slack's own list. */
const MAX_PAGES = 4
/** Somebody waits, and Slack for its acknowledgement. */
const WITHIN_MS = 1_200
const MAX_OTHERS = 5

const Text = z.string().nullish()
/** A person or a user group: their fields have different names. */
const Listed = z.object({
  id: z.string(),
  deleted: z.boolean().default(false),
  is_bot: z.boolean().default(false),
  date_delete: z.number().default(0),
  name: Text,
  handle: Text,
  real_name: Text,
  profile: z.object({ real_name: Text, display_name: Text }).default({}),
})
const Page = z.object({
  members: z.array(Listed).default([]),
  usergroups: z.array(Listed).default([]),
  response_metadata: z.object({ next_cursor: Text }).optional(),
})
type Listed = z.output<typeof Listed>

/**
 * The active people and user groups of the workspace with this name or handle; of a name that nobody has, some of the groups
 * there are. Nobody where Slack does not say it soon, or has more people than are looked through. Never throws.
 */
export async function findNamed(
  name: string,
  { api, clock, teamId }: { readonly api: WebApi; readonly clock: Clock; readonly teamId: string | undefined },
): Promise<readonly NamedPerson[]> {
  const people = listAll((cursor) => api.call('lookup', 'users.list', { limit: PAGE, cursor, team_id: teamId }))
  // Not every plan has user groups, and not every installation lets them be read.
  const groups = listAll(() => api.call('lookup', 'usergroups.list', { team_id: teamId })).catch(() => [])
  const looking = Promise.all([people, groups]).catch(() => [])
  const all = (await waitAtMost(clock, WITHIN_MS, looking))?.value.flat().filter(isActive) ?? []
  // A handle is theirs alone, and what they are shown by: anybody may call themselves by the name of somebody else.
  const byHandle = all.filter((each) => handleOf(each).toLowerCase() === name)
  const found = byHandle.length > 0 ? byHandle : all.filter((each) => namesOf(each).includes(name))
  const named = (each: Listed): NamedPerson => ({ id: each.id, name: `@${handleOf(each)}` })
  if (found.length > 0) return found.map(named)
  const others = all.filter(({ handle }) => typeof handle === 'string').slice(0, MAX_OTHERS)
  return others.map((each) => ({ ...named(each), isOther: true }))
}

async function listAll(ask: (cursor: string | undefined) => Promise<SlackAnswer>): Promise<readonly Listed[]> {
  const all: Listed[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = Page.parse(await ask(cursor))
    all.push(...answer.members, ...answer.usergroups)
    cursor = answer.response_metadata?.next_cursor || undefined
    if (cursor === undefined) return all
  }
  return []
}

function isActive({ id, deleted, is_bot: isBot, date_delete: disabledAt }: Listed): boolean {
  return !deleted && !isBot && disabledAt === 0 && id !== SLACKBOT
}

/** The name of a person is one; that of a group is what it is called. */
function handleOf({ id, name, handle }: Listed): string {
  return handle ?? name ?? id
}

function namesOf({ name, real_name: realName, profile }: Listed): readonly string[] {
  return [name, realName, profile.real_name, profile.display_name].flatMap((each) => each?.toLowerCase() || [])
}
