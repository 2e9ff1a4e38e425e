import { turnOfTheLoop } from '../shared/clock.ts'
import { keepForms } from '../shared/kept-forms.ts'
import { visible } from '../shared/untrusted.ts'
import { MAX_LOG_PAGE_SIZE } from './dialect.ts'
import { shapeOf } from './json-shape.ts'
import { JsonProblem, parseJson } from './json.ts'
import { LOG_FIELDS, type LogEntry, type LogField } from './log-entry.ts'
import { areFlat } from './log-pieces.ts'
import { LogRowReader, UnclearNumber } from './log-row.ts'

/** How much text is read at a stretch, as nothing else runs meanwhile: some two hundred rows, or a few of the longest. */
const CHARACTERS_AT_ONCE = 64 * 1024
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 64
/** Known, and never read: the end user's own credential, in clear. */
const WITHHELD = 'authorizationHeader'

/** The rows of one page of version 2, read through the allow-list as they come. */
export class LogRows {
  readonly #reader: LogRowReader
  readonly #entries: LogEntry[] = []
  #unknown: readonly string[] | undefined
  #isUnclear = false
  #pauseAt = CHARACTERS_AT_ONCE
  /** Of the pieces since the last pause: rows that are still bytes take time even where nothing of them is read. */
  #bytes = 0

  constructor(allowed: readonly LogField[]) {
    this.#reader = new LogRowReader(allowed)
  }

  get entries(): readonly LogEntry[] {
    return this.#entries
  }

  /** Fields no allow-list could name. Only the first row is looked at, since all have the same. */
  get unknown(): readonly string[] {
    return this.#unknown ?? []
  }

  /**
   * Reads parsed rows, and takes each out of the list as it is read: they hold what must not stay, and memory. Throws
   * `UnfitRow`.
   */
  async read(rows: unknown[]): Promise<void> {
    this.#unknown ??= unknownOf(rows[0])
    for (let index = 0; index < rows.length; index += 1) {
      this.#entries.push(this.#reader.read(rows[index]))
      rows[index] = undefined
      if (this.#reader.characters >= this.#pauseAt) await this.#pause()
    }
  }

  /**
   * Reads rows that are still bytes, with the commas between them. Throws {@link JsonProblem} besides, also for more rows
   * than a page may have.
   */
  async readPiece(piece: Buffer): Promise<void> {
    for (const entry of this.#entriesOf(piece)) this.#entries.push(entry)
    this.#bytes += piece.length
    if (this.#bytes >= CHARACTERS_AT_ONCE) await this.#pause()
  }

  /** Once a double may have stood for several integers, rows are parsed as all other answers are, which takes longer. */
  #entriesOf(piece: Buffer): readonly LogEntry[] {
    const text = `[${piece.toString()}]`
    if (!this.#isUnclear) {
      const rows = usualRows(text)
      if (!areFlat(piece, rows.length)) refuseProblems(piece)
      try {
        return this.#entriesFrom(rows, text)
      } catch (error) {
        if (!(error instanceof UnclearNumber)) throw error
        this.#isUnclear = true
      }
    }
    return this.#entriesFrom(parseJson(text, shapeOf(piece)) as readonly unknown[], undefined)
  }

  #entriesFrom(rows: readonly unknown[], rounded: string | undefined): readonly LogEntry[] {
    if (this.#entries.length + rows.length > MAX_LOG_PAGE_SIZE) throw new JsonProblem('More rows than a page has')
    this.#unknown ??= unknownOf(rows[0])
    this.#reader.begin(rounded)
    return rows.map((row) => this.#reader.read(row))
  }

  async #pause(): Promise<void> {
    await turnOfTheLoop()
    this.#bytes = 0
    this.#pauseAt = this.#reader.characters + CHARACTERS_AT_ONCE
  }
}

function usualRows(text: string): readonly unknown[] {
  try {
    return JSON.parse(text) as readonly unknown[]
  } catch {
    throw new JsonProblem('Not JSON')
  }
}

function refuseProblems(piece: Buffer): void {
  const { problem } = shapeOf(piece)
  if (problem !== undefined) throw new JsonProblem(problem)
}

function unknownOf(row: unknown): readonly string[] {
  if (typeof row !== 'object' || row === null) return []
  const known = new Set<string>([...LOG_FIELDS, WITHHELD])
  const names = Object.keys(row).filter((name) => !known.has(name))
  return names.slice(0, MAX_NAMES).map((name) => visible(name, MAX_NAME_LENGTH))
}

keepForms(new LogRows(LOG_FIELDS))
