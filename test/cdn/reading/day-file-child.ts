/**
 * Reads one day file in a process of its own, so that its memory can be measured apart from the server's and the
 * test's. Usage: node day-file-child.ts <address> <day>; prints one line of JSON.
 */
import { readFileSync } from 'node:fs'
import { clientFor } from '../platform-server.ts'

const [, , address = '', day = ''] = process.argv
const client = clientFor(address)
let checksum = 0
const startedAt = performance.now()
const summary = await client.streamDayFile(390n, day, { cacheStatus: ['MISS', 'STALE'] }, ({ statusCode }) => {
  checksum += statusCode ?? 0
})
await client.close()
// The kernel's own high-water mark: no sample can miss a peak.
const peakKb = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
const { bytes, lines, matched, malformedLines } = summary
const ms = Math.round(performance.now() - startedAt)
process.stdout.write(`${JSON.stringify({ bytes, lines, matched, malformedLines, checksum, peakKb, ms })}\n`)
