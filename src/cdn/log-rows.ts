import { turnOfTheLoop } from '../shared/clock.ts'
import { visible } from '../shared/untrusted.ts'
import { CdnError } from './errors.ts'
import { LOG_FIELDS, type LogEntry, type LogField } from './log-entry.ts'
import { LogRowReader } from './log-row.ts'

/** How much text is read at a stretch, as nothing else runs meanwhile: some two hundred rows, or a few of the longest. */
const CHARACTERS_AT_ONCE = 64 * 1024
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 64
/** Known, and never read: the end user's own credential, in clear. */
const WITHHELD = 'authorizationHeader'

/** The rows of one page of version 2. */
export interface LogRows {
  readonly entries: readonly LogEntry[]
  /** Fields no allow-list could name. Only the first row is looked at, since all have the same. */
  readonly unknown: readonly string[]
}

/**
 * Reads the rows of a page through the allow-list, and takes each out of the list as it is read: they hold what must not
 * stay, and memory. Throws `CdnError` (malformed) naming a field of the wrong type.
 */
export async function readLogRows(rows: unknown[], allowed: readonly LogField[], status: number): Promise<LogRows> {
  const entries: LogEntry[] = []
  const reader = new LogRowReader(allowed)
  const unknown = unknownOf(rows[0])
  let pauseAt = CHARACTERS_AT_ONCE
  try {
    for (let index = 0; index < rows.length; index += 1) {
      entries.push(reader.read(rows[index]))
      rows[index] = undefined
      if (reader.characters < pauseAt) continue
      await turnOfTheLoop()
      pauseAt = reader.characters + CHARACTERS_AT_ONCE
    }
    return { entries, unknown }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new CdnError('queryLogs', { kind: 'malformed', status, why: error.message })
  }
}

function unknownOf(row: unknown): readonly string[] {
  if (typeof row !== 'object' || row === null) return []
  const known = new Set<string>([...LOG_FIELDS, WITHHELD])
  const names = Object.keys(row).filter((name) => !known.has(name))
  return names.slice(0, MAX_NAMES).map((name) => visible(name, MAX_NAME_LENGTH))
}
