import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCdnClient } from '../../../src/cdn/client.ts'
import { readEntries } from '../../../src/cdn/reading/day-file.ts'
import { LOG_FIELDS, type LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import { LogLimit } from '../../../src/cdn/http/log-limit.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import { DAY_MS } from '../../../src/shared/durations.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { cpuSince } from '../../support/cpu-spent.ts'

const FILTER = { cacheStatus: ['MISS', 'STALE'] }
/** As large as what comes over a connection. */
const PIECE_BYTES = 64 * 1024
const TICK_MS = 2

/** Reads from an address or a path. Says how many lines were picked, the CPU time, and the longest wait of everything else. */
export async function readDayFile(place: string): Promise<{ picked: number; cpuMs: number; pauseMs: number }> {
  const before = process.cpuUsage()
  let [picked, pauseMs, lastMs] = [0, 0, performance.now()]
  const tick = (): void => {
    pauseMs = Math.max(pauseMs, performance.now() - lastMs - TICK_MS)
    lastMs = performance.now()
  }
  const timer = setInterval(tick, TICK_MS)
  const read = place.startsWith('http:') ? readOverHttp : readFromDisk
  await read(place, () => (picked += 1))
  await nextTurn()
  tick()
  clearInterval(timer)
  return { picked, cpuMs: cpuSince(before), pauseMs }
}

type OnEntry = (entry: LogEntry) => void

async function readOverHttp(url: string, onEntry: OnEntry): Promise<void> {
  const credential = { scheme: 'accessKey', secret: new Secret('bench') } as const
  const cdn = createCdnClient({
    managementUrl: url,
    loggingUrl: url,
    credential,
    clock,
    limiter: new LogLimit({ clock, warm: true }),
  })
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
  await cdn.streamDayFile(302n, yesterday, FILTER, onEntry)
  await cdn.close()
}

/** Past the client, as the program has no day files on its disk: this is how `grep` gets it. */
async function readFromDisk(path: string, onEntry: OnEntry): Promise<void> {
  const reader = readEntries(FILTER, LOG_FIELDS, onEntry)
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
  const file = openSync(path, 'r')
  for (let length = -1; length !== 0; reader.push(piece.subarray(0, length)))
    length = readSync(file, piece, 0, PIECE_BYTES, null)
  closeSync(file)
  reader.finish()
}
