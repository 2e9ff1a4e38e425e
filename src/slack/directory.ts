import * as z from 'zod'
import type { Actor, Role } from '../operations/role.ts'
import type { Clock } from '../shared/clock.ts'
import { UserError } from '../shared/errors.ts'
import type { WebApi } from './web-api.ts'

/** Old enough to spare Slack a call for each click, young enough that a deactivated person is soon out. */
const FRESH_MS = 60_000
const MAX_KNOWN = 1_000

export interface RoleLists {
  readonly admins: ReadonlySet<string>
  readonly operators: ReadonlySet<string>
  readonly viewers: ReadonlySet<string> | 'everybody'
}

export interface DirectoryOptions {
  readonly api: WebApi
  readonly clock: Clock
  readonly roles: RoleLists
  /** The workspace the bot is installed in. */
  readonly teamId: () => string
}

/** What Slack says of somebody. Of a deactivated person it leaves most out; what would give a right has to be there. */
const Profile = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    deleted: z.boolean().default(false),
    is_bot: z.boolean().optional(),
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
    is_stranger: z.boolean().default(false),
    tz: z.string().optional(),
  }),
})
type Person = z.output<typeof Profile>['user']

/** Who somebody is and which role they have: from the settings' lists, and from Slack that they are a full member. */
export class Directory {
  readonly #options: DirectoryOptions
  readonly #known = new Map<string, { readonly person: Promise<Person>; readonly at: number }>()

  constructor(options: DirectoryOptions) {
    this.#options = options
  }

  /**
   * The actor for a Slack user, as Slack said within the last minute, or with `fresh` says now. Throws UserError
   * `not_permitted` when Slack cannot be asked: without knowing who somebody is, nothing is done for them.
   */
  async actor(userId: string, { fresh = false } = {}): Promise<Actor> {
    if (fresh) this.#known.delete(userId)
    const person = await this.#person(userId)
    const team = person.team_id ?? this.#options.teamId()
    const barred = this.#barred(person)
    const { role, roleSource } =
      barred === undefined ? this.#roleOf(userId) : { role: 'none' as const, roleSource: barred }
    return { id: userId, team, role, roleSource, timeZone: zoneOf(person.tz) }
  }

  async #person(userId: string): Promise<Person> {
    const now = this.#options.clock.monotonicMs()
    const known = this.#known.get(userId)
    if (known !== undefined && now - known.at < FRESH_MS) return known.person
    const person = this.#lookUp(userId)
    this.#known.delete(userId)
    this.#known.set(userId, { person, at: now })
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
    person.catch(() => {
      if (this.#known.get(userId)?.person === person) this.#known.delete(userId)
    })
    return person
  }

  async #lookUp(userId: string): Promise<Person> {
    try {
      return Profile.parse(await this.#options.api.call('lookup', 'users.info', { user: userId })).user
    } catch {
      throw new UserError(
        'not_permitted',
        'Slack could not tell who you are, so nothing was done.',
        'Ask again in a moment.',
      )
    }
  }

  #barred(person: Person): string | undefined {
    if (person.deleted) return 'this account is deactivated'
    if (person.is_bot === true) return 'bots have no role'
    if (person.is_stranger || person.team_id !== this.#options.teamId())
      return 'people of other workspaces have no role'
    if (person.is_restricted === true || person.is_ultra_restricted === true) return 'guests have no role'
    const stated = [person.is_bot, person.is_restricted, person.is_ultra_restricted]
    return stated.includes(undefined) ? 'Slack does not say that this is a full member' : undefined
  }

  #roleOf(userId: string): { role: Role; roleSource: string } {
    const { admins, operators, viewers } = this.#options.roles
    if (admins.has(userId)) return { role: 'admin', roleSource: 'listed in ADMINS' }
    if (operators.has(userId)) return { role: 'operator', roleSource: 'listed in OPERATORS' }
    if (viewers === 'everybody') return { role: 'viewer', roleSource: 'VIEWERS is every full member' }
    if (viewers.has(userId)) return { role: 'viewer', roleSource: 'listed in VIEWERS' }
    return { role: 'none', roleSource: 'no setting names this user id' }
  }
}

function zoneOf(timeZone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
