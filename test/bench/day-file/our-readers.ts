import { closeSync, openSync, readSync } from 'node:fs'
import { CdnClient } from '../../../src/cdn/client.ts'
import type { DayFileSink } from '../../../src/cdn/day-file-answer.ts'
import { DayFileReader } from '../../../src/cdn/day-file.ts'
import { LOG_FIELDS } from '../../../src/cdn/log-entry.ts'
import { LogLimit } from '../../../src/cdn/log-limit.ts'
import { readLog } from '../../../src/operations/logs/log-reading.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'

/**
 * What is read is looked at while it lies in the core's own cache. With pieces of 512 KB it no longer does: reading the
 * file then takes four times as long, whatever is done with it.
 */
const PIECE_BYTES = 256 * 1024

/** What a reading found, for the bench to hold against what is in the file. */
export interface Found {
  readonly lines: number
  readonly picked: number
  readonly bytesSent: number
}

/** MISS and STALE picked and made into entries, everything counted by status. */
export function pickLines(path: string, bytes: number): Found {
  let sent = 0n
  const reader = new DayFileReader({ cacheStatus: ['MISS', 'STALE'] }, LOG_FIELDS, ({ bytesSent = 0n }) => {
    sent += bytesSent
  })
  feed(path, bytes, reader)
  const { lines, matched } = reader.finish()
  return { lines, picked: matched, bytesSent: Number(sent) }
}

/** Lines and bytes of each status over every line, and nothing picked. */
export function countLines(path: string, bytes: number): Found {
  const reader = new DayFileReader({ status: ['599'] }, LOG_FIELDS, () => undefined)
  feed(path, bytes, reader)
  const { lines, countsByCacheStatus, bytesByCacheStatus } = reader.finish()
  const picked = (countsByCacheStatus.get('MISS') ?? 0) + (countsByCacheStatus.get('STALE') ?? 0)
  const bytesSent = [...bytesByCacheStatus.values()].reduce((sum, sent) => sum + sent, 0n)
  return { lines, picked, bytesSent: Number(bytesSent) }
}

/** What `/cdn logs` does for a day, without its drawing: the client with its limit, deadline and checks; counts and newest lines. */
export async function answerDay(url: string, blocks: number): Promise<Found> {
  const limiter = new LogLimit({ clock: systemClock, warm: true })
  const credential = { scheme: 'accessKey', secret: new Secret('bench') } as const
  const cdn = new CdnClient({ loggingUrl: url, credential, clock: systemClock, limiter })
  const question = { pullZone: { id: BigInt(blocks) }, day: new Date() }
  const context = { cdn, now: new Date(), signal: new AbortController().signal, progress: () => undefined }
  const { counts, dayFile } = await readLog(question as never, context as never)
  await cdn.close()
  return { lines: dayFile?.lines ?? 0, picked: counts.lines, bytesSent: Number(counts.bytes) }
}

/** The program has no day files on its disk. This is the shortest way from there to the reader, and `grep` takes it too. */
function feed(path: string, bytes: number, reader: DayFileSink): void {
  const file = openSync(path, 'r')
  try {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
    for (let left = bytes; left > 0;) {
      const length = readSync(file, piece, 0, Math.min(PIECE_BYTES, left), null)
      if (length === 0) throw new Error('The file ended too early')
      left -= length
      reader.push(piece.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
}
