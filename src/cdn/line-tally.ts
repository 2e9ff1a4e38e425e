import type { DayFileSummary } from './cdn.ts'
import { FULL_SUM, type KnownStatus, LineCounts } from './line-counts.ts'
import { LineEnds, WINDOW_BYTES } from './line-ends.ts'
import {
  amountAt,
  isUsualTime,
  separatorAt,
  SHORT_AMOUNT_BYTES,
  shortAmountAt,
  threeDigits,
  timeOf,
  USUAL_TIME_BYTES,
  usualTimeAt,
} from './line-head.ts'
import { LineScanner, MAX_LINE_BYTES } from './line-scanner.ts'

const SEPARATOR = 0x7c
const MAX_STATUS_BYTES = 32
/** A power of two. */
const BEGINNING_PLACES = 256
const PLACE_BITS = 32 - Math.log2(BEGINNING_PLACES)
/** How much of a line is compared with what lines have begun with before. Its status and code are seldom longer. */
const BEGINNING_BYTES = 12
/** How far a usual line is read without a look at where it ends. */
const USUAL_BYTES = BEGINNING_BYTES + USUAL_TIME_BYTES + SHORT_AMOUNT_BYTES

/** The first bytes of a line, four at a time, what they say where the status and code are whole in them, and its lines. */
export interface LineBeginning {
  readonly first: number
  readonly second: number
  readonly third: number
  readonly status: KnownStatus
  readonly statusCode: number
  /** Where the time begins. */
  readonly length: number
  readonly isWanted: boolean
  /** Lines, and bytes sent, that `LineCounts` was not told of yet. */
  lines: number
  sent: number
}

export interface WantedLines {
  /** Whether lines with this cache status and status code are handed over. */
  wants(status: KnownStatus, statusCode: number): boolean
  /**
   * Is handed a line as the bytes from `start` to before `end`, which are valid only during the call, with its time in
   * milliseconds since 1970, negative where it has none.
   */
  take(buffer: Buffer, start: number, end: number, beginning: LineBeginning, atMs: number): void
}

/**
 * Reads what the lines of a day file begin with from their bytes, counts them, and hands over those that are wanted. Most
 * begin like one before them, have a time of the usual length, and an amount of nine digits at most; one loop takes in
 * all of those of a chunk, and sees nothing else of them. Whatever is otherwise is read step by step.
 */
export class LineTally {
  readonly #wanted: WantedLines
  readonly #scanner = new LineScanner((buffer, start, end) => this.#read(buffer, start, end))
  readonly #ends = new LineEnds()
  readonly #counts = new LineCounts()
  readonly #beginnings: (LineBeginning | undefined)[] = Array.from({ length: BEGINNING_PLACES }, () => undefined)
  #bytes = 0
  #lines = 0
  #malformedLines = 0
  #tooLongLines = 0

  constructor(wanted: WantedLines) {
    this.#wanted = wanted
  }

  /** Bytes that came. */
  get bytes(): number {
    return this.#bytes
  }

  /** Lines that were read, and those that were too long for it. */
  get lines(): number {
    return this.#lines + this.tooLongLines
  }

  get tooLongLines(): number {
    return this.#tooLongLines + this.#scanner.tooLongLines
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#scanner.push(chunk)
  }

