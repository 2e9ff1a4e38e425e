import { Directory, type DirectoryOptions } from '../../src/slack/people/directory.ts'
import { type RoleGrant, type RoleSources, roleSources } from '../../src/slack/people/role-sources.ts'
import { SlackError, type WebApi } from '../../src/slack/out/web-api.ts'
import { TurnedClock } from './turned-clock.ts'

/** A full member of the workspace T1, as Slack tells of one. */
export const MEMBER = {
  id: 'U1',
  team_id: 'T1',
  deleted: false,
  is_bot: false,
  is_restricted: false,
  is_ultra_restricted: false,
  tz: 'Europe/Ljubljana',
}

/** The settings' lists of people that most tests of the directory go by. */
export const LISTS = {
  admins: new Set(['UADA', 'UBOTH']),
  operators: new Set(['UOLGA', 'UBOTH']),
  viewers: new Set(['UVERA', 'UBOTH']),
}

/** A grant of a role to these users and user groups. */
export function grant(given: {
  users?: readonly string[]
  groups?: readonly string[]
  everybody?: boolean
}): RoleGrant {
  const { users = [], groups = [], everybody = false } = given
  return { users: new Set(users), groups: new Set(groups), everybody }
}

interface Group {
  readonly id: string
  readonly users?: readonly string[]
  readonly date_delete?: number
}

/** What the scripted Slack answers; to be changed while a test goes on. Throw to have it refuse. */
export interface SlackScript {
  person: (id: string) => unknown
  groups: () => readonly Group[] | Promise<readonly Group[]>
  sources: RoleSources
  own: ReturnType<DirectoryOptions['identity']>
}

/** A directory that asks a scripted Slack, on a clock that is turned by hand. */
export function scriptedDirectory(
  changes: Partial<SlackScript> & Pick<DirectoryOptions, 'remembered' | 'writesBarred'> = {},
) {
  const clock = new TurnedClock()
  const script: SlackScript = {
    person: (id) => ({ user: { ...MEMBER, id } }),
    groups: () => [],
    sources: roleSources(LISTS),
    own: { teamId: 'T1', enterpriseId: undefined },
    ...changes,
  }
  const asked: string[] = []
  const calls: unknown[] = []
  const answerOfGroups = async (id: string | undefined) => {
    const groups = await script.groups()
    if (id === undefined) return { usergroups: groups }
    const group = groups.find((each) => each.id === id && (each.date_delete ?? 0) === 0)
    if (group === undefined) throw new SlackError('usergroups.users.list', 'no_such_subteam')
    return { users: group.users ?? [] }
  }
  const api: Pick<WebApi, 'call'> = {
    async call(_, method, args) {
      calls.push([method, args])
      const [about] = [args['user'], args['usergroup']].flatMap((id) => (typeof id === 'string' ? [id] : []))
      asked.push(about ?? method)
      const answer = method === 'users.info' ? await script.person(about ?? '') : await answerOfGroups(about)
      return answer as Readonly<Record<string, unknown>> // what Slack sends is checked by the directory
    },
  }
  const directory = new Directory({
    api: api as WebApi, // The directory calls nothing else of it.
    clock,
    roles: () => script.sources,
    identity: () => script.own,
    remembered: changes.remembered,
    writesBarred: changes.writesBarred,
  })
  return { clock, asked, calls, script, directory }
}
