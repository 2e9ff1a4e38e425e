import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringifyJson } from '../../../src/cdn/json.ts'

/** The contract's limit on log calls, for each pull zone. */
export const CALLS_PER_WINDOW = 30
export const WINDOW_MS = 10_000
/** How long a request, and its answer, are on the way at most; each as long as chance has it. */
const MOST_DELAY_MS = 10

/** A platform on loopback that counts log calls in a sliding window and refuses those beyond the limit. */
export interface CountingPlatform extends AsyncDisposable {
  readonly url: string
  /** When each request was seen, refused ones too, in milliseconds of the monotonic clock. */
  readonly arrivals: readonly number[]
  /** How many were answered with 429. */
  readonly refused: () => number
}

/** Starts one whose network is not always equally fast, as no network is. */
export async function startCountingPlatform(): Promise<CountingPlatform> {
  const arrivals: number[] = []
  const allowed: number[] = []
  let refused = 0
  const page = stringifyJson({ data: [], pagination: { offset: 0, limit: 1, returned: 0, hasMore: false }, query: {} })
  const serve = async (response: ServerResponse): Promise<void> => {
    await sleep(Math.random() * MOST_DELAY_MS)
    const now = performance.now()
    arrivals.push(now)
    while ((allowed[0] ?? now) <= now - WINDOW_MS) allowed.shift()
    const isAllowed = allowed.length < CALLS_PER_WINDOW
    if (isAllowed) allowed.push(now)
    else refused += 1
    await sleep(Math.random() * MOST_DELAY_MS)
    response.writeHead(isAllowed ? 200 : 429, { 'content-type': 'application/json' }).end(isAllowed ? page : '')
  }
  const server = createServer((request, response) => {
    request.resume()
    void serve(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
