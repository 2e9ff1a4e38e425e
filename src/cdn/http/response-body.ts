import { isUtf8 } from 'node:buffer'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { codeOf } from '../../shared/errors.ts'

/** Bytes of a page of log lines, counted after inflating. */
export const MAX_LOG_PAGE_BYTES = 8 * 1024 * 1024
/** Of any other JSON answer, counted likewise: a thousand keys, or ten thousand days, are a tenth of it. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024
/** Of a refusal only a sentence is shown. */
export const MAX_ERROR_BODY_BYTES = 64 * 1024
/** With zlib's default of 16 KiB inflating takes twice as long; the text of pieces larger than this is slow to free. */
const INFLATE_CHUNK_BYTES = 64 * 1024

/** An answer whose body has not been read yet. It must be read or destroyed. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}

/** A body that arrived but cannot be taken in. The message says why in words of ours, and holds none of it. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
}

export class OversizedBody extends UnreadableBody {}

/**
 * The bytes of an answer, inflated. The platform is known to compress without being asked. Throws
 * {@link UnreadableBody} for an encoding that is not understood or broken, and what the network throws.
 */
export async function* bytesOf({ headers, body }: Incoming): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of inflated(body, headers['content-encoding']?.trim().toLowerCase() ?? ''))
      if (Buffer.isBuffer(chunk)) yield chunk
  } catch (error) {
    throw INFLATE_ERROR.test(codeOf(error)) ? new UnreadableBody('the compressed body is broken') : error
  }
}

/**
 * The whole body, without the mark it may begin with, as the only copy of its bytes: they may hold keys. Throws
 * {@link OversizedBody} over `maxBytes`, {@link UnreadableBody} when it is no UTF-8, and what the network throws.
 */
export async function bodyOf(incoming: Incoming, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  const tooLong = `the body is over ${maxBytes / 1024} KB`
  let length = 0
  // One that says so beforehand is not waited for.
  if (Number(incoming.headers['content-length']) > maxBytes) throw new OversizedBody(tooLong)
  try {
    for await (const chunk of bytesOf(incoming)) {
      length += chunk.length
      chunks.push(chunk)
      if (length > maxBytes) throw new OversizedBody(tooLong)
    }
    const whole = Buffer.concat(chunks, length)
    if (!isUtf8(whole)) throw new UnreadableBody('the body is not UTF-8 text')
    const isMarked = whole.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    return whole.subarray(isMarked ? BYTE_ORDER_MARK.length : 0)
  } finally {
    for (const chunk of chunks) chunk.fill(0)
  }
}

const INFLATERS: ReadonlyMap<string, (options: { readonly chunkSize: number }) => Duplex> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

const BYTE_ORDER_MARK = Buffer.from('\u{FEFF}')

function inflated(body: Readable, encoding: string): Readable {
  if (encoding === '' || encoding === 'identity') return body
  const inflater = INFLATERS.get(encoding)
  if (inflater === undefined) throw new UnreadableBody('the body has an encoding that was not asked for')
  // The error reaches the reader through the returned stream; the callback only has to exist.
  return pipeline(body, inflater({ chunkSize: INFLATE_CHUNK_BYTES }), () => undefined)
}

const INFLATE_ERROR = /^(Z_|ERR_BROTLI|ERR_PADDING|ERR__)/
