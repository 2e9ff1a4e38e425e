import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import papaparse from 'papaparse'

/** What people would write instead: each finds the same lines, and makes an object of them. Nothing is masked. */

/** As large as helps them. */
const CHUNK_BYTES = 1024 * 1024

/** Lines by Node's own reader, taken apart by `split`. Resolves with how many were picked. */
export async function readByLine(path: string, bytes: number): Promise<number> {
  const picked = new Picked()
  const lines = createInterface({ input: chunksOf(path, bytes) })
  lines.on('line', (line) => picked.see(line.split('|')))
  await new Promise((resolve) => lines.once('close', resolve))
  return picked.count
}

/** The fastest reader of separated values there is in JavaScript, in the mode for values without quotes. */
export async function readByParser(path: string, bytes: number): Promise<number> {
  const picked = new Picked()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  papaparse.parse(chunksOf(path, bytes), {
    delimiter: '|',
    fastMode: true,
    step: ({ data }) => picked.see(data),
    complete: resolve,
    error: reject,
  })
  await promise
  return picked.count
}

function chunksOf(path: string, bytes: number): NodeJS.ReadableStream {
  return createReadStream(path, { highWaterMark: CHUNK_BYTES, end: bytes - 1 })
}

class Picked {
  count = 0
  #last: unknown

  see(fields: readonly string[]): void {
    const [cacheStatus] = fields
    if (cacheStatus !== 'MISS' && cacheStatus !== 'STALE') return
    this.count += 1
    this.#last = entryOf(fields)
  }

  get last(): unknown {
    return this.#last
  }
}

function entryOf(fields: readonly string[]) {
  const [cacheStatus, statusCode, timestamp, bytesSent, pullZoneId, remoteIp, referer, url, edge, agent, id, country] =
    fields
  return {
    cacheStatus,
    statusCode: Number(statusCode),
    timestamp: new Date(Number(timestamp)),
    bytesSent: BigInt(bytesSent ?? 0),
    pullZoneId: BigInt(pullZoneId ?? 0),
    remoteIp,
    referer: referer === '-' ? undefined : referer,
    url,
    edgeLocation: edge,
    userAgent: agent === '-' ? undefined : agent,
    requestId: id,
    countryCode: country === '-' ? undefined : country,
  }
}
