import type { People } from '../../src/execution/executor.ts'
import { countsFor } from '../../src/execution/quorum.ts'
import type { Actor, Quorum } from '../../src/operations/role.ts'
import { UserError } from '../../src/shared/errors.ts'

/** People as a test lists them; whoever is not listed is nobody to the bot. */
export class ListedPeople implements People {
  readonly #listed = new Map<string, Actor>()
  /** Ids that were asked about as they are right now, not within the last minute. */
  readonly askedAfresh: string[] = []
  /** Set to make Slack unable to say who anybody is. */
  unreachable = false

  constructor(...people: readonly Actor[]) {
    for (const person of people) this.list(person)
  }

  list(...people: readonly Actor[]): void {
    for (const person of people) this.#listed.set(person.id, person)
  }

  async actor(userId: string, { fresh = false }: { readonly fresh?: boolean } = {}): Promise<Actor> {
    if (this.unreachable) throw new UserError('not_permitted', 'Slack could not tell who you are.')
    if (fresh) this.askedAfresh.push(userId)
    const nobody = {
      id: userId,
      team: 'T1',
      role: 'none',
      roleSource: 'not listed',
      groups: [],
      timeZone: 'UTC',
    } as const
    return this.#listed.get(userId) ?? nobody
  }

  async candidates(quorum: Quorum): Promise<readonly string[]> {
    return [...this.#listed.values()].filter((person) => countsFor(quorum, person)).map(({ id }) => id)
  }

  admins(): readonly string[] {
    return [...this.#listed.values()].filter(({ role }) => role === 'admin').map(({ id }) => id)
  }
}
