import { amountAt, fourDigits, threeDigits, timeAt, timeEndAt, USUAL_TIME_DIGITS } from './line-head.ts'

/** More statuses than this are no statuses; the rest is counted together under `other`. */
const MAX_STATUSES = 64
const MAX_STATUS_BYTES = 32
const SEPARATOR = 0x7c
const DIGIT_ZERO = 0x30
/** Two numbers of at most 15 digits below this stay exact when they are added. */
const FULL = 2 ** 52
/** Powers of two. */
const STATUS_PLACES = 256
const BEGINNING_PLACES = 64
/** How much of a line is compared with what lines have begun with before. Its status and code are seldom longer. */
const BEGINNING_BYTES = 12
/** What a line has at least whose beginning is compared, so that nothing is looked for beyond its end. */
const MIN_COMPARED_BYTES = 40
/** So many digits fit into 31 bits, in which multiplying takes a fraction of the time. */
const SHORT_DIGITS = 9

/** One cache status. `wanted` is the filter's answer, asked once for each. */
export interface KnownStatus {
  readonly name: string
  readonly wanted: boolean
  readonly bytes: Buffer
  /** Which of all statuses it is, in the order in which they came. */
  readonly index: number
  /** The next one with the same place in the table. */
  readonly after: KnownStatus | undefined
}

/** The first bytes of a line, four at a time, and what they say where the status and code are whole in them. */
interface Beginning {
  readonly first: number
  readonly second: number
  readonly third: number
  readonly status: KnownStatus
  readonly statusCode: number
  readonly length: number
}

/**
 * Reads what a line begins with from its bytes, without making a string of any of it, and counts lines by cache status
 * and by class of status code, and bytes sent. After `count` the properties say what the line's first fields are: a
 * result of its own for each of millions of lines would be most of the work.
 */
export class LineTally {
  readonly #isWanted: (cacheStatus: string) => boolean
  readonly #table: (KnownStatus | undefined)[] = Array.from({ length: STATUS_PLACES }, () => undefined)
  readonly #beginnings: (Beginning | undefined)[] = Array.from({ length: BEGINNING_PLACES }, () => undefined)
  readonly #statuses: KnownStatus[] = []
  // Typed arrays, since a property that holds such a number is an object of its own.
  readonly #lines = new Float64Array(MAX_STATUSES + 1)
  readonly #sentSince = new Float64Array(MAX_STATUSES + 1)
  /** Bytes sent, but for those in `#sentSince`: adding to a bigint makes a new one each time. */
  readonly #sent = Array.from({ length: MAX_STATUSES + 1 }, () => 0n)
  readonly #classes = new Float64Array(6)
  readonly #other: KnownStatus
  #buffer: Buffer | undefined
  #view: DataView = new DataView(new ArrayBuffer(0))
  /** Of the line that was counted last. */
  status: KnownStatus
  /** 100 to 599. */
  statusCode = 0
  /** Where its time begins. */
  next = 0

  constructor(isWanted: (cacheStatus: string) => boolean) {
    this.#isWanted = isWanted
    this.#other = { name: 'other', wanted: false, bytes: Buffer.alloc(0), index: MAX_STATUSES, after: undefined }
    this.status = this.#other
  }

