import { utcDay } from '../../cdn/dates.ts'
import type { RecordedEntry } from '../../store/audit-entry.ts'
import type { AnswerFile } from '../answer.ts'
import { type CsvCell, csv, csvName } from '../csv.ts'

const COLUMNS: readonly (readonly [title: string, value: (entry: RecordedEntry) => CsvCell])[] = [
  ['entry', ({ seq }) => seq],
  ['time_utc', ({ at }) => at],
  ['who', ({ actor }) => actor],
  ['team', ({ team }) => team],
  ['event', ({ event }) => event],
  ['operation', ({ operation }) => operation],
  ['change', ({ changeId }) => changeId],
  ['summary', ({ summary }) => summary],
  ['detail', ({ detail }) => detail],
  ['mac', ({ hash }) => hash],
]

/** Entries of the record as a file, events by the names the store has for them, the newest first. */
export function auditFile(entries: readonly RecordedEntry[], now: Date): AnswerFile {
  return {
    name: csvName('audit', utcDay(now)),
    title: 'Entries of the audit log',
    content: csv(
      COLUMNS.map(([title]) => title),
      entries.map((entry) => COLUMNS.map(([, value]) => value(entry))),
    ),
  }
}
