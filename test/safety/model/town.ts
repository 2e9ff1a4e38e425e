import { UserError } from '../../../src/shared/errors.ts'
import type { Actor, Quorum, Role } from '../../../src/operations/declaration/role.ts'

/** In the order in which a person is picked by its number: who asks, who may approve, who may not. */
export const TOWN = ['UOLGA', 'UOTTO', 'UOSKAR', 'UADA', 'UVERA', 'UNINA'] as const
/** Members may go without approval, where the policy says so. */
export const BREAK_GLASS = 'SGLASS'

const BEGIN: Readonly<Record<(typeof TOWN)[number], Role>> = {
  UOLGA: 'operator',
  UOTTO: 'operator',
  UOSKAR: 'operator',
  UADA: 'admin',
  UVERA: 'viewer',
  UNINA: 'none',
}

/** Who people are at this moment, whatever anybody remembers of them. */
export class Town {
  readonly #roles = new Map<string, Role>(Object.entries(BEGIN))
  #reach: 'answers' | 'refuses' | 'hangs' = 'answers'
  /** So many questions are answered before that begins. */
  #before = 0
  #waiting: (() => void)[] = []

  now(id: string): Actor {
    return {
      id,
      team: 'T1',
      role: this.#roles.get(id) ?? 'none',
      roleSource: 'listed for a test',
      groups: id === 'UOSKAR' ? [BREAK_GLASS] : [],
      timeZone: 'UTC',
    }
  }

  give(id: string, role: Role): void {
    this.#roles.set(id, role)
  }

  /** How Slack takes questions, after so many more; those that hung are answered once it answers again. */
  reach(how: 'answers' | 'refuses' | 'hangs', before = 0): void {
    this.#reach = how
    this.#before = before
    if (how === 'hangs') return
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }

  get answers(): boolean {
    return this.#reach === 'answers'
  }

  async actor(id: string): Promise<Actor> {
    if (this.#before > 0) this.#before -= 1
    else if (this.#reach === 'hangs') await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    else if (this.#reach === 'refuses') throw new UserError('not_permitted', 'Slack could not tell who this is.')
    return this.now(id)
  }

  async candidates({ roles }: Quorum): Promise<readonly string[]> {
    return TOWN.filter((id) => roles.some((role) => role === this.now(id).role))
  }

  groupsWith(): readonly string[] {
    return []
  }

  async named(): Promise<readonly []> {
    return []
  }

  admins(): readonly string[] {
    return TOWN.filter((id) => this.now(id).role === 'admin')
  }
}
