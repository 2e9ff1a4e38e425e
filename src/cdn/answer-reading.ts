import type * as z from 'zod'
import { ApiKeyList } from './api-keys.ts'
import type { Deadline } from './deadline.ts'
import { type Dialect, LogPage } from './dialect.ts'
import type { EndpointName } from './endpoints.ts'
import { fitAnswer, readJson } from './json-answer.ts'
import type { FetchedPage } from './log-pages.ts'
import { readLogRows } from './log-rows.ts'
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
  const sent = await readJson('listApiKeys', incoming, deadline)
  const plain = plainApiKeys(renameFields(sent, reading.dialect.fieldAliases))
  return plain ?? fit('listApiKeys', ApiKeyList, sent, incoming.status, reading)
}

/** From the bytes of a page of version 2 to its envelope and entries. Throws as `readAnswer`, and as `readLogRows`. */
export async function readLogPage(
  incoming: Incoming,
  deadline: Deadline,
  reading: AnswerReading,
): Promise<FetchedPage> {
  const { page, rows } = opened(await readJson('queryLogs', incoming, deadline), incoming.status, reading)
  const { entries, unknown } = await readLogRows(rows, reading.dialect.logFields, incoming.status)
  if (unknown.length > 0) reading.onUnknownFields?.('queryLogs', unknown)
  return { page, entries }
}

/** The envelope apart from its rows, so that nothing else holds those while they are read. */
function opened(sent: unknown, status: number, reading: AnswerReading) {
  const { data, ...page } = fit('queryLogs', LogPage, sent, status, reading)
  return { page, rows: [...(data ?? [])] }
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
