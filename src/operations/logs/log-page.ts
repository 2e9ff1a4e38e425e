import type { LogEntry } from '../../cdn/log-entry.ts'
import { cursorText, type LogQuestion } from './log-fields.ts'
import type { LogReading } from './log-reading.ts'
import { questionValues } from './log-request.ts'
import type { RawValues } from '../../shared/raw-values.ts'

/** The lines of an answer, and the question that goes on where they end. */
export interface LogLines {
  readonly lines: readonly LogEntry[]
  /** Undefined when nothing is left. */
  readonly next: RawValues | undefined
  /** Lines of one and the same millisecond that neither this answer nor the next one has room for. */
  readonly lost: number
}

/**
 * Cuts what was read to the lines that fit, so that the next answer begins exactly where this one ends. The range is
 * pinned and narrowed by time, which new lines cannot shift; lines of one millisecond therefore stay together. Where all
 * that was read is shown, the platform's own place in its rows leads on.
 */
export function cutLines(reading: LogReading, question: LogQuestion, fits: number): LogLines {
  const { lines, next, from, to } = reading
  const pinned = { since: from?.toISOString(), until: to?.toISOString(), continueAt: undefined }
  const firstLeft = lines[fits]
  if (firstLeft === undefined) {
    const goesOn = next !== undefined && from !== undefined && to !== undefined
    const values = goesOn && questionValues(question, { ...pinned, continueAt: cursorText(next) })
    return { lines, next: values === false ? undefined : values, lost: 0 }
  }
  const at = firstLeft.timestamp
  if (at === undefined) return { lines: lines.slice(0, fits), next: undefined, lost: lines.length - fits }
  const sameInstant = (line: LogEntry): boolean => line.timestamp?.getTime() === at.getTime()
  const start = lines.findIndex(sameInstant)
  const ascending = question.order === 'asc'
  if (start > 0) {
    // The end of a range is exclusive, its start inclusive: both then begin with the first line that is left.
    const edge = ascending ? { since: at.toISOString() } : { until: new Date(at.getTime() + 1).toISOString() }
    return { lines: lines.slice(0, start), next: questionValues(question, { ...pinned, ...edge }), lost: 0 }
  }
  const edge = ascending ? { since: new Date(at.getTime() + 1).toISOString() } : { until: at.toISOString() }
  return {
    lines: lines.slice(0, fits),
    next: questionValues(question, { ...pinned, ...edge }),
    lost: lines.filter(sameInstant).length - fits,
  }
}
