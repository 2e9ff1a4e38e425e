import type { LogEntry } from '../cdn/log-entry.ts'
import { MAX_SAMPLE_LINES, type SampleLine } from './incident.ts'

/** Why a line may be worth showing. One line can be so for two reasons; the first counts. */
type Reason = '5xx' | 'STALE' | 'UPDATING' | 'MISS' | 'BYPASS'

/** Of each text of a line, in characters; with 15 lines this is less than 16 KB a zone. */
const MAX_TEXT_CHARACTERS = 200

/** The newest lines of a zone that may show what is wrong, three of each kind, kept in memory only. */
export class SampleLines {
  #kept: readonly SampleLine[] = []

  /** Looks at lines in any order. Those without a time are passed over. */
  add(entries: readonly LogEntry[]): void {
    const left = new Map<Reason, number>()
    const newest = [...this.#kept, ...entries.flatMap((entry) => toLine(entry) ?? [])].toSorted(
      (a, b) => b.atMs - a.atMs,
    )
    const kept: SampleLine[] = []
    for (const line of newest) {
      const reason = reasonOf(line.cacheStatus, line.statusCode)
      const amount = reason === undefined ? MAX_SAMPLE_LINES : (left.get(reason) ?? 0)
      // Minutes are read again and again, so the same line comes more than once.
      if (reason === undefined || amount >= MAX_SAMPLE_LINES || kept.some((other) => isSame(other, line))) continue
      left.set(reason, amount + 1)
      kept.push(shortened(line, kept))
    }
    this.#kept = kept
  }

  /** Newest first, 15 at most. */
  list(): readonly SampleLine[] {
    return this.#kept
  }
}

function toLine({ timestamp, cacheStatus, statusCode, host, path, edgeLocation }: LogEntry): SampleLine | undefined {
  if (timestamp === undefined || reasonOf(cacheStatus, statusCode) === undefined) return undefined
  return { atMs: timestamp.getTime(), cacheStatus, statusCode, host, path, edgeLocation }
}

/** A zone has few hosts: lines share the text of theirs. */
function shortened(
  { atMs, cacheStatus, statusCode, host, path, edgeLocation }: SampleLine,
  kept: readonly SampleLine[],
) {
  const name = cut(host)
  return {
    atMs,
    cacheStatus: cut(cacheStatus),
    statusCode,
    host: kept.find((other) => other.host === name)?.host ?? name,
    path: cut(path),
    edgeLocation: cut(edgeLocation),
  }
}

function reasonOf(cacheStatus: string | undefined, statusCode: number | undefined): Reason | undefined {
  if (statusCode !== undefined && statusCode >= 500 && statusCode <= 599) return '5xx'
  switch (cacheStatus) {
    case 'STALE':
    case 'UPDATING':
    case 'MISS':
    case 'BYPASS':
      return cacheStatus
    default:
      return undefined
  }
}

function isSame(one: SampleLine, other: SampleLine): boolean {
  return one.atMs === other.atMs && cut(one.path) === cut(other.path) && one.cacheStatus === other.cacheStatus
}

/** By code point, so that no half of a character is left over. */
function cut(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= MAX_TEXT_CHARACTERS) return text
  return `${Array.from(text.slice(0, MAX_TEXT_CHARACTERS)).slice(0, -1).join('')}…`
}
