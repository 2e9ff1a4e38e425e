import type { Table, TableColumn } from '../../block-kit/table.ts'
import type { RecordedEntry } from '../../store/audit-entry.ts'
import type { ReaderTimes } from '../reader-times.ts'
import { eventWords } from './event-words.ts'

/** A longer text would push the rest of the row out of sight; the file has all of it. */
const LONG_CELL_LENGTH = 200

type Column = readonly [title: string, value: (entry: RecordedEntry) => string | undefined]

/** Entries as rows, in the order they are given. */
export function entriesTable(entries: readonly RecordedEntry[], times: ReaderTimes): Table {
  const columns: readonly Column[] = [
    ['Entry', ({ seq }) => String(seq)],
    ['Time', ({ at }) => times.format(at)],
    ['Who', ({ actor }) => actor],
    ['What happened', ({ event }) => eventWords(event)],
    ['Operation', ({ operation }) => operation],
    ['Summary', ({ summary }) => cut(summary)],
    ['Detail', ({ detail }) => cut(detail)],
    ['Change', ({ changeId }) => changeId],
  ]
  return {
    caption: `Entries of the audit log, times in ${times.zone}`,
    columns: columns.map(([title]): TableColumn => ({ title, kind: 'text' })),
    rows: entries.map((entry) => columns.map(([, value]) => value(entry))),
    pageSize: Math.max(1, entries.length),
  }
}

/** Whether the table shows all of what the entry says. */
export function isShownWhole({ summary, detail = '' }: RecordedEntry): boolean {
  return cut(summary) === summary && cut(detail) === detail
}

function cut(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= LONG_CELL_LENGTH) return text
  return `${Array.from(text)
    .slice(0, LONG_CELL_LENGTH - 1)
    .join('')}…`
}