  /** Counts the line; false when it does not begin as a line must. */
  count(buffer: Buffer, start: number, end: number): boolean {
    if (buffer !== this.#buffer) this.#look(buffer)
    const beginning = this.#beginningOf(buffer, start, end)
    if (beginning === undefined) return false
    const { status, statusCode, length } = beginning
    if (status !== this.status) this.status = status
    this.statusCode = statusCode
    const next = start + length
    this.next = next
    const { index } = status
    this.#lines[index] = (this.#lines[index] ?? 0) + 1
    const statusClass = (statusCode / 100) | 0
    this.#classes[statusClass] = (this.#classes[statusClass] ?? 0) + 1
    let at = timeEndAt(buffer, this.#view, next, end)
    if (at < 0) return true
    at += 1
    const amountStart = at
    const limit = Math.min(end, at + SHORT_DIGITS)
    let sent = 0
    for (; at < limit; at += 1) {
      const digit = (buffer[at] ?? 0) - DIGIT_ZERO
      if (digit < 0 || digit > 9) break
      sent = sent * 10 + digit
    }
    if (at >= end || buffer[at] !== SEPARATOR) {
      this.#addLong(index, amountAt(buffer, amountStart, end))
      return true
    }
    const sum = (this.#sentSince[index] ?? 0) + sent
    this.#sentSince[index] = sum
    if (sum >= FULL) this.#carry(index)
    return true
  }

  /** The time of the line that was counted last, in milliseconds since 1970; negative where it has none, or nothing after it. */
  timeOf(buffer: Buffer, start: number, end: number): number {
    if (buffer !== this.#buffer) this.#look(buffer)
    const stop = start + USUAL_TIME_DIGITS
    if (stop >= end || buffer[stop] !== SEPARATOR) return timeAt(buffer, start, end)
    const view = this.#view
    const upper = fourDigits(view.getInt32(start, true))
    const middle = fourDigits(view.getInt32(start + 4, true))
    const lower = fourDigits(view.getInt32(start + 8, true))
    const last = (buffer[start + 12] ?? 0) - DIGIT_ZERO
    if (upper < 0 || middle < 0 || lower < 0 || last < 0 || last > 9) return timeAt(buffer, start, end)
    return upper * 1e9 + (middle * 100_000 + lower * 10 + last)
  }

  byCacheStatus(): ReadonlyMap<string, number> {
    return new Map(this.#sorted().map(({ name, index }) => [name, this.#lines[index] ?? 0]))
  }

  /** A line that does not say how many bytes were sent adds none. */
  bytesByCacheStatus(): ReadonlyMap<string, bigint> {
    return new Map(
      this.#sorted().map(({ name, index }) => [name, (this.#sent[index] ?? 0n) + BigInt(this.#sentSince[index] ?? 0)]),
    )
  }

  byStatusClass(): ReadonlyMap<string, number> {
    const counted = Array.from(this.#classes, (lines, digit) => [`${digit}xx`, lines] as const)
    return new Map(counted.filter(([, lines]) => lines > 0))
  }

  #sorted(): readonly KnownStatus[] {
    const linesOf = ({ index }: KnownStatus): number => this.#lines[index] ?? 0
    const all = linesOf(this.#other) > 0 ? [...this.#statuses, this.#other] : this.#statuses
    return all.toSorted((a, b) => linesOf(b) - linesOf(a))
  }

  #addLong(index: number, amount: number | bigint): void {
    if (typeof amount === 'bigint') this.#sent[index] = (this.#sent[index] ?? 0n) + amount
    else this.#sentSince[index] = (this.#sentSince[index] ?? 0) + amount
    if ((this.#sentSince[index] ?? 0) >= FULL) this.#carry(index)
  }

  #carry(index: number): void {
    this.#sent[index] = (this.#sent[index] ?? 0n) + BigInt(this.#sentSince[index] ?? 0)
    this.#sentSince[index] = 0
  }

  #look(buffer: Buffer): void {
    this.#buffer = buffer
    this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
  }

  /** Most lines begin like one before them. */
  #beginningOf(buffer: Buffer, start: number, end: number): Beginning | undefined {
    if (end - start < MIN_COMPARED_BYTES) return this.#readBeginning(buffer, start, end, 0, 0, 0)
    const view = this.#view
    const first = view.getInt32(start, true)
    const second = view.getInt32(start + 4, true)
    const third = view.getInt32(start + 8, true)
    const place = Math.imul(first ^ second ^ third, 0x9e3779b1) >>> 26
    const known = this.#beginnings[place]
    if (known?.first === first && known.second === second && known.third === third) return known
    const read = this.#readBeginning(buffer, start, end, first, second, third)
    if (read !== undefined && read.length <= BEGINNING_BYTES) this.#beginnings[place] = read
    return read
  }

  #readBeginning(
    buffer: Buffer,
    start: number,
    end: number,
    first: number,
    second: number,
    third: number,
  ): Beginning | undefined {
    const limit = Math.min(end, start + MAX_STATUS_BYTES)
    let hash = 0
    let at = start
    for (; at < limit && buffer[at] !== SEPARATOR; at += 1) hash = (hash * 31 + (buffer[at] ?? 0)) | 0
    if (at === start || at === limit || at + 4 >= end || buffer[at + 4] !== SEPARATOR) return undefined
    const statusCode = threeDigits(buffer, at + 1)
    if (statusCode < 100 || statusCode > 599) return undefined
    return { first, second, third, status: this.#find(hash, buffer, start, at), statusCode, length: at + 5 - start }
  }

  #find(hash: number, buffer: Buffer, start: number, end: number): KnownStatus {
    const place = hash & (STATUS_PLACES - 1)
    for (let known = this.#table[place]; known !== undefined; known = known.after) {
      if (isSame(known.bytes, buffer, start, end)) return known
    }
    if (this.#statuses.length >= MAX_STATUSES) return this.#other
    const bytes = Buffer.from(buffer.subarray(start, end))
    const name = bytes.toString('latin1')
    const index = this.#statuses.length
    const added: KnownStatus = { name, wanted: this.#isWanted(name), bytes, index, after: this.#table[place] }
    this.#statuses.push(added)
    this.#table[place] = added
    return added
  }
}

function isSame(bytes: Buffer, buffer: Buffer, start: number, end: number): boolean {
  const { length } = bytes
  if (length !== end - start) return false
  for (let at = 0; at < length; at += 1) if (bytes[at] !== buffer[start + at]) return false
  return true
}
