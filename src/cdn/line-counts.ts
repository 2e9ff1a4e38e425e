import type { DayFileSummary } from './cdn.ts'

/** More statuses than this are no statuses; the rest is counted together. */
const MAX_STATUSES = 64
/** The name of what is counted together. */
const OTHER_STATUS = 'other'
/** Powers of two. */
const STATUS_PLACES = 256
/** A sum that has come so far is carried over: what is added to it, which is less than that, leaves it exact. */
export const FULL_SUM = 2 ** 51

/** One cache status, and what was counted of it. */
export interface KnownStatus {
  readonly name: string
  /** What is counted together, of statuses that are too many. A status may have its name all the same. */
  readonly isOther: boolean
  readonly bytes: Buffer
  /** The next one with the same place in the table. */
  readonly after: KnownStatus | undefined
  lines: number
  /** Bytes, but for those in `sentSince`: adding to a bigint makes a new one each time. */
  sent: bigint
  sentSince: number
}

type CountsSummary = Pick<DayFileSummary, 'countsByCacheStatus' | 'bytesByCacheStatus' | 'countsByStatusClass'>

/** Counts of lines by cache status and by class of status code, and bytes sent. Bounded, whatever the lines say. */
export class LineCounts {
  readonly #table: (KnownStatus | undefined)[] = Array.from({ length: STATUS_PLACES }, () => undefined)
  readonly #statuses: KnownStatus[] = []
  readonly #other = statusOf(OTHER_STATUS, Buffer.alloc(0), undefined)
  readonly #classes = new Float64Array(6)

  /** The status that the bytes from `start` to before `end` name. */
  statusAt(buffer: Buffer, start: number, end: number): KnownStatus {
    let hash = 0
    for (let at = start; at < end; at += 1) hash = (hash * 31 + (buffer[at] ?? 0)) | 0
    const place = hash & (STATUS_PLACES - 1)
    for (let known = this.#table[place]; known !== undefined; known = known.after) {
      if (isSame(known.bytes, buffer, start, end)) return known
    }
    if (this.#statuses.length >= MAX_STATUSES) return this.#other
    const bytes = Buffer.from(buffer.subarray(start, end))
    const added = statusOf(bytes.toString('latin1'), bytes, this.#table[place])
    this.#statuses.push(added)
    this.#table[place] = added
    return added
  }

  /** `statusCode` is one of 100 to 599; `sent` is below 2^52, or a bigint. */
  add(status: KnownStatus, statusCode: number, lines: number, sent: number | bigint): void {
    status.lines += lines
    if (typeof sent === 'bigint') status.sent += sent
    else status.sentSince += sent
    if (status.sentSince >= FULL_SUM) {
      status.sent += BigInt(status.sentSince)
      status.sentSince = 0
    }
    const statusClass = Math.floor(statusCode / 100)
    this.#classes[statusClass] = (this.#classes[statusClass] ?? 0) + lines
  }

  /** By cache status, the most frequent first. */
  summary(): CountsSummary {
    const sorted = this.#sorted()
    const classes = Array.from(this.#classes, (lines, digit) => [`${digit}xx`, lines] as const)
    return {
      countsByCacheStatus: byName(sorted, 0, ({ lines }, before) => before + lines),
      bytesByCacheStatus: byName(sorted, 0n, ({ sent, sentSince }, before) => before + sent + BigInt(sentSince)),
      countsByStatusClass: new Map(classes.filter(([, lines]) => lines > 0)),
    }
  }

  #sorted(): readonly KnownStatus[] {
    const all = this.#other.lines > 0 ? [...this.#statuses, this.#other] : this.#statuses
    return all.toSorted((a, b) => b.lines - a.lines)
  }
}

function statusOf(name: string, bytes: Buffer, after: KnownStatus | undefined): KnownStatus {
  return { name, isOther: bytes.length === 0, bytes, after, lines: 0, sent: 0n, sentSince: 0 }
}

function byName<T>(
  statuses: readonly KnownStatus[],
  none: T,
  add: (status: KnownStatus, before: T) => T,
): ReadonlyMap<string, T> {
  const sums = new Map<string, T>()
  for (const status of statuses) sums.set(status.name, add(status, sums.get(status.name) ?? none))
  return sums
}

function isSame(bytes: Buffer, buffer: Buffer, start: number, end: number): boolean {
  const { length } = bytes
  if (length !== end - start) return false
  for (let at = 0; at < length; at += 1) if (bytes[at] !== buffer[start + at]) return false
  return true
}