  /**
   * The stream is over: takes in a last line without a line feed, and sums up. Lines that do not begin as a line must are
   * malformed. One that does not say how many bytes were sent adds none.
   */
  finish(): Omit<DayFileSummary, 'matched'> {
    this.#scanner.end()
    for (const beginning of this.#beginnings) if (beginning !== undefined) this.#carry(beginning)
    const { bytes, lines, tooLongLines } = this
    return { bytes, lines, malformedLines: this.#malformedLines, tooLongLines, ...this.#counts.summary() }
  }

  /** Reads whole lines. Everything that it calls for a usual line is short enough for the engine to make it a part of it. */
  #read(buffer: Buffer, from: number, to: number): void {
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
    const beginnings = this.#beginnings
    const { places } = this.#ends
    /** Behind it what a usual line begins with may not be there to be looked at. */
    const lastUsual = to - USUAL_BYTES
    let next = from
    let usualLines = 0
    for (let window = from; window < to; window += WINDOW_BYTES) {
      const count = this.#ends.find(buffer.subarray(window, Math.min(to, window + WINDOW_BYTES)))
      for (let index = 0; index < count; index += 1) {
        const start = next
        const end = window + (places[index] ?? 0)
        next = end + 1
        if (start > lastUsual || end - start > MAX_LINE_BYTES) {
          this.#readLine(buffer, start, end)
          continue
        }
        const first = view.getInt32(start, true)
        const second = view.getInt32(start + 4, true)
        const third = view.getInt32(start + 8, true)
        const known = beginnings[placeOf(first, second, third)]
        if (known?.first !== first || known.second !== second || known.third !== third) {
          this.#readLine(buffer, start, end)
          continue
        }
        // No byte that is compared or passes here is a line feed, so this stays in the line.
        const timeStart = start + known.length
        const sent = isUsualTime(view, timeStart) ? shortAmountAt(view, timeStart + USUAL_TIME_BYTES) : -1
        if (sent < 0) {
          this.#readLine(buffer, start, end)
          continue
        }
        usualLines += 1
        known.lines += 1
        known.sent += sent
        if (known.sent >= FULL_SUM) this.#carry(known)
        if (known.isWanted) this.#wanted.take(buffer, start, end, known, usualTimeAt(view, timeStart))
      }
    }
    this.#lines += usualLines
  }

  /** Reads any line. */
  #readLine(buffer: Buffer, start: number, end: number): void {
    if (end - start > MAX_LINE_BYTES) this.#tooLongLines += 1
    else if (end > start) this.#readUnusual(buffer, start, end)
  }

  #readUnusual(buffer: Buffer, start: number, end: number): void {
    this.#lines += 1
    const beginning = this.#beginningOf(buffer, start, end)
    if (beginning === undefined) {
      this.#malformedLines += 1
      return
    }
    const { status, statusCode, length, isWanted } = beginning
    const timeStart = start + length
    const timeEnd = separatorAt(buffer, timeStart, end)
    const sent = timeEnd < 0 ? 0 : amountAt(buffer, timeEnd + 1, end)
    this.#counts.add(status, statusCode, 1, sent)
    if (!isWanted) return
    this.#wanted.take(buffer, start, end, beginning, timeEnd < 0 ? -1 : timeOf(buffer, timeStart, timeEnd))
  }

  /** Undefined when the line has no status, no code, or nothing after them. */
  #beginningOf(buffer: Buffer, start: number, end: number): LineBeginning | undefined {
    const at = separatorAt(buffer, start, Math.min(end, start + MAX_STATUS_BYTES))
    if (at <= start || at + 4 >= end || buffer[at + 4] !== SEPARATOR) return undefined
    const statusCode = threeDigits(buffer, at + 1)
    if (statusCode < 100 || statusCode > 599) return undefined
    const status = this.#counts.statusAt(buffer, start, at)
    const isWanted = this.#wanted.wants(status, statusCode)
    const length = at + 5 - start
    const isWhole = length <= BEGINNING_BYTES && end - start >= BEGINNING_BYTES
    const first = isWhole ? buffer.readInt32LE(start) : 0
    const second = isWhole ? buffer.readInt32LE(start + 4) : 0
    const third = isWhole ? buffer.readInt32LE(start + 8) : 0
    const read: LineBeginning = { first, second, third, status, statusCode, length, isWanted, lines: 0, sent: 0 }
    if (isWhole) this.#remember(read)
    return read
  }

  #remember(beginning: LineBeginning): void {
    const place = placeOf(beginning.first, beginning.second, beginning.third)
    const before = this.#beginnings[place]
    if (before !== undefined) this.#carry(before)
    this.#beginnings[place] = beginning
  }

  #carry(beginning: LineBeginning): void {
    const { status, statusCode, lines, sent } = beginning
    this.#counts.add(status, statusCode, lines, sent)
    beginning.lines = 0
    beginning.sent = 0
  }
}

function placeOf(first: number, second: number, third: number): number {
  return Math.imul(first ^ second ^ third, 0x9e3779b1) >>> PLACE_BITS
}
