import type { Clock } from '../shared/clock.ts'
import { UserError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'

const TOLD_EVERY_MS = 60_000
/** After so long without a call nobody knows any more whether Slack would take one. */
const KNOWN_FOR_MS = 5 * 60_000

/** Answers of Slack about a token that no waiting changes. */
export const TOKEN_REFUSED: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
])

/** Whether Slack takes the bot token, as its last answer says; that it does not is logged once a minute. */
export class TokenWatch {
  readonly #clock: Clock
  readonly #log: Log
  #refused: string | undefined
  #heardMs = Number.NEGATIVE_INFINITY
  #toldMs = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  /** Slack's own word for why it does not; undefined while it does. */
  get refused(): string | undefined {
    return this.#refused
  }

  /** Whether it had better be found out by a call: nothing else may make one. */
  get isInDoubt(): boolean {
    return this.#refused !== undefined || this.#clock.monotonicMs() - this.#heardMs > KNOWN_FOR_MS
  }

  /** Told of each answer that says something about the token: Slack's word, or undefined where the call succeeded. */
  heard(code: string | undefined): void {
    if (code === undefined && this.#refused !== undefined) this.#log.info('Slack takes the bot token again')
    this.#refused = code
    const now = this.#clock.monotonicMs()
    this.#heardMs = now
    if (code === undefined || now - this.#toldMs < TOLD_EVERY_MS) return
    this.#toldMs = now
    this.#log.error({ code }, 'Slack refuses SLACK_BOT_TOKEN: nobody can be looked up, nothing posted, no form opened')
  }
}

/** The same for whoever asked for something meanwhile. */
export function tokenRefused(code: string): UserError {
  const happened = `Slack refuses the token of CDN Ops (${code}), so nothing was done.`
  return new UserError('not_permitted', happened, 'Tell whoever runs CDN Ops to look at SLACK_BOT_TOKEN.')
}
