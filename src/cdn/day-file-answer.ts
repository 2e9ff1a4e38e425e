import type { Clock } from '../shared/clock.ts'
import { bytesOf, UnreadableBody } from './answer-body.ts'
import type { DayFileProgress, DayFileSummary } from './cdn.ts'
import type { DayFileReader } from './day-file.ts'
import { type Deadline, IDLE_TIMEOUT_MS } from './deadline.ts'
import { CdnError } from './errors.ts'
import { isHtmlType } from './answer-reading.ts'
import { cutOff, type Incoming } from './transport.ts'

/** Telling a person more often than this would be a flicker. */
const PROGRESS_EVERY_MS = 1_000

export interface DayFileWatch {
  readonly clock: Clock
  readonly onProgress?: ((progress: DayFileProgress) => void) | undefined
}

/**
 * Reads a day file from its answer to its end. Throws `CdnError` when it breaks off, stalls for 30 s, or is no such
 * file; what the receiver of entries throws goes through as it is.
 */
export async function readDayFile(
  incoming: Incoming,
  deadline: Deadline,
  reader: DayFileReader,
  { clock, onProgress }: DayFileWatch,
): Promise<DayFileSummary> {
  const { status } = incoming
  const malformed = (why: string): CdnError => new CdnError('streamDayFile', { kind: 'malformed', status, why })
  if (isHtmlType(incoming)) throw malformed('a web page came instead of a log file')
  let toldAtMs = clock.monotonicMs()
  const chunks = bytesOf(incoming, { once: true })
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw error instanceof UnreadableBody
          ? malformed(error.message)
          : cutOff('streamDayFile', status, error, deadline)
      })
      if (next.done === true) return reader.finish()
      if (reader.progress().bytes === 0) deadline.expectWithin(IDLE_TIMEOUT_MS)
      reader.push(next.value)
      deadline.touch()
      if (clock.monotonicMs() - toldAtMs >= PROGRESS_EVERY_MS) {
        toldAtMs = clock.monotonicMs()
        onProgress?.(reader.progress())
      }
    }
  } finally {
    await chunks.return(undefined)
  }
}
