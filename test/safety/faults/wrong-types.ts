import { endpointNamed } from '../../../src/cdn/contract/endpoints.ts'
import { fieldsOf, sampleOf, wrongValues } from '../../support/sample-values.ts'
import { type OPERATIONS, UNANSWERED } from './operations.ts'

/** An answer in which one field has a type it cannot have. */
export interface WrongType {
  readonly field: string
  readonly body: string
}

const TEXTS = ['cacheStatus', 'requestId', 'remoteIp', 'countryCode', 'host', 'path', 'url', 'userAgent', 'referer']
const AMOUNTS = ['bytesSent', 'pullZoneId', 'asn', 'bodyBytesSent']

/** Rows of a log are read past its schema. */
const LOG_PAGE: readonly WrongType[] = [
  ...TEXTS.map((field) => inRow(field, 7)),
  ...AMOUNTS.flatMap((field) => [inRow(field, '7'), inRow(field, 1.5)]),
  inRow('statusCode', '200'),
  inRow('timestamp', 1_795_000_000_000),
  { field: 'row', body: page([7]) },
  { field: 'data', body: page('x') },
  { field: 'pagination', body: '{"data":[]}' },
  { field: 'pagination.hasMore', body: '{"data":[],"pagination":{"hasMore":"yes"}}' },
]

/** Every field of an answer with every wrong type; nothing for lines of text, which have none, or for what is not read. */
export function wrongTypes(name: Parameters<typeof OPERATIONS.get>[0]): readonly WrongType[] {
  if (name === 'queryLogs') return LOG_PAGE
  if (name === UNANSWERED) return []
  const { answer } = endpointNamed(name)
  if (typeof answer === 'string') return []
  const sample = Object(sampleOf(answer)) as object
  return Object.entries(fieldsOf(answer)).flatMap(([field, schema]) =>
    wrongValues(schema).map((value) => ({ field, body: JSON.stringify({ ...sample, [field]: value }) })),
  )
}

function inRow(field: string, value: unknown): WrongType {
  return { field, body: page([{ cacheStatus: 'HIT', [field]: value }]) }
}

function page(data: unknown): string {
  return JSON.stringify({ data, pagination: {} })
}
