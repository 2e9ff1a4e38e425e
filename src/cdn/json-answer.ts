import type * as z from 'zod'
import { turnOfTheLoop } from '../shared/clock.ts'
import { visible } from '../shared/untrusted.ts'
import {
  type JsonBody,
  jsonBodyOf,
  MAX_BODY_BYTES,
  MAX_LOG_PAGE_BYTES,
  OversizedBody,
  type Reduce,
  reducedBody,
  UnreadableBody,
  wholeBodyOf,
  wipedBodyOf,
} from './answer-body.ts'
import { reduceApiKeys } from './api-keys-reduction.ts'
import type { Deadline } from './deadline.ts'
import type { EndpointName } from './endpoints.ts'
import { looksLikeHtml } from './error-body.ts'
import { CdnError } from './errors.ts'
import { JsonProblem, parseJson } from './json.ts'
import { cutOff, type Incoming } from './transport.ts'

const MAX_ISSUES = 3
const MAX_WHY_LENGTH = 200

/** Answers that hold what must never become text. */
const REDUCED: { readonly [Name in EndpointName]?: Reduce } = { listApiKeys: reduceApiKeys }

/** Reads the body of a 2xx answer as JSON. Throws `CdnError`: malformed with what is wrong, or unreachable if it broke off. */
export async function readJson(endpoint: EndpointName, incoming: Incoming, deadline: Deadline): Promise<unknown> {
  const { sent } = await readPlainOr(endpoint, incoming, deadline, () => undefined)
  return sent
}

/**
 * As `readJson`, of an answer that holds what must never become text. `plain` gets its bytes, and what it makes of them is all
 * there is. What it leaves is reduced before it is made into text; then `sent` is what that says.
 */
export async function readPlainOr<T>(
  endpoint: EndpointName,
  incoming: Incoming,
  deadline: Deadline,
  plain: (whole: Buffer) => T | undefined,
): Promise<{ readonly plain: T | undefined; readonly sent: unknown }> {
  const reduce = REDUCED[endpoint]
  const maxBytes = maxBytesOf(endpoint)
  const body = await taken(endpoint, incoming, deadline, async () =>
    reduce === undefined
      ? { plain: undefined, json: await jsonBodyOf(incoming, maxBytes) }
      : wipedBodyOf(incoming, maxBytes, async (whole) => {
          const made = plain(whole)
          if (made !== undefined) return { plain: made, json: undefined }
          // What was tried before has taken its time as well.
          await turnOfTheLoop()
          return { plain: undefined, json: await reducedBody(whole, reduce) }
        }),
  )
  const sent = body.json === undefined ? undefined : await parsedBody(endpoint, incoming.status, body.json)
  return { plain: body.plain, sent }
}

/** Its bytes, not looked at yet. Throws likewise. */
export async function readBytes(endpoint: EndpointName, incoming: Incoming, deadline: Deadline): Promise<Buffer> {
  return taken(endpoint, incoming, deadline, async () => wholeBodyOf(incoming, maxBytesOf(endpoint)))
}

/** The value of a body that has been taken in. Throws malformed. */
export async function parsedBody(endpoint: EndpointName, status: number, { text, shape }: JsonBody): Promise<unknown> {
  // Each step over a large body may take what others can wait for; all of them together not.
  await turnOfTheLoop()
  if (isBlank(text)) throw malformed(endpoint, status, 'the body is empty')
  if (looksLikeHtml(text)) throw malformed(endpoint, status, WEB_PAGE)
  try {
    const body = parseJson(text, shape)
    await turnOfTheLoop()
    return body
  } catch (error) {
    throw malformed(endpoint, status, error instanceof JsonProblem ? error.message : 'Not JSON')
  }
}

const WEB_PAGE = 'a web page came instead of an answer'

async function taken<T>(
  endpoint: EndpointName,
  incoming: Incoming,
  deadline: Deadline,
  take: () => Promise<T>,
): Promise<T> {
  const { status } = incoming
  if (isHtmlType(incoming)) throw malformed(endpoint, status, WEB_PAGE)
  return take().catch((error: unknown) => {
    throw error instanceof UnreadableBody
      ? malformed(endpoint, status, error.message, error instanceof OversizedBody)
      : cutOff(endpoint, status, error, deadline)
  })
}

function maxBytesOf(endpoint: EndpointName): number {
  return endpoint === 'queryLogs' ? MAX_LOG_PAGE_BYTES : MAX_BODY_BYTES
}

function malformed(endpoint: EndpointName, status: number, why: string, isTooLong = false): CdnError {
  return new CdnError(endpoint, { kind: 'malformed', status, why, ...(isTooLong && { isTooLong }) })
}

function isBlank(text: string): boolean {
  return !/\S/.test(text)
}

/** Passes a parsed body through its schema. Throws malformed naming the fields that do not fit, never their values. */
export function fitAnswer<Schema extends z.ZodType>(
  endpoint: EndpointName,
  schema: Schema,
  status: number,
  body: unknown,
): z.output<Schema> {
  const fitted = schema.safeParse(body)
  if (fitted.success) return fitted.data
  const fields = fitted.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path }) => path.map(String).join('.') || 'the answer itself')
  const why = visible(`of the wrong type or missing: ${[...new Set(fields)].join(', ')}`, MAX_WHY_LENGTH)
  throw malformed(endpoint, status, why)
}

/** Whether the header says that the body is a page for a browser. */
export function isHtmlType({ headers }: Incoming): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')
}
