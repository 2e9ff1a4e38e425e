import type { IncomingMessage } from 'node:http'

const MAX_BODY_BYTES = 512_000

/** What a request carries as JSON. Undefined for another type, for too much of it and for what is no JSON. */
export async function requestJson(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type']?.split(';')[0] !== 'application/json') return undefined
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const part = Buffer.from(chunk)
    bytes += part.length
    if (bytes > MAX_BODY_BYTES) return undefined
    chunks.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
