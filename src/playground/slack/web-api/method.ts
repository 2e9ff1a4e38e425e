import * as z from 'zod'
import type { Parts } from '../parts.ts'
import { SlackError } from '../slack-error.ts'

/** Arguments of a call, however they were sent; JSON written in strings is already unfolded. */
export type Arguments = Readonly<Record<string, unknown>>

/** The body of a good answer, without its `ok`. */
export type Answer = Readonly<Record<string, unknown>>

/** One method of the Web API. */
export interface Method {
  /** Which kind of token it takes. */
  readonly token: 'bot' | 'app' | 'any' | 'none'
  /** The scope the bot token must have, if any. */
  readonly scope?: string
  /** Calls a minute that Slack promises to take (its tier); chat.postMessage has a rule of its own besides. */
  readonly perMinute: number
  /** Throws SlackError for what Slack refuses. */
  readonly run: (args: Arguments, parts: Parts) => Answer
}

/** Calls a minute by rate limit tier (docs.slack.dev/apis/web-api/rate-limits); `special` has a high limit of its own. */
export const TIER = { two: 20, three: 50, four: 100, special: 600 } as const

/** Declares a method whose arguments have a shape. Others than those named are ignored, as Slack ignores them. */
export function defineMethod<T>(
  declared: Omit<Method, 'run'> & {
    readonly args: z.ZodType<T>
    readonly run: (args: T, parts: Parts) => Answer
  },
): Method {
  const { args: shape, run, ...rest } = declared
  return {
    ...rest,
    run(args, parts) {
      const parsed = shape.safeParse(args, { reportInput: true })
      if (!parsed.success) throw invalidArguments(parsed.error)
      return run(parsed.data, parts)
    },
  }
}

/** Form bodies have only text, so a yes or no may come as a word. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform((given) => given === true || given === 'true' || given === '1')

/** Form bodies have only text, so a number may come as digits. */
export const wholeNumber = z.coerce.number().int().min(0)

/** Throws `missing_scope`, naming what the token lacks and what it has. */
export function requireScope(parts: Parts, scope: string): void {
  if (parts.app.scopes.includes(scope)) return
  throw new SlackError('missing_scope', { needed: scope, provided: parts.app.scopes.join(',') })
}

function invalidArguments(error: z.ZodError): SlackError {
  const messages = error.issues.map((issue) =>
    issue.input === undefined
      ? `[ERROR] missing required field: ${issue.path.join('.')}`
      : `[ERROR] invalid value [json-pointer:/${issue.path.join('/')}]`,
  )
  return new SlackError('invalid_arguments', { response_metadata: { messages } })
}
