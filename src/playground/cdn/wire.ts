import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Sent as they are made. */
  readonly chunks: Iterable<string | Buffer> | AsyncIterable<string | Buffer>
  /** Compressed whether or not the client asked; never compressed with `false`; otherwise if it asked. */
  readonly gzip?: boolean
}

export function jsonAnswer(status: number, body: object | undefined): WireAnswer {
  if (body === undefined) return { status, headers: {}, chunks: [], gzip: false }
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, chunks: [toJson(body)] }
}

/** Sends an answer whole. Rejects when the client goes away first, or when a chunk cannot be made. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, chunks, gzip }: WireAnswer,
): Promise<void> {
  const zip = gzip ?? /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  response.writeHead(status, { ...headers, ...(zip && { 'content-encoding': 'gzip' }) })
  const source = Readable.from(chunks)
  await (zip ? pipeline(source, createGzip(), response) : pipeline(source, response))
}

/**
 * JSON as the emulator reads and writes it. It keeps whole numbers of 64 bits exact by itself rather than through the
 * client's code, so that a mistake there is not repeated here.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'bigint' ? exact.rawJSON(field.toString()) : field,
  )
}

/** Reads JSON; whole numbers a double cannot hold become bigint. Throws SyntaxError. */
export function fromJson(text: string): unknown {
  return exact.parse(text, (_key, field, context) => {
    const isWhole = typeof field === 'number' && context.source !== undefined && /^-?\d+$/.test(context.source)
    return isWhole && !Number.isSafeInteger(field) ? BigInt(context.source ?? field) : field
  })
}

interface ExactJson {
  rawJSON(text: string): unknown
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}

// A boundary: the runtime has had both since its first supported version, only their types are missing.
const exact = JSON as unknown as ExactJson
