import type * as z from 'zod'
import { turnOfTheLoop } from '../shared/clock.ts'
import { visible } from '../shared/untrusted.ts'
import { jsonBodyOf, MAX_BODY_BYTES, MAX_LOG_PAGE_BYTES, type Reduce, UnreadableBody } from './answer-body.ts'
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
  const { status } = incoming
  const malformed = (why: string): CdnError => new CdnError(endpoint, { kind: 'malformed', status, why })
  const html = 'a web page came instead of an answer'
  if (isHtmlType(incoming)) throw malformed(html)
  const maxBytes = endpoint === 'queryLogs' ? MAX_LOG_PAGE_BYTES : MAX_BODY_BYTES
  const { text, shape } = await jsonBodyOf(incoming, maxBytes, REDUCED[endpoint]).catch((error: unknown) => {
    throw error instanceof UnreadableBody ? malformed(error.message) : cutOff(endpoint, status, error, deadline)
  })
  // Each step over a large body may take what others can wait for; all of them together not.
  await turnOfTheLoop()
  if (isBlank(text)) throw malformed('the body is empty')
  if (looksLikeHtml(text)) throw malformed(html)
  try {
    const body = parseJson(text, shape)
    await turnOfTheLoop()
    return body
  } catch (error) {
    throw malformed(error instanceof JsonProblem ? error.message : 'Not JSON')
  }
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
  throw new CdnError(endpoint, { kind: 'malformed', status, why })
}

/** Whether the header says that the body is a page for a browser. */
export function isHtmlType({ headers }: Incoming): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')
}
