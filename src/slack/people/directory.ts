import type { People } from '../../execution/policy/people.ts'
import type { NamedPerson } from '../../operations/declaration/field.ts'
import { type Actor, atLeast, type GivenRole, type Quorum, type Role } from '../../operations/declaration/role.ts'
import { type Clock, waitAtMost } from '../../shared/clock.ts'
import { DAY_MS } from '../../shared/durations.ts'
import { UserError } from '../../shared/errors.ts'
import { TtlMap } from '../../shared/ttl-map.ts'
import type { Remembered } from '../../store/remembered.ts'
import { describeBarred, describeUnknown, GroupMembers, type KnownGroups, STALE_MS } from './group-members.ts'
import type { Identity } from './identity.ts'
import { findBar, type OwnWorkspace, type Person, Profile } from './membership.ts'
import { findNamed } from './named-people.ts'
import { groupCouldRaise, groupsGiving, listedUsers, namedGroups, roleIn, type RoleSources } from './role-sources.ts'
import { type Roster, buildRoster } from './roster.ts'
import { SlackError, TOKEN_REFUSED, tokenRefused, type WebApi } from '../out/web-api.ts'

/** Old enough to spare Slack a call for each click, young enough that a deactivated person is soon out. */
const CACHE = { lifeMs: 60_000, most: 1_000 }
/** Before what cannot be undone: long enough that the steps of one click ask Slack once. */
const FRESH_MS = 3_000
/** Whoever was taken from a list hears of it when they come back to what they could use. */
const SEEN_ROLES = { lifeMs: 7 * DAY_MS, most: 1_000 }
const MAX_CANDIDATES = 200
/** The name under which whoever hears of a change of a user group says so to all who share the store. */
const GROUPS_CHANGED = 'user groups changed'
/** Where nothing is written after it, the store is waited for no longer. */
const HEAR_WITHIN_MS = 300

export interface DirectoryOptions {
  readonly api: WebApi
  readonly clock: Clock
  readonly roles: () => RoleSources
  /** The workspace the bot is installed in; undefined until Slack has said it. */
  readonly identity: () => (OwnWorkspace & Partial<Pick<Identity, 'isOrgWide'>>) | undefined
  /** Why people may only read, as sentences without the last full stop; undefined while they may write as well. */
  readonly writesBarred?: (() => string | undefined) | undefined
  /** What all know who share the store; undefined where nobody does. */
  readonly remembered?: Pick<Remembered, 'get' | 'set'> | undefined
}

/** Who somebody is and which role they have: from settings, configuration file and user groups, if a full member. */
export class Directory implements People {
  readonly #options: DirectoryOptions
  readonly #groups: GroupMembers
  readonly #cache: TtlMap<{ readonly person: Promise<Person>; readonly atMs: number }>
  /** The highest role that each person was seen with. */
  readonly #seenRoles: TtlMap<Role>
  /** The last change of a user group that this process knows of. */
  #groupsChanged: unknown

  constructor(options: DirectoryOptions) {
    this.#options = options
    this.#cache = new TtlMap(options.clock, CACHE)
    this.#seenRoles = new TtlMap(options.clock, SEEN_ROLES)
    this.#groups = new GroupMembers(options.api, options.clock, () => this.#grantedTeam())
  }

