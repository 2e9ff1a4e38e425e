import { Readable } from 'node:stream'
import { type AnswerReading, readAnswer } from '../../src/cdn/reading/response-reading.ts'
import { ApiKeyList } from '../../src/cdn/contract/api-keys.ts'
import { createDeadline, type Deadline } from '../../src/cdn/http/deadline.ts'
import { defaultDialect } from '../../src/cdn/contract/dialect.ts'
import { CdnError, type CdnFailure } from '../../src/cdn/contract/errors.ts'
import type { Incoming } from '../../src/cdn/http/response-body.ts'
import { systemClock } from '../../src/shared/clock.ts'

/** An answer as the transport hands it on. */
export function arrived(body: Buffer | string): Incoming {
  return { status: 200, headers: {}, body: Readable.from([typeof body === 'string' ? Buffer.from(body) : body]) }
}

/** A deadline that never comes. */
export const noDeadline = (): Deadline => createDeadline(systemClock, 0, undefined)

/** A page of keys, read as the client reads it. */
export async function readKeys(body: Buffer | string, reading: Partial<AnswerReading> = {}): Promise<ApiKeyList> {
  const read = { dialect: defaultDialect, ...reading }
  return readAnswer('listApiKeys', ApiKeyList, arrived(body), noDeadline(), read)
}

/** What came of reading, or why nothing did. */
export async function answered<T>(reading: Promise<T>): Promise<T | CdnFailure> {
  return reading.catch((error: unknown) => {
    if (error instanceof CdnError) return error.failure
    throw error
  })
}
