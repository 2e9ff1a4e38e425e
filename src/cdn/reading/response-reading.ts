import type * as z from 'zod'
import { turnOfTheLoop } from '../../shared/clock.ts'
import { visible } from '../../shared/untrusted.ts'
import {
  bodyOf,
  type Incoming,
  MAX_BODY_BYTES,
  MAX_LOG_PAGE_BYTES,
  OversizedBody,
  UnreadableBody,
} from '../http/response-body.ts'
import { blankApiKeys } from './api-keys-blanking.ts'
import type { Deadline } from '../http/deadline.ts'
import { type Dialect, LogPage } from '../contract/dialect.ts'
import type { EndpointName } from '../contract/endpoints.ts'
import { CdnError } from '../contract/errors.ts'
import { checkJsonSize, JsonProblem, parseJson } from '../../shared/json.ts'
import type { FetchedPage } from './log-pages.ts'
import { LOG_FIELDS, readLogRows, UnfitRow } from '../contract/log-entry.ts'
import { cutOff } from '../http/transport.ts'

const MAX_ISSUES = 3
const MAX_WHY_LENGTH = 200
const WEB_PAGE = 'a web page came instead of an answer'
const SPACE = 0x20
const LESS_THAN = 0x3c

export interface AnswerReading {
  readonly dialect: Pick<Dialect, 'fieldAliases' | 'logFields'>
  readonly onUnknownFields?: ((endpoint: EndpointName, count: number) => void) | undefined
}

/**
 * From the bytes of a 2xx answer to what its schema makes of it. Throws `CdnError`: malformed with what is wrong, or
 * unreachable if it broke off.
 */
export async function readAnswer<Schema extends z.ZodType>(
  endpoint: EndpointName,
  schema: Schema,
  incoming: Incoming,
  deadline: Deadline,
  reading: AnswerReading,
): Promise<z.output<Schema>> {
  const { sent } = await takeIn(endpoint, incoming, deadline, MAX_BODY_BYTES)
  return fit(endpoint, schema, sent, incoming.status, reading)
}

/** Leaves unread whatever comes with a 2xx that has no answer to read; but a web page is no yes of the platform. */
export function readNothing(endpoint: EndpointName, incoming: Incoming): undefined {
  if (isHtmlType(incoming)) throw malformed(endpoint, incoming.status, WEB_PAGE)
}

export async function readLogPage(
  incoming: Incoming,
  deadline: Deadline,
  reading: AnswerReading,
): Promise<FetchedPage> {
  const { status } = incoming
  const { sent, bytes } = await takeIn('queryLogs', incoming, deadline, MAX_LOG_PAGE_BYTES)
  const { data: rows = [], ...page } = fit('queryLogs', LogPage, sent, status, reading)
  try {
    const entries = await readLogRows(rows, reading.dialect.logFields)
    // All rows of a page have the same fields.
    countUnknown('queryLogs', rows[0], KNOWN_IN_ROWS, reading)
    return { page, entries, bytes }
  } catch (error) {
    throw error instanceof UnfitRow ? malformed('queryLogs', status, error.message) : error
  }
}

export function isHtmlType({ headers }: Incoming): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')
}

/** Each step over a large body may take what others can wait for; all of them together not. */
async function takeIn(endpoint: EndpointName, incoming: Incoming, deadline: Deadline, maxBytes: number) {
  const { status } = incoming
  if (isHtmlType(incoming)) throw malformed(endpoint, status, WEB_PAGE)
  const bytes = await bodyOf(incoming, maxBytes).catch((error: unknown) => {
    throw error instanceof UnreadableBody
      ? malformed(endpoint, status, error.message, error instanceof OversizedBody)
      : cutOff(endpoint, status, error, deadline)
  })
  try {
    await turnOfTheLoop()
    checkJsonSize(bytes)
    if (endpoint === 'listApiKeys') blankApiKeys(bytes)
    await turnOfTheLoop()
    const text = bytes.toString()
    await turnOfTheLoop()
    const sent = parseJson(text)
    await turnOfTheLoop()
    return { sent, bytes: bytes.length }
  } catch (error) {
    throw error instanceof JsonProblem ? malformed(endpoint, status, problemWith(bytes, error)) : error
  } finally {
    bytes.fill(0)
  }
}

/** What came in place of JSON is known by how it begins. */
function problemWith(bytes: Buffer, { message }: JsonProblem): string {
  const first = bytes.find((byte) => byte > SPACE)
  if (first === undefined) return 'the body is empty'
  return first === LESS_THAN ? WEB_PAGE : message
}

function fit<Schema extends z.ZodType>(
  endpoint: EndpointName,
  schema: Schema,
  sent: unknown,
  status: number,
  reading: AnswerReading,
): z.output<Schema> {
  const body = renameFields(sent, reading.dialect.fieldAliases)
  const fitted = schema.safeParse(body)
  if (fitted.success) {
    countUnknown(endpoint, body, Object.keys(Object(fitted.data)), reading)
    return fitted.data
  }
  const fields = fitted.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path }) => path.map(String).join('.') || 'the answer itself')
  const why = `of the wrong type or missing: ${[...new Set(fields)].join(', ')}`
  throw malformed(endpoint, status, visible(why, MAX_WHY_LENGTH))
}

/** One is known, and never read. */
const KNOWN_IN_ROWS: readonly string[] = [...LOG_FIELDS, 'authorizationHeader']

/** Fields that the contract does not have are dropped, and counted so that a platform that has grown is noticed. */
function countUnknown(
  endpoint: EndpointName,
  sent: unknown,
  known: readonly string[],
  { onUnknownFields }: AnswerReading,
): void {
  const { length } = Object.keys(Object(sent)).filter((name) => !known.includes(name))
  if (length > 0) onUnknownFields?.(endpoint, length)
}

function malformed(endpoint: EndpointName, status: number, why: string, isTooLong = false): CdnError {
  return new CdnError(endpoint, { kind: 'malformed', status, why, ...(isTooLong && { isTooLong }) })
}

/** An answer with fields called by the contract's names; `aliases` maps names on the wire to those. Top level only. */
export function renameFields(answer: unknown, aliases: Readonly<Record<string, string>>): unknown {
  const names = new Map(Object.entries(aliases))
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [names.get(name) ?? name, value]))
}
