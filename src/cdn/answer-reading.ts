import type * as z from 'zod'
import { turnOfTheLoop } from '../shared/clock.ts'
import { visible } from '../shared/untrusted.ts'
import { bodyOf, MAX_BODY_BYTES, MAX_LOG_PAGE_BYTES, OversizedBody, UnreadableBody } from './answer-body.ts'
import { blankApiKeys } from './api-keys-blanking.ts'
import type { Deadline } from './deadline.ts'
import { type Dialect, LogPage } from './dialect.ts'
import type { EndpointName } from './endpoints.ts'
import { CdnError } from './errors.ts'
import { hasLongNumbers, JsonProblem, parseJson } from './json.ts'
import type { FetchedPage } from './log-pages.ts'
import { readLogRows, UnfitRow, unknownLogFields } from './log-entry.ts'
import { cutOff, type Incoming } from './transport.ts'

const MAX_ISSUES = 3
const MAX_WHY_LENGTH = 200
const WEB_PAGE = 'a web page came instead of an answer'
const SPACE = 0x20
const LESS_THAN = 0x3c

export interface AnswerReading {
  readonly dialect: Pick<Dialect, 'fieldAliases' | 'logFields'>
  readonly onUnknownFields?: ((endpoint: EndpointName, names: readonly string[]) => void) | undefined
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
  const bytes = await takeIn(endpoint, incoming, deadline, MAX_BODY_BYTES)
  return fit(endpoint, schema, await parse(endpoint, incoming.status, bytes), incoming.status, reading)
}

export async function readLogPage(
  incoming: Incoming,
  deadline: Deadline,
  reading: AnswerReading,
): Promise<FetchedPage> {
  const { status } = incoming
  const bytes = await takeIn('queryLogs', incoming, deadline, MAX_LOG_PAGE_BYTES)
  const sent = await parse('queryLogs', status, bytes)
  const { data: rows = [], ...page } = fit('queryLogs', LogPage, sent, status, reading)
  try {
    const entries = await readLogRows(rows, reading.dialect.logFields)
    tell('queryLogs', unknownLogFields(rows[0]), reading)
    return { page, entries, bytes: bytes.length }
  } catch (error) {
    throw error instanceof UnfitRow ? malformed('queryLogs', status, error.message) : error
  }
}

export function isHtmlType({ headers }: Incoming): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '')
}

async function takeIn(
  endpoint: EndpointName,
  incoming: Incoming,
  deadline: Deadline,
  maxBytes: number,
): Promise<Buffer> {
  const { status } = incoming
  if (isHtmlType(incoming)) throw malformed(endpoint, status, WEB_PAGE)
  return bodyOf(incoming, maxBytes).catch((error: unknown) => {
    throw error instanceof UnreadableBody
      ? malformed(endpoint, status, error.message, error instanceof OversizedBody)
      : cutOff(endpoint, status, error, deadline)
  })
}

/** Each step over a large body may take what others can wait for; all of them together not. */
async function parse(endpoint: EndpointName, status: number, bytes: Buffer): Promise<unknown> {
  try {
    const isLong = endpoint === 'listApiKeys' ? blankApiKeys(bytes) : hasLongNumbers(bytes)
    await turnOfTheLoop()
    const json = parseJson(bytes.toString(), isLong)
    await turnOfTheLoop()
    return json
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
    tell(endpoint, unknownFields(schema, body), reading)
    return fitted.data
  }
  const fields = fitted.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path }) => path.map(String).join('.') || 'the answer itself')
  const why = `of the wrong type or missing: ${[...new Set(fields)].join(', ')}`
  throw malformed(endpoint, status, visible(why, MAX_WHY_LENGTH))
}

function tell(endpoint: EndpointName, unknown: readonly string[], { onUnknownFields }: AnswerReading): void {
  if (unknown.length > 0) onUnknownFields?.(endpoint, unknown)
}

function malformed(endpoint: EndpointName, status: number, why: string, isTooLong = false): CdnError {
  return new CdnError(endpoint, { kind: 'malformed', status, why, ...(isTooLong && { isTooLong }) })
}

const MAX_NAMES = 20
/** Items of a list have the same fields: no more of them are looked at. */
const MAX_ITEMS = 20
const MAX_NAME_LENGTH = 64

/**
 * The fields of an answer that its schema does not know, as paths such as `FirstVendorDrm.Level`, each once, at most
 * twenty. They are dropped, and counted so that a platform that has grown is noticed.
 */
export function unknownFields(schema: z.ZodType, answer: unknown): readonly string[] {
  const names = new Set<string>()
  if (isObject(answer)) collect(unwrap(schema), answer, '', names)
  return [...names]
}

/** An answer with fields called by the contract's names; `aliases` maps names on the wire to those. Top level only. */
export function renameFields(answer: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (Object.keys(aliases).length === 0) return answer
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name,
      value,
    ]),
  )
}

function collect({ _zod: { def } }: z.core.$ZodTypes, value: object, path: string, names: Set<string>): void {
  if (def.type === 'array' && Array.isArray(value)) {
    const element = unwrap(def.element)
    for (const item of value.slice(0, MAX_ITEMS)) if (isObject(item)) collect(element, item, path, names)
  }
  if (def.type !== 'object') return
  const fields: Readonly<Record<string, z.core.$ZodType>> = def.shape
  for (const [name, below] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined) {
      if (names.size < MAX_NAMES) names.add(visible(`${path}${name}`, MAX_NAME_LENGTH))
    } else if (isObject(below)) {
      collect(unwrap(field), below, `${path}${name}.`, names)
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What a schema accepts, without the wrappers that make it optional or change its result. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodTypes {
  // Every schema is one of zod's own types, which only this name of theirs tells apart.
  const known = schema as z.core.$ZodTypes
  const { def } = known._zod
  if (def.type === 'pipe') return unwrap(def.in)
  return def.type === 'optional' || def.type === 'nullable' || def.type === 'readonly' ? unwrap(def.innerType) : known
}
