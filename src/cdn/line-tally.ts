/** More statuses than this are no statuses; the rest is counted together under `other`. */
const MAX_STATUSES = 64
const MAX_STATUS_BYTES = 32
const SEPARATOR = 0x7c
const DIGIT_ZERO = 0x30

/** What the first two fields of a line say, told without making a string of any of it. */
export interface LineHead {
  readonly status: StatusCount
  /** 100 to 599. */
  readonly statusCode: number
  /** Where the field after the status code begins. */
  readonly next: number
}

/** One cache status and how many lines have it. `wanted` is the filter's answer, asked once for each status. */
export interface StatusCount {
  readonly name: string
  readonly bytes: Buffer
  readonly wanted: boolean
  lines: number
}

/** Counts lines by cache status and by class of status code, from their bytes. */
export class LineTally {
  readonly #isWanted: (cacheStatus: string) => boolean
  readonly #byHash = new Map<number, StatusCount[]>()
  readonly #statuses: StatusCount[] = []
  readonly #classes = [0, 0, 0, 0, 0, 0]
  readonly #other: StatusCount

  constructor(isWanted: (cacheStatus: string) => boolean) {
    this.#isWanted = isWanted
    this.#other = { name: 'other', bytes: Buffer.alloc(0), wanted: false, lines: 0 }
  }

  /** Counts the line and says what it begins with; undefined when it does not begin as a line must. */
  count(buffer: Buffer, start: number, end: number): LineHead | undefined {
    const limit = Math.min(end, start + MAX_STATUS_BYTES)
    let hash = 0
    let at = start
    for (; at < limit && buffer[at] !== SEPARATOR; at += 1) hash = (hash * 31 + (buffer[at] ?? 0)) | 0
    if (at === start || at === limit) return undefined
    const statusCode = threeDigits(buffer, at + 1)
    if (statusCode < 100 || statusCode > 599 || at + 4 >= end || buffer[at + 4] !== SEPARATOR) return undefined
    const status = this.#find(hash, buffer, start, at)
    status.lines += 1
    const statusClass = Math.floor(statusCode / 100)
    this.#classes[statusClass] = (this.#classes[statusClass] ?? 0) + 1
    return { status, statusCode, next: at + 5 }
  }

  byCacheStatus(): ReadonlyMap<string, number> {
    const all = this.#other.lines > 0 ? [...this.#statuses, this.#other] : this.#statuses
    return new Map(all.toSorted((a, b) => b.lines - a.lines).map(({ name, lines }) => [name, lines]))
  }

  byStatusClass(): ReadonlyMap<string, number> {
    const counted = this.#classes.map((lines, digit) => [`${digit}xx`, lines] as const)
    return new Map(counted.filter(([, lines]) => lines > 0))
  }

  #find(hash: number, buffer: Buffer, start: number, end: number): StatusCount {
    const candidates = this.#byHash.get(hash)
    const known = candidates?.find(({ bytes }) => isSame(bytes, buffer, start, end))
    if (known !== undefined) return known
    if (this.#statuses.length >= MAX_STATUSES) return this.#other
    const bytes = Buffer.from(buffer.subarray(start, end))
    const name = bytes.toString('latin1')
    const added: StatusCount = { name, bytes, wanted: this.#isWanted(name), lines: 0 }
    this.#statuses.push(added)
    if (candidates === undefined) this.#byHash.set(hash, [added])
    else candidates.push(added)
    return added
  }
}

function isSame(bytes: Buffer, buffer: Buffer, start: number, end: number): boolean {
  if (bytes.length !== end - start) return false
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] !== buffer[start + at]) return false
  return true
}

/** The number of three digits at a place; negative when they are not three digits. */
function threeDigits(buffer: Buffer, at: number): number {
  let number = 0
  for (let index = at; index < at + 3; index += 1) {
    const digit = (buffer[index] ?? 0) - DIGIT_ZERO
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}
