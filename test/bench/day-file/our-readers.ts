import { open } from 'node:fs/promises'
import { CdnClient } from '../../../src/cdn/client.ts'
import type { DayFileSink } from '../../../src/cdn/day-file-answer.ts'
import { DayFileReader } from '../../../src/cdn/day-file.ts'
import { LOG_FIELDS } from '../../../src/cdn/log-entry.ts'
import { LogLimit } from '../../../src/cdn/log-limit.ts'
import { readLog } from '../../../src/operations/logs/log-reading.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'

/** As large as the pieces that arrive inflated. */
const CHUNK_BYTES = 512 * 1024

/** What a reading found, for the bench to hold against what is in the file. */
export interface Found {
  readonly lines: number
  readonly picked: number
  readonly bytesSent: number
}

/** MISS and STALE picked and made into entries, everything counted by status. */
export async function pickLines(path: string, bytes: number): Promise<Found> {
  let sent = 0n
  const reader = new DayFileReader({ cacheStatus: ['MISS', 'STALE'] }, LOG_FIELDS, ({ bytesSent = 0n }) => {
    sent += bytesSent
  })
  await feed(path, bytes, reader)
  const { lines, matched } = reader.finish()
  return { lines, picked: matched, bytesSent: Number(sent) }
}

/** Lines and bytes of each status over every line, and nothing picked. */
export async function countLines(path: string, bytes: number): Promise<Found> {
  const reader = new DayFileReader({ status: ['599'] }, LOG_FIELDS, () => undefined)
  await feed(path, bytes, reader)
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

/** The program has no day files on its disk. They come as over the network: in pieces, of which the next is read meanwhile. */
async function feed(path: string, bytes: number, reader: DayFileSink): Promise<void> {
  await using file = await open(path)
  const buffers = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] as const
  let left = bytes
  const readInto = (buffer: Buffer) => file.read(buffer, 0, Math.min(CHUNK_BYTES, left))
  let reading = readInto(buffers[0])
  for (let turn = 0; left > 0; turn += 1) {
    const { bytesRead, buffer } = await reading
    if (bytesRead === 0) throw new Error('The file ended too early')
    left -= bytesRead
    reading = readInto(buffers[turn % 2 === 0 ? 1 : 0])
    reader.push(buffer.subarray(0, bytesRead))
  }
  await reading
}
