import type { IncomingMessage } from 'node:http'
import { refuseManagement } from './refusal.ts'
import { fromJson } from './wire-json.ts'

const MAX_BODY_BYTES = 1_048_576

/** Reads a request's JSON body, undefined when it has none. Throws `Refusal`: 413, 415 for another type, 400 for no JSON. */
export async function readRequestBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    const chunk = Buffer.from(part)
    bytes += chunk.length
    // Read to its end but not kept: breaking off would close the connection before the refusal is out.
    if (bytes <= MAX_BODY_BYTES) parts.push(chunk)
  }
  if (bytes > MAX_BODY_BYTES) throw refuseManagement(413, 'request.too_large', null, 'The request is too large.')
  if (bytes === 0) return undefined
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw refuseManagement(415, 'request.media_type', null, 'The body must be application/json.')
  }
  try {
    return fromJson(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)))
  } catch {
    throw refuseManagement(400, 'validation_error', null, 'The body is no JSON.')
  }
}
