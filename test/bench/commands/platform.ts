import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A platform of the bench with storage statistics of thirty days. It takes as long for an answer as it is told, and says
 * how long it really took for each zone, so that its own time can be taken out of what is measured.
 */

/** Answers from now on take `delayMs`. Sent back: what every zone asked for since has cost. */
export interface PlatformOrder {
  readonly delayMs: number
}
/** Milliseconds by zone id, since the last order. */
export type PlatformTimes = Readonly<Record<string, number>>

const DAYS = 30
const LAST_DAY_MS = Date.UTC(2026, 10, 20)
const DAY_MS = 86_400_000
const FIRST_BYTES = 123_456_789_012
const MORE_BYTES = 987_654_321
const FIRST_FILES = 120_000
const MORE_FILES = 37

const body = Buffer.from(JSON.stringify(statistics()))
let delayMs = 0
let times: Record<string, number> = {}

const server = createServer((request, response) => {
  const askedMs = performance.now()
  request.resume().once('end', () => {
    if (delayMs === 0) return answer()
    setTimeout(answer, delayMs)
  })
  const answer = (): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    const [, zone = ''] = /^\/storagezone\/(\d+)\//.exec(request.url ?? '') ?? []
    times[zone] = performance.now() - askedMs
  }
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (order: PlatformOrder) => {
  process.send?.(times)
  times = {}
  delayMs = order.delayMs
})
process.once('disconnect', () => process.exit(0))

function statistics(): object {
  const days = Array.from({ length: DAYS }, (_, index) => ({
    key: new Date(LAST_DAY_MS - (DAYS - 1 - index) * DAY_MS).toISOString().replace('.000', ''),
    index,
  }))
  return {
    StorageUsedChart: Object.fromEntries(days.map(({ key, index }) => [key, FIRST_BYTES + index * MORE_BYTES])),
    FileCountChart: Object.fromEntries(days.map(({ key, index }) => [key, FIRST_FILES + index * MORE_FILES])),
  }
}
