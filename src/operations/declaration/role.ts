/** What a person may be to the bot, lowest first. `none` is everybody to whom nothing gives a role. */
export const ROLES = ['none', 'viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]
/** What lists and user groups can give. */
export type GivenRole = Exclude<Role, 'none'>

export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/**
 * What an operation does, from harmless to grave; the policy decides by it. A sensitive read is written to the audit
 * log before it is shown. `acknowledge` only says that somebody is looking at what an alert told, and `write to the bot`
 * changes anything else of the bot's own store.
 */
export const EFFECTS = [
  'read',
  'sensitive read',
  'acknowledge',
  'write to the bot',
  'write',
  'billed or irreversible',
] as const
export type Effect = (typeof EFFECTS)[number]
/** The least role that it takes, where a declaration asks for no other. */
export function leastRole(effect: Effect): Role {
  return effect === 'read' ? 'viewer' : 'operator'
}

export type WriteEffect = Extract<Effect, 'write' | 'billed or irreversible'>

export function isRead(effect: Effect): boolean {
  return effect === 'read' || effect === 'sensitive read'
}

/** Whether the effect is in the bot's own store: such a delivery has it once, and is acknowledged when it is committed. */
export function writesToBot(effect: Effect): boolean {
  return effect === 'write to the bot' || effect === 'acknowledge'
}

export const A_GROUP = 'a user group'

export interface Actor {
  readonly id: string
  readonly team: string
  readonly role: Role
  /** Where the role comes from, or why there is none, as a sentence part: "listed in OPERATORS". */
  readonly roleSource: string
  /** The higher one that they had lately, where that is known. */
  readonly formerRole?: Role | undefined
  /** The user group that gives it, where one does; `roleSource` calls it `A_GROUP`. */
  readonly roleGroup?: string | undefined
  /** The Slack user groups they are in, of those that the configuration names. */
  readonly groups: readonly string[]
  /** Why nothing but reading goes now, though the role would allow more: Slack has not said for too long who is in it. */
  readonly writesBarred?: string | undefined
  /** True for those to whom nobody can give a role, as they are no full members of this workspace. */
  readonly barred?: boolean | undefined
  /** Why they may be and do more than this says, as a sentence part: Slack has not said who is in a user group. */
  readonly unsure?: string | undefined
  /** IANA time zone of the person's Slack profile; UTC when unknown. */
  readonly timeZone: string
}

export interface Quorum {
  readonly count: number
  readonly roles: readonly GivenRole[]
  readonly groups: readonly string[]
}

export interface Decision {
  /** The least role that it takes, where want of one is why not. */
  readonly neededRole?: Role
  readonly kind: 'run' | 'confirm' | 'approve' | 'deny'
  readonly reason: string
  /** For `approve`: each of them has to be met. */
  readonly quorums?: readonly Quorum[]
  /** For `approve`: this person may do it alone all the same, with a reason that is told to all admins. */
  readonly breakGlass?: boolean
}
