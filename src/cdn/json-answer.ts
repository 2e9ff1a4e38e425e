import type * as z from 'zod'
import { visible } from '../shared/untrusted.ts'
import { MAX_BODY_BYTES, textOf, UnreadableBody } from './answer-body.ts'
import type { Deadline } from './deadline.ts'
import type { EndpointName } from './endpoints.ts'
import { looksLikeHtml } from './error-body.ts'
import { CdnError } from './errors.ts'
import { JsonProblem, parseJson } from './json.ts'
import { cutOff, type Incoming } from './transport.ts'

const MAX_ISSUES = 3
const MAX_WHY_LENGTH = 200

/** Reads the body of a 2xx answer as JSON. Throws `CdnError`: malformed with what is wrong, or unreachable if it broke off. */
export async function readJson(endpoint: EndpointName, incoming: Incoming, deadline: Deadline): Promise<unknown> {
  const { status } = incoming
  const malformed = (why: string): CdnError => new CdnError(endpoint, { kind: 'malformed', status, why })
  const html = 'a web page came instead of an answer'
  if (isHtmlType(incoming)) throw malformed(html)
  const text = await textOf(incoming, MAX_BODY_BYTES).catch((error: unknown) => {
    throw error instanceof UnreadableBody ? malformed(error.message) : cutOff(endpoint, status, error, deadline)
  })
  if (text.trim() === '') throw malformed('the body is empty')
  if (looksLikeHtml(text)) throw malformed(html)
  try {
    return parseJson(text)
  } catch (error) {
    throw malformed(error instanceof JsonProblem ? error.message : 'Not JSON')
  }
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
