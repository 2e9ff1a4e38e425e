import { type Logger, LogLevel, webApi } from '@slack/bolt'
import * as z from 'zod'
import { UserError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import type { Secret } from '../../shared/secret.ts'

export type Fetch = NonNullable<webApi.WebClientOptions['fetch']>

/**
 * How response addresses and upload addresses are posted to: no redirect is followed. Rejects when there is no answer or
 * the signal aborts; the error may hold the address.
 */
export type Post = (
  url: string,
  sending: { readonly type: string; readonly body: string; readonly signal: AbortSignal },
) => Promise<{ readonly ok: boolean; readonly text: string }>

/**
 * One client each, because a 429 on one call pauses every other call of the same client: `interactive` opens forms
 * before their trigger expires, `deliver` posts, `lookup` asks who somebody is.
 */
export type ApiClient = 'interactive' | 'deliver' | 'lookup'

/** Retries stay off where a call has an effect: Slack may have carried it out before its answer was lost. */
const CLIENTS: Readonly<Record<ApiClient, { timeout: number; retries: number }>> = {
  interactive: { timeout: 2_500, retries: 0 },
  deliver: { timeout: 10_000, retries: 0 },
  lookup: { timeout: 2_500, retries: 1 },
}

/**
 * Slack refused a call, or did not answer it. `code` is Slack's own word, or `no_answer`, `http_error`, `ratelimited`;
 * `blocks` are the places of those that it named as wrong.
 */
export class SlackError extends Error {
  override readonly name = 'SlackError'
  readonly code: string
  readonly retryAfterMs: number | undefined
  readonly blocks: readonly number[]

  constructor(method: string, code: string, retryAfterMs?: number, blocks: readonly number[] = []) {
    super(`${method}: ${code}`)
    this.code = code
    this.retryAfterMs = retryAfterMs
    this.blocks = blocks
  }
}

/** Answers of Slack about a token that no waiting changes. */
export const TOKEN_REFUSED: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
])

export function tokenRefused(code: string): UserError {
  const happened = `Slack refuses the token of CDN Ops (${code}), so nothing was done.`
  return new UserError('not_permitted', happened, 'Tell whoever runs CDN Ops to look at SLACK_BOT_TOKEN.')
}

export interface WebApiOptions {
  readonly apiUrl: URL
  readonly token: Secret
  readonly fetch: Fetch
  readonly log: Log
  /** Called after each answer that shows whether Slack takes the token, with its error code where it does not. */
  readonly onToken?: (refused: string | undefined) => void
}

const Answer = z.record(z.string(), z.unknown())
export type SlackAnswer = Readonly<z.output<typeof Answer>>

/** Calls to Slack's Web API, each by the client for its purpose. Throws `SlackError`, which holds nothing of what was sent. */
export class WebApi {
  readonly #clients: Readonly<Record<ApiClient, webApi.WebClient>>
  readonly #onToken: WebApiOptions['onToken']

  constructor({ apiUrl, token, fetch, log, onToken }: WebApiOptions) {
    this.#onToken = onToken
    const make = (name: ApiClient): webApi.WebClient =>
      new webApi.WebClient(token.reveal(), {
        slackApiUrl: apiUrl.href,
        fetch,
        timeout: CLIENTS[name].timeout,
        retryConfig: { retries: CLIENTS[name].retries, minTimeout: 200, maxTimeout: 500 },
        rejectRateLimitedCalls: true,
        allowAbsoluteUrls: false,
        logger: boltLog(log),
      })
    this.#clients = { interactive: make('interactive'), deliver: make('deliver'), lookup: make('lookup') }
  }

  async call(client: ApiClient, method: string, args: Record<string, unknown>): Promise<SlackAnswer> {
    try {
      const answer = Answer.parse(await this.#clients[client].apiCall(method, args))
      this.#onToken?.(undefined)
      return answer
    } catch (error) {
      const refusal = toSlackError(method, error)
      if (TOKEN_REFUSED.has(refusal.code)) this.#onToken?.(refusal.code)
      throw refusal
    }
  }
}

const CODE = /^[a-z0-9_]{1,60}$/

/** The places of blocks that an answer of Slack's points at, as in `[json-pointer:/blocks/2/type]`. */
export function blocksNamedIn(answer = ''): readonly number[] {
  return [...answer.matchAll(/\[json-pointer:\/blocks\/(\d{1,2})\b/g)].map(([, place]) => Number(place))
}

function toSlackError(method: string, error: unknown): SlackError {
  if (error instanceof webApi.WebAPIPlatformError) {
    // Slack's library takes any page that is no JSON for the name of an error.
    const { error: code, response_metadata: more } = error.data
    return new SlackError(method, CODE.test(code) ? code : 'http_error', undefined, blocksNamedIn(JSON.stringify(more)))
  }
  if (error instanceof webApi.WebAPIRateLimitedError)
    return new SlackError(method, 'ratelimited', error.retryAfter * 1_000)
  if (error instanceof webApi.WebAPIHTTPError) return new SlackError(method, 'http_error')
  return new SlackError(method, 'no_answer')
}

/**
 * Slack's libraries log through this. Nothing below a warning is taken from them: their debug lines hold whole
 * payloads, response addresses and trigger ids.
 */
export function boltLog(log: Log): Logger {
  const own = log.child({ from: 'slack-sdk' })
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts) => own.warn(textOf(parts)),
    error: (...parts) => own.error(textOf(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  }
}

const MAX_CHARACTERS = 500

/** Of an error only its message: its own properties may hold what was sent. */
function textOf(parts: readonly unknown[]): string {
  return parts
    .map((part) => (part instanceof Error ? part.message : String(part)))
    .join(' ')
    .slice(0, MAX_CHARACTERS)
}
