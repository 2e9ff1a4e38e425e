import type { LogEntry } from '../../cdn/log-entry.ts'
import type { LogGrouping } from './log-fields.ts'

/** Different values counted apart; the lines of any further ones are counted together. */
const MAX_GROUPS = 10_000
const MAX_STATUSES = 64
const MAX_NAME_LENGTH = 300

export interface LogGroup {
  readonly name: string
  readonly lines: number
  readonly bytes: bigint
}

export interface LogCounts {
  readonly lines: number
  readonly bytes: bigint
  /** Lines by cache status, the most frequent first. */
  readonly byCacheStatus: readonly LogGroup[]
  /** Lines by what was asked for, the most frequent first; empty when nothing was. */
  readonly groups: readonly LogGroup[]
  /** Lines of groups beyond the bound, which stand in none of `groups`. */
  readonly ungrouped: number
}

/** Counts lines as they come, in bounded memory: by cache status, and by one more property where asked for. */
export class LogTally {
  readonly #by: LogGrouping | undefined
  readonly #statuses = new Map<string, Sum>()
  readonly #groups = new Map<string, Sum>()
  readonly #all: Sum = { lines: 0, bytes: 0n }
  #ungrouped = 0

  constructor(by: LogGrouping | undefined) {
    this.#by = by
  }

  add(entry: LogEntry): void {
    addTo(this.#all, entry)
    count(this.#statuses, entry.cacheStatus ?? 'unknown', entry, MAX_STATUSES)
    if (this.#by === undefined) return
    if (!count(this.#groups, groupOf(entry, this.#by), entry, MAX_GROUPS)) this.#ungrouped += 1
  }

  counts(): LogCounts {
    return {
      ...this.#all,
      byCacheStatus: sorted(this.#statuses),
      groups: sorted(this.#groups),
      ungrouped: this.#ungrouped,
    }
  }
}

/** Host and path of a line without its query, which would tell apart what belongs together. */
export function pathOf({ url, host = '', path = '' }: LogEntry): string {
  const address = url === undefined ? `${host}${path}` : url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  return address.replace(/[?#].*$/s, '')
}

interface Sum {
  lines: number
  bytes: bigint
}

function groupOf(entry: LogEntry, by: LogGrouping): string {
  const value = {
    path: () => pathOf(entry),
    status: () => entry.statusCode?.toString(),
    edge: () => entry.edgeLocation,
    country: () => entry.countryCode,
  }[by]()
  return value === undefined || value === '' ? 'unknown' : value.slice(0, MAX_NAME_LENGTH)
}

/** False when the name is new and there is no room for another. */
function count(sums: Map<string, Sum>, name: string, entry: LogEntry, max: number): boolean {
  const sum = sums.get(name)
  if (sum === undefined && sums.size >= max) return false
  const added = sum ?? { lines: 0, bytes: 0n }
  addTo(added, entry)
  sums.set(name, added)
  return true
}

function addTo(sum: Sum, { bytesSent = 0n }: LogEntry): void {
  sum.lines += 1
  sum.bytes += bytesSent
}

function sorted(sums: ReadonlyMap<string, Sum>): readonly LogGroup[] {
  return [...sums].map(([name, sum]) => ({ name, ...sum })).sort((a, b) => b.lines - a.lines)
}
