import type { People } from '../execution/executor.ts'
import type { Actor, Quorum, Role } from '../operations/role.ts'
import type { Clock } from '../shared/clock.ts'
import { UserError } from '../shared/errors.ts'
import { TtlMap } from '../shared/ttl-map.ts'
import { GroupMembers, groupsBarred, groupsUnknown, type KnownGroups, STALE_MS } from './group-members.ts'
import { barred, type OwnWorkspace, type Person, Profile } from './membership.ts'
import { groupCouldRaise, groupsGiving, listedUsers, namedGroups, roleIn, type RoleSources } from './role-sources.ts'
import { type Roster, rosterOf } from './roster.ts'
import { SlackError, TOKEN_REFUSED, tokenRefused, type WebApi } from './web-api.ts'

/** Old enough to spare Slack a call for each click, young enough that a deactivated person is soon out. */
const KNOWN = { lifeMs: 60_000, most: 1_000 }
/** Where somebody is about to do what cannot be taken back: long enough that the steps of one click ask Slack once. */
const VERY_FRESH_MS = 3_000
const MAX_CANDIDATES = 200

export interface DirectoryOptions {
  readonly api: WebApi
  readonly clock: Clock
  readonly roles: () => RoleSources
  /** The workspace the bot is installed in; undefined until Slack has said it. */
  readonly identity: () => OwnWorkspace | undefined
}

/** Who somebody is and which role they have: from settings, configuration file and user groups, if a full member. */
export class Directory implements People {
  readonly #options: DirectoryOptions
  readonly #groups: GroupMembers
  readonly #known: TtlMap<KnownPerson>

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#known = new TtlMap(options.clock, KNOWN)
    this.#groups = new GroupMembers(options)
  }

  /**
   * The actor for a Slack user, as Slack said within the last minute, or with `fresh` within the last seconds. `team` is
   * the workspace that a delivery gave for them: if Slack itself names another one, they have no role. Throws UserError
   * `not_permitted` when Slack cannot be asked: without knowing who somebody is, nothing is done for them.
   */
  async actor(
    userId: string,
    { fresh = false, team }: { readonly fresh?: boolean; readonly team?: string | null | undefined } = {},
  ): Promise<Actor> {
    const sources = this.#options.roles()
    const named = namedGroups(sources)
    const [person, known] = await Promise.all([this.#person(userId, fresh), this.#groups.current(named, fresh)])
    const own = this.#options.identity()
    const reason = barred(person, own, team)
    const found = reason === undefined ? roleBy(sources, userId, named, known) : roleless(reason, own !== undefined)
    return { id: userId, team: person.team_id ?? own?.teamId ?? '', timeZone: person.tz, ...found }
  }

  async candidates({ roles, groups }: Quorum): Promise<readonly string[]> {
    const sources = this.#options.roles()
    const { members } = await this.#groups.current(namedGroups(sources))
    return first([...roles.flatMap((role) => holders(sources, role, members)), ...membersOf(groups, members)])
  }

  admins(): readonly string[] {
    return first(holders(this.#options.roles(), 'admin', this.#groups.known.members))
  }

  /** What lists and user groups say now, to be compared with later; undefined while Slack has not said who is in them. */
  async roster(policyVersion: string): Promise<Roster | undefined> {
    const sources = this.#options.roles()
    const named = namedGroups(sources)
    const { members, ageMs, trouble } = await this.#groups.current(named)
    if (named.size > 0 && (ageMs === undefined || trouble !== undefined)) return undefined
    return rosterOf(sources, members, policyVersion)
  }

  forget(userId: string): void {
    this.#known.delete(userId)
  }

  /** Slack told that a user group, this one if it said which, or who is in it changed. Most are of no concern here. */
  groupChanged(group: string | undefined): void {
    if (group === undefined || namedGroups(this.#options.roles()).has(group)) this.#groups.outdate()
  }

  /** A look-up that is under way is joined, however fresh it has to be: Slack is still to answer it. */
  async #person(userId: string, fresh: boolean): Promise<Person> {
    const now = this.#options.clock.monotonicMs()
    const known = this.#known.get(userId)
    const isEnough = known !== undefined && (!fresh || !known.answered || now - known.at < VERY_FRESH_MS)
    if (isEnough) return known.person
    const asking: KnownPerson = { person: this.#lookUp(userId), at: now, answered: false }
    this.#known.set(userId, asking)
    asking.person.then(
      () => (asking.answered = true),
      () => {
        if (this.#known.get(userId) === asking) this.#known.delete(userId)
      },
    )
    return asking.person
  }

  async #lookUp(userId: string): Promise<Person> {
    try {
      return Profile.parse(await this.#options.api.call('lookup', 'users.info', { user: userId })).user
    } catch (error) {
      if (error instanceof SlackError && NOBODY_THERE.has(error.code)) {
        throw new UserError('not_permitted', `Slack knows nobody here by the id ${userId}, so nothing was done.`)
      }
      if (error instanceof SlackError && TOKEN_REFUSED.has(error.code)) throw tokenRefused(error.code)
      throw new UserError(
        'not_permitted',
        `Slack could not tell who ${userId} is, so nothing was done.`,
        'Ask again in a moment.',
      )
    }
  }
}

interface KnownPerson {
  readonly person: Promise<Person>
  readonly at: number
  answered: boolean
}

const NOBODY_THERE: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible'])

type ActorsRole = Pick<Actor, 'role' | 'roleSource' | 'groups' | 'writesBarred' | 'barred' | 'unsure'>

/** While it is not known which workspace this is, nobody is known to be no member of it. */
function roleless(roleSource: string, barred: boolean): ActorsRole {
  return { role: 'none', roleSource, groups: [], ...(barred && { barred }) }
}

/** Groups that Slack has not spoken of for too long still let people read, and count for nothing else. */
function roleBy(sources: RoleSources, userId: string, named: ReadonlySet<string>, known: KnownGroups): ActorsRole {
  const { members, ageMs } = known
  const groups = [...named].filter((group) => members.get(group)?.has(userId) === true).toSorted()
  const { role, source, byGroup } = roleIn(sources, userId, new Set(groups))
  const stale = ageMs !== undefined && ageMs > STALE_MS
  const unspoken = [...named].some((group) => !known.named.has(group))
  const unknown = unspoken && groupCouldRaise(sources, role)
  return {
    role,
    roleSource: unknown ? `${source}, and ${groupsUnknown(known)}` : source,
    groups: stale ? [] : groups,
    ...((unspoken || stale) && { unsure: groupsUnknown(known) }),
    ...(stale && byGroup && { writesBarred: groupsBarred(role, known) }),
  }
}

type Members = KnownGroups['members']

function holders(sources: RoleSources, role: Role, members: Members): readonly string[] {
  if (role === 'none') return []
  return [...listedUsers(sources, role), ...membersOf([...groupsGiving(sources, role)], members)]
}

function membersOf(groups: readonly string[], members: Members): readonly string[] {
  return groups.flatMap((group) => [...(members.get(group) ?? [])])
}

function first(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].slice(0, MAX_CANDIDATES)
}
