/**
 * An error a person in Slack can act on. Anything else is a platform failure (`CdnError`) or a bug, which is logged
 * with its stack and shown as an incident number.
 *
 * `message` says what happened and what was not done; `hint` says what to do next. Both are plain text.
 */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly code: UserErrorCode
  readonly hint: string | undefined
  /** The operation that admins can be asked to allow. */
  readonly access: string | undefined

  constructor(code: UserErrorCode, message: string, hint?: string, access?: string) {
    super(message)
    this.code = code
    this.hint = hint
    this.access = access
  }
}

export type UserErrorCode =
  /** A value is missing or breaks a stated rule. */
  | 'invalid_input'
  /** The person's role, or the lack of one, forbids it. */
  | 'not_permitted'
  /** What a button or form belonged to is gone, answered or too old. */
  | 'expired'
  /** Slack delivered something twice; its effect was had the first time. */
  | 'repeated'
  /** A bound of the bot was reached: too many waiting, a slot not free in time, a list too long. */
  | 'busy'
  /** The bot cannot write its record, so it does nothing that needs one. */
  | 'store_unavailable'

/** What somebody set or wrote cannot be used. Each problem is a sentence that says how to mend it, and quotes no secret. */
export class ProblemsError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join(' '))
    this.problems = problems
  }
}

/** The code that Node or a library gave an error, such as `ENOENT`; empty where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Marks the branch of a switch that the types say cannot be reached. Throws if it is. */
export function unreachable(value: never): never {
  throw new TypeError(`Unhandled case: ${JSON.stringify(value)}`)
}
