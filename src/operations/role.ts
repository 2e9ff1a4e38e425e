/** What a person may be to the bot, lowest first. `none` is everybody whom no setting names. */
export const ROLES = ['none', 'viewer', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** True when `role` is at least `needed`. */
export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/**
 * What an operation does, from harmless to grave; the policy decides by it. A sensitive read is written to the audit
 * log before it is shown. `write to the bot` changes only the bot's own store.
 */
export const EFFECTS = ['read', 'sensitive read', 'write to the bot', 'write', 'billed or irreversible'] as const
export type Effect = (typeof EFFECTS)[number]

/** Who is asking, as far as Slack and the settings tell. */
export interface Actor {
  /** Slack user id. */
  readonly id: string
  /** Slack team id of the workspace the person belongs to. */
  readonly team: string
  readonly role: Role
  /** Where the role comes from, or why there is none, as a sentence part: "listed in OPERATORS". */
  readonly roleSource: string
  /** IANA time zone of the person's Slack profile; UTC when unknown. */
  readonly timeZone: string
}

/** What the policy says to an actor about an operation. */
export interface Decision {
  readonly kind: 'run' | 'confirm' | 'approve' | 'deny'
  /** The rule behind it, as a sentence for people. */
  readonly reason: string
}
