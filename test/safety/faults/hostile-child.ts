/**
 * Asks a platform for one thing in a process of its own, so that its memory and the longest pause of its loop can be
 * measured apart from the server's and the test's. Usage: node hostile-child.ts <address> <endpoint>; prints one line
 * of JSON.
 */
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { clientFor } from '../../cdn/platform-server.ts'
import { OPERATIONS } from './operations.ts'

const NANOSECONDS_PER_MS = 1_000_000
const SETTLING_MS = 50

const [, , address = '', wanted = ''] = process.argv
const [, operation] = [...OPERATIONS].find(([name]) => name === wanted) ?? []
if (operation === undefined) throw new Error(`There is no endpoint ${wanted}`)
const client = clientFor(address)
// What starting a process costs is not what is measured.
await systemClock.sleep(SETTLING_MS)
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
const error: unknown = await operation.call(client, systemClock.now()).then(
  () => undefined,
  (thrown: unknown) => thrown,
)
await systemClock.sleep(SETTLING_MS)
loop.disable()
const ended = error instanceof CdnError ? error.failure.kind : error === undefined ? 'answer' : 'something else'
await client.close()
// The kernel's own high-water mark: no sample can miss a peak.
const peakKb = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
const stallMs = Math.round(loop.max / NANOSECONDS_PER_MS)
process.stdout.write(`${JSON.stringify({ ended, peakKb, stallMs, yardstickMs: yardstick() })}\n`)

/** How long this machine takes now to parse a list of 100,000 small objects, at best. */
function yardstick(): number {
  const list = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ index })))
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now()
    JSON.parse(list)
    return performance.now() - startedAt
  })
  return Math.min(...times)
}
