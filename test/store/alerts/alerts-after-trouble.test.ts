import { afterEach, beforeEach, expect, test } from 'vitest'
import { AlertWatch } from '../../../src/alerts/watch/scheduler.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { type AlertBench, alertBench } from '../../alerts/alert-bench.ts'
import { ScriptedLog } from '../../alerts/scripted-log.ts'
import { FailingSqlite, type SqliteFault } from '../../support/failing-sqlite.ts'
import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { silentLog } from '../harness.ts'

const MINUTE_MS = 60_000

const disk = new FailingSqlite()
let bench: AlertBench
beforeEach(async () => {
  disk.install()
  bench = await alertBench()
})
afterEach(async () => {
  disk.mend()
  disk.remove()
  await bench[Symbol.asyncDispose]()
})

/** Lets time pass, and what falls due happen. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) {
    bench.clock.turn(5_000)
    for (let turns = 0; turns < 30; turns += 1) await turnOfTheLoop()
  }
}

test.each([
  { code: 'full', at: /^insert/i },
  { code: 'write', at: /^insert/i },
] as const satisfies readonly SqliteFault[])(
  'alerts go on after the store was $code for ten minutes, and no minute is missing',
  async (fault) => {
    const log = new ScriptedLog(bench.clock)
    const watch = new AlertWatch({
      cdn: log.cdn as Cdn, // nothing else is asked for
      store: bench.store,
      clock: bench.clock,
      log: silentLog,
      zones: async () => [],
      webhook: false,
    })
    const stopping = new AbortController()
    await bench.watch('pull/301', 'origin-failing')
    const fromMs = bench.clock.now().getTime()
    const running = watch.run(stopping.signal)
    await pass(5 * MINUTE_MS)
    disk.break(fault)
    await pass(10 * MINUTE_MS)
    expect(disk.failed).toBeGreaterThan(0)
    disk.mend()
    await pass(5 * MINUTE_MS)
    stopping.abort()
    await running
    const minutes = await bench.store.minutes.read('301', fromMs / MINUTE_MS, fromMs / MINUTE_MS + 16)
    expect(minutes.map(({ minute }) => minute - fromMs / MINUTE_MS)).toEqual(Array.from({ length: 16 }, (_, n) => n))
    expect(minutes.every(({ coveredMs }) => coveredMs === MINUTE_MS)).toBe(true)
  },
)
