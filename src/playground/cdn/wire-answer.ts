import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { toJson } from './wire-json.ts'

/** An answer as it goes on the wire. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A plain list is sent with its length; anything else as it is made. */
  readonly chunks: Chunks
  /** Compressed whether or not the client asked; never compressed with `false`; otherwise if it asked. */
  readonly gzip?: boolean
}

export type Chunks = readonly (string | Buffer)[] | Iterable<string | Buffer> | AsyncIterable<string | Buffer>

const JSON_TYPE = 'application/json; charset=utf-8'

/** An answer in JSON, or one without a body. */
export function jsonAnswer(status: number, body: object | undefined): WireAnswer {
  if (body === undefined) return { status, headers: {}, chunks: [] }
  return { status, headers: { 'content-type': JSON_TYPE }, chunks: [toJson(body)] }
}

/** Whether the body is JSON. */
export function isJson({ headers }: WireAnswer): boolean {
  return headers['content-type'] === JSON_TYPE
}

/** Sends an answer whole. Rejects when the client goes away first, or when a chunk cannot be made. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: WireAnswer,
): Promise<void> {
  const asked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  const gzip = answer.gzip ?? (asked && !isEmpty(answer.chunks))
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(gzip ? { 'content-encoding': 'gzip' } : lengthOf(answer.chunks)),
  })
  const source = Readable.from(answer.chunks)
  await (gzip ? pipeline(source, createGzip(), response) : pipeline(source, response))
}

function isEmpty(chunks: Chunks): boolean {
  return Array.isArray(chunks) && chunks.length === 0
}

function lengthOf(chunks: Chunks): Readonly<Record<string, string>> {
  if (!Array.isArray(chunks)) return {}
  // A boundary: Array.isArray takes a read-only list for a list of anything.
  const list = chunks as readonly (string | Buffer)[]
  return { 'content-length': String(list.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0)) }
}