  /** Where Slack has to be told which workspace is meant. */
  #grantedTeam(): string | undefined {
    const own = this.#options.identity()
    return own?.isOrgWide === true ? own.teamId : undefined
  }

  /**
   * The actor for a Slack user, as Slack said within the last minute, or with `fresh` within the last seconds. `team` is
   * the workspace that a delivery gave for them: if Slack itself names another one, they have no role. Throws UserError
   * `not_permitted` when Slack cannot be asked: without knowing who somebody is, nothing is done for them. With `fresh`
   * throws StoreError where others share the store and it does not say what they have heard.
   */
  async actor(
    userId: string,
    { fresh = false, team }: { readonly fresh?: boolean; readonly team?: string | null | undefined } = {},
  ): Promise<Actor> {
    const sources = this.#options.roles()
    const named = namedGroups(sources)
    const [person, groups] = await Promise.all([this.#person(userId, fresh), this.#current(named, fresh)])
    const own = this.#options.identity()
    const bar = findBar(person, own, team)
    // While it is not known which workspace this is, nobody is known to be no member of it.
    const role: ActorRole =
      bar === undefined
        ? roleBy(sources, userId, named, groups)
        : { role: 'none', roleSource: bar, groups: [], ...(own !== undefined && { barred: true }) }
    const why = this.#options.writesBarred?.()
    // Unsure as well, so that no change is cancelled because of it.
    const barred = why !== undefined && { writesBarred: `${why}.`, unsure: why }
    const lost = this.#lostRole(userId, role)
    return { id: userId, team: person.team_id ?? own?.teamId ?? '', timeZone: person.tz, ...role, ...lost, ...barred }
  }

  /** What Slack does not say now was not lost. */
  #lostRole(userId: string, { role, barred, unsure }: ActorRole): Pick<Actor, 'formerRole'> {
    const before = this.#seenRoles.get(userId) ?? role
    const formerRole = atLeast(role, before) ? role : before
    this.#seenRoles.set(userId, formerRole)
    return formerRole === role || barred === true || unsure !== undefined ? {} : { formerRole }
  }

  async candidates({ roles, groups }: Quorum): Promise<readonly string[]> {
    const sources = this.#options.roles()
    const { members } = await this.#groups.current(namedGroups(sources))
    return limit([...roles.flatMap((role) => listHolders(role, sources, members)), ...listMembers(groups, members)])
  }

  admins(): readonly string[] {
    return limit(listHolders('admin', this.#options.roles(), this.#groups.known.members))
  }

  groupsWith(role: Role): readonly string[] {
    return role === 'none' ? [] : [...groupsGiving(this.#options.roles(), role)]
  }

  named(name: string): Promise<readonly NamedPerson[]> {
    const { api, clock } = this.#options
    return findNamed(name, { api, clock, teamId: this.#grantedTeam() })
  }

  /** Who has which right by lists and user groups; undefined while Slack has not said who is in the groups. */
  async roster(policyVersion: string): Promise<Roster | undefined> {
    const sources = this.#options.roles()
    const named = namedGroups(sources)
    const { members, ageMs, error } = await this.#groups.current(named)
    if (named.size > 0 && (ageMs === undefined || error !== undefined)) return undefined
    return buildRoster(sources, members, policyVersion)
  }

  /**
   * Slack told that a user group, this one if it said which, or who is in it changed. Most are of no concern here. Slack tells
   * one process, and that one all. Throws StoreError.
   */
  async groupChanged(group: string | undefined): Promise<void> {
    const { roles, remembered, clock } = this.#options
    if (group !== undefined && !namedGroups(roles()).has(group)) return
    this.#groups.invalidate()
    this.#groupsChanged = clock.newId()
    await remembered?.set(GROUPS_CHANGED, this.#groupsChanged, { now: clock.now() })
  }

  /** Who is in these groups, asked anew where another process was told of a change since. */
  async #current(named: ReadonlySet<string>, fresh: boolean): Promise<KnownGroups> {
    const { remembered } = this.#options
    if (remembered !== undefined && named.size > 0) await this.#hear(remembered, fresh)
    return this.#groups.current(named, fresh)
  }

  async #hear(remembered: Pick<Remembered, 'get'>, fresh: boolean): Promise<void> {
    const { clock } = this.#options
    const reading = remembered.get(GROUPS_CHANGED)
    const heard = fresh
      ? { value: await reading }
      : await waitAtMost(clock, HEAR_WITHIN_MS, reading).catch(() => undefined)
    const change = heard?.value?.value
    if (change === undefined || change === this.#groupsChanged) return
    this.#groupsChanged = change
    this.#groups.invalidate()
  }

  #person(userId: string, fresh: boolean): Promise<Person> {
    const now = this.#options.clock.monotonicMs()
    const cached = this.#cache.get(userId)
    if (cached !== undefined && (!fresh || now - cached.atMs < FRESH_MS)) return cached.person
    const lookup = { person: this.#lookUp(userId), atMs: now }
    this.#cache.set(userId, lookup)
    lookup.person.catch(() => this.#cache.get(userId) === lookup && this.#cache.delete(userId))
    return lookup.person
  }

  async #lookUp(userId: string): Promise<Person> {
    try {
      return Profile.parse(await this.#options.api.call('lookup', 'users.info', { user: userId })).user
    } catch (error) {
      const code = error instanceof SlackError ? error.code : ''
      if (code === 'user_not_found' || code === 'user_not_visible')
        throw new UserError('not_permitted', 'Slack does not know this person, so nothing was done.')
      if (TOKEN_REFUSED.has(code)) throw tokenRefused(code)
      const happened = 'Slack could not tell who you are, so nothing was done.'
      throw new UserError('not_permitted', happened, 'Ask again in a moment.')
    }
  }
}

type ActorRole = Omit<Actor, 'id' | 'team' | 'timeZone'>

/** Groups that Slack has not answered for too long still let people read, and count for nothing else. */
function roleBy(sources: RoleSources, userId: string, named: ReadonlySet<string>, known: KnownGroups): ActorRole {
  const { members, ageMs } = known
  const groups = [...named].filter((group) => members.get(group)?.has(userId) === true).toSorted()
  const { role, source, byGroup } = roleIn(sources, userId, new Set(groups))
  const stale = ageMs !== undefined && ageMs > STALE_MS
  const incomplete = [...named].some((group) => !known.named.has(group))
  const mayBeHigher = incomplete && groupCouldRaise(sources, role)
  return {
    role,
    roleSource: mayBeHigher ? `${source}, and ${describeUnknown(known)}` : source,
    ...(byGroup !== undefined && { roleGroup: byGroup }),
    groups: stale ? [] : groups,
    ...((incomplete || stale) && { unsure: describeUnknown(known) }),
    ...(stale && byGroup !== undefined && { writesBarred: describeBarred(role, known) }),
  }
}

type Members = KnownGroups['members']

function listHolders(role: GivenRole, sources: RoleSources, members: Members): readonly string[] {
  return [...listedUsers(sources, role), ...listMembers([...groupsGiving(sources, role)], members)]
}

function listMembers(groups: readonly string[], members: Members): readonly string[] {
  return groups.flatMap((group) => [...(members.get(group) ?? [])])
}

function limit(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].slice(0, MAX_CANDIDATES)
}
