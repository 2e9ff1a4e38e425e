import type * as z from 'zod'
import { turnOfTheLoop } from '../shared/clock.ts'
import { jsonBody } from './answer-body.ts'
import { ApiKeyList } from './api-keys.ts'
import type { Deadline } from './deadline.ts'
import { type Dialect, LogPage } from './dialect.ts'
import type { EndpointName } from './endpoints.ts'
import { CdnError } from './errors.ts'
import { fitAnswer, parsedBody, readBytes, readJson, readPlainOr } from './json-answer.ts'
import { JsonProblem, parseJson } from './json.ts'
import type { FetchedPage } from './log-pages.ts'
import { logPieces } from './log-pieces.ts'
import { UnfitRow } from './log-row.ts'
import { LogRows } from './log-rows.ts'
import { plainApiKeys } from './plain-api-keys.ts'
import type { Incoming } from './transport.ts'
import { renameFields, unknownFields } from './unknown-fields.ts'

/** What there is to know about an answer besides its endpoint. */
export interface AnswerReading {
  readonly dialect: Pick<Dialect, 'fieldAliases' | 'logFields'>
  /** Told the names of fields that were dropped because the contract does not have them. */
  readonly onUnknownFields?: ((endpoint: EndpointName, names: readonly string[]) => void) | undefined
}

/** From the bytes of a 2xx answer to what its schema makes of it. Throws `CdnError`, as `readJson` and `fitAnswer`. */
export async function readAnswer<Schema extends z.ZodType>(
  endpoint: EndpointName,
  schema: Schema,
  incoming: Incoming,
  deadline: Deadline,
  reading: AnswerReading,
): Promise<z.output<Schema>> {
  return fit(endpoint, schema, await readJson(endpoint, incoming, deadline), incoming.status, reading)
}

/** From the bytes of a page of keys to the keys, redacted. Throws as `readAnswer`. */
export async function readApiKeys(incoming: Incoming, deadline: Deadline, reading: AnswerReading): Promise<ApiKeyList> {
  const isUsual = !Object.keys(ApiKeyList.shape).some((name) => isRenamed(name, reading))
  const { plain, sent } = await readPlainOr('listApiKeys', incoming, deadline, isUsual ? plainApiKeys : () => undefined)
  return plain ?? fit('listApiKeys', ApiKeyList, sent, incoming.status, reading)
}

/** From the bytes of a page of version 2 to its envelope and entries. Throws as `readAnswer`. */
export async function readLogPage(
  incoming: Incoming,
  deadline: Deadline,
  reading: AnswerReading,
): Promise<FetchedPage> {
  const body = await readBytes('queryLogs', incoming, deadline)
  return (await readInPieces(body, incoming.status, reading)) ?? readAsAWhole(body, incoming.status, reading)
}

/** Undefined for what is no page as the platform sends it: what is wrong with it, if anything, is found in the whole. */
async function readInPieces(body: Buffer, status: number, reading: AnswerReading): Promise<FetchedPage | undefined> {
  const parts = isRenamed('data', reading) ? undefined : logPieces(body)
  if (parts === undefined) return undefined
  const rows = new LogRows(reading.dialect.logFields)
  try {
    parseJson(parts.head)
    const envelope = parseJson(parts.envelope)
    for (const piece of parts.pieces) await rows.readPiece(piece)
    return fetched(fit('queryLogs', LogPage, envelope, status, reading), rows, body.length, reading)
  } catch (error) {
    if (error instanceof JsonProblem || error instanceof UnfitRow) return undefined
    throw error
  }
}

async function readAsAWhole(body: Buffer, status: number, reading: AnswerReading): Promise<FetchedPage> {
  // What was tried before has taken its time as well.
  await turnOfTheLoop()
  const { page, list } = opened(await parsedBody('queryLogs', status, jsonBody(body)), status, reading)
  const rows = new LogRows(reading.dialect.logFields)
  try {
    await rows.read(list)
  } catch (error) {
    if (!(error instanceof UnfitRow)) throw error
    throw new CdnError('queryLogs', { kind: 'malformed', status, why: error.message })
  }
  return fetched(page, rows, body.length, reading)
}

/** The envelope apart from its rows, so that nothing else holds those while they are read. */
function opened(sent: unknown, status: number, reading: AnswerReading) {
  const { data, ...page } = fit('queryLogs', LogPage, sent, status, reading)
  return { page, list: [...(data ?? [])] }
}

function fetched(
  { pagination, query }: Pick<LogPage, 'pagination' | 'query'>,
  { entries, unknown }: LogRows,
  bytes: number,
  { onUnknownFields }: AnswerReading,
): FetchedPage {
  if (unknown.length > 0) onUnknownFields?.('queryLogs', unknown)
  return { page: { pagination, query }, entries, bytes }
}

/** Whether the platform, or something else that it sends, is said to call it otherwise. */
function isRenamed(name: string, { dialect }: AnswerReading): boolean {
  return Object.entries(dialect.fieldAliases).flat().includes(name)
}

function fit<Schema extends z.ZodType>(
  endpoint: EndpointName,
  schema: Schema,
  sent: unknown,
  status: number,
  { dialect, onUnknownFields }: AnswerReading,
): z.output<Schema> {
  const body = renameFields(sent, dialect.fieldAliases)
  const answer = fitAnswer(endpoint, schema, status, body)
  const unknown = unknownFields(schema, body)
  if (unknown.length > 0) onUnknownFields?.(endpoint, unknown)
  return answer
}
