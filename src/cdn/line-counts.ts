import type { DayFileSummary } from './cdn.ts'

/** More statuses than this are no statuses; the rest is counted together. */
const MAX_STATUSES = 64
/** The name of what is counted together. */
const OTHER_STATUS = 'other'
/** A sum that has come so far is carried over: what is added to it, which is less than that, leaves it exact. */
const FULL_SUM = 2 ** 51

/** One cache status, and what was counted of it. */
export interface CountedStatus {
  readonly name: string
  readonly bytes: Buffer
  readonly isWanted: boolean
  lines: number
  /** Bytes sent, but for those in `sentSince`: adding to a bigint makes a new one each time. */
  sent: bigint
  sentSince: number
}

type CountsSummary = Pick<DayFileSummary, 'countsByCacheStatus' | 'bytesByCacheStatus' | 'countsByStatusClass'>

/** Counts of lines by cache status and by class of status code, and bytes sent. Bounded, whatever the lines say. */
export class LineCounts {
  readonly #wantsStatus: (cacheStatus: string | undefined) => boolean
  readonly #statuses: CountedStatus[] = []
  /** Counts what is counted together. A status may be called `other` all the same. */
  readonly #other: CountedStatus
  readonly #classes = [0, 0, 0, 0, 0, 0]

  /** `wantsStatus` is asked once for each status, and for all those of which there are too many as undefined. */
  constructor(wantsStatus: (cacheStatus: string | undefined) => boolean) {
    this.#wantsStatus = wantsStatus
    this.#other = statusOf(OTHER_STATUS, Buffer.alloc(0), wantsStatus(undefined))
  }

  /** The status that the bytes from `start` to before `end` name. They are few, and the most frequent come early. */
  statusAt(buffer: Buffer, start: number, end: number): CountedStatus {
    const statuses = this.#statuses
    let index = 0
    while (index < statuses.length && !isSame(statuses[index]?.bytes, buffer, start, end)) index += 1
    return statuses[index] ?? this.#statusOf(buffer.subarray(start, end))
  }

  /** Counts a line. `statusCode` is one of 100 to 599, `sent` below 2^51 or a bigint. */
  add(status: CountedStatus, statusCode: number, sent: number | bigint): void {
    status.lines += 1
    if (typeof sent === 'bigint') status.sent += sent
    else status.sentSince += sent
    if (status.sentSince >= FULL_SUM) {
      status.sent += BigInt(status.sentSince)
      status.sentSince = 0
    }
    const statusClass = Math.floor(statusCode / 100)
    this.#classes[statusClass] = (this.#classes[statusClass] ?? 0) + 1
  }

  /** By cache status, the most frequent first. */
  summary(): CountsSummary {
    const countsByCacheStatus = new Map<string, number>()
    const bytesByCacheStatus = new Map<string, bigint>()
    const counted = [...this.#statuses, this.#other].filter(({ lines }) => lines > 0)
    for (const { name, lines, sent, sentSince } of counted.toSorted((a, b) => b.lines - a.lines)) {
      countsByCacheStatus.set(name, (countsByCacheStatus.get(name) ?? 0) + lines)
      bytesByCacheStatus.set(name, (bytesByCacheStatus.get(name) ?? 0n) + sent + BigInt(sentSince))
    }
    const classes = this.#classes.map((lines, digit) => [`${digit}xx`, lines] as const)
    return {
      countsByCacheStatus,
      bytesByCacheStatus,
      countsByStatusClass: new Map(classes.filter(([, lines]) => lines > 0)),
    }
  }

  #statusOf(bytes: Buffer): CountedStatus {
    if (this.#statuses.length >= MAX_STATUSES) return this.#other
    const name = bytes.toString('latin1')
    const added = statusOf(name, Buffer.from(bytes), this.#wantsStatus(name))
    this.#statuses.push(added)
    return added
  }
}

function statusOf(name: string, bytes: Buffer, isWanted: boolean): CountedStatus {
  return { name, bytes, isWanted, lines: 0, sent: 0n, sentSince: 0 }
}

function isSame(bytes: Buffer | undefined, buffer: Buffer, start: number, end: number): boolean {
  if (bytes?.length !== end - start) return false
  let at = 0
  while (at < bytes.length && bytes[at] === buffer[start + at]) at += 1
  return at === bytes.length
}
