import type { NamedPerson } from '../../operations/declaration/field.ts'
import type { Actor, Quorum, Role } from '../../operations/declaration/role.ts'

/** Who people are and which role they have now; answered by Slack and the configuration, above. */
export interface People {
  /**
   * The actor with this user id, as Slack said within the last minute; with `fresh`, within seconds. Throws UserError
   * `not_permitted` when Slack cannot be asked.
   */
  actor(userId: string, how?: { readonly fresh?: boolean }): Promise<Actor>
  /** Ids of those whom lists and user groups name for this quorum; whether each may is asked one by one. At most 200. */
  candidates(quorum: Quorum): Promise<readonly string[]>
  /** Ids of all admins that lists and user groups name, as last known. At most 200. */
  admins(): readonly string[]
  /** Ids of the user groups that give this role. */
  groupsWith(role: Role): readonly string[]
  /** The active people and user groups with this name, in lower case; nobody where it cannot be found out. Never throws. */
  named(name: string): Promise<readonly NamedPerson[]>
}
