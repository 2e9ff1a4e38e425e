import { count } from '../../block-kit/amounts.ts'
import { message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, plainOf, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { fitTable, tableText } from '../../block-kit/table.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { RecordedEntry } from '../../store/audit-entry.ts'
import type { Answer, AnswerButton } from '../answer.ts'
import { counted } from '../counted.ts'
import type { OperationContext } from '../operation.ts'
import { isMeantAsPerson } from '../person-field.ts'
import { readerTimes } from '../reader-times.ts'
import { auditFile } from './audit-file.ts'
import { type AuditReading, MAX_FILE_ENTRIES, SHOWN_ENTRIES } from './audit-reading.ts'
import { entriesTable, isShownWhole } from './audit-table.ts'
import { type AuditQuestion, questionWords } from './audit-words.ts'

/** People named under the table, which itself can only show their ids. */
const MAX_NAMED = 10
const TWIN_ROWS = 10

/** The newest entries that fit as a table, older ones behind a button, and all of them as a file where that was asked. */
export function auditAnswer(reading: AuditReading, question: AuditQuestion, running: OperationContext): Answer {
  const { entries } = reading
  if (entries.length === 0) return noEntry(reading, question)
  const times = readerTimes(running.actor.timeZone)
  const candidates = entries.slice(0, SHOWN_ENTRIES)
  const shown = candidates.slice(0, fitTable(entriesTable(candidates, times)).kept)
  const table = entriesTable(shown, times)
  const isCut = reading.hasMore || shown.length < entries.length
  const title = md`*${counted(shown.length, 'entry', 'entries')} of the audit log*${questionWords(question)}, the newest first, as of ${dateTime(running.now)}`
  const notes = [...fileNotes(reading, question), ...cutNotes(shown, isCut), ...people(shown), verifyHint(running)]
  return {
    message: message({
      text: [plainOf(title), ...notes.map(plainOf), tableText(table, TWIN_ROWS)].join('\n'),
      blocks: [section(title), fitTable(table).block, ...notes.map((note) => context(note))],
    }),
    buttons: buttons(question, isCut ? shown.at(-1) : undefined),
    ...(question.csv === true && { file: auditFile(entries, running.now) }),
  }
}

function noEntry({ unknownOperation }: AuditReading, question: AuditQuestion): Answer {
  const { typed, suggestion } = unknownOperation ?? {}
  const lines = [
    md`*There is no entry*${questionWords(question)} in the audit log.`,
    ...(typed === undefined ? [] : [md`There is no operation called ${code(typed)}.`]),
    ...(suggestion === undefined ? [] : [md`Did you mean ${code(suggestion)}?`]),
  ]
  const all: AnswerButton = { kind: 'page', label: 'Show all entries', values: {} }
  return {
    message: message({ text: lines.map(plainOf).join(' '), blocks: [section(joinMd(lines, ' '))] }),
    buttons: [all],
  }
}

function fileNotes({ entries, hasMore }: AuditReading, { csv }: AuditQuestion): readonly Mrkdwn[] {
  if (csv !== true) return []
  const size = counted(entries.length, 'entry', 'entries')
  return hasMore
    ? [
        md`:warning: The file has the newest ${size}, and there are older ones: a file takes no more than ${count(MAX_FILE_ENTRIES)}. Narrow the time with ${code('--since')} and ${code('--until')} for the rest.`,
      ]
    : [md`The file, sent to your direct messages, has all ${size} that fit.`]
}

function cutNotes(shown: readonly RecordedEntry[], isCut: boolean): readonly Mrkdwn[] {
  return [
    ...(isCut ? [md`There are older entries that fit and are not shown here.`] : []),
    ...(shown.every(isShownWhole) ? [] : [md`Long texts are cut in the table; a CSV file has them whole.`]),
  ]
}

/** Who the ids of the table are. */
function people(shown: readonly RecordedEntry[]): readonly Mrkdwn[] {
  const ids = [...new Set(shown.map(({ actor }) => actor))].filter(isMeantAsPerson)
  if (ids.length === 0) return []
  const named = ids.slice(0, MAX_NAMED).map((id) => md`${code(id)} is ${mention(id)}`)
  const rest = ids.length - named.length
  return [md`${joinMd(named, ', ')}${rest > 0 ? ` and ${rest} more people` : ''}.`]
}

function verifyHint({ command }: OperationContext): Mrkdwn {
  return md`Whether all of it is as it was written: ${code(`${command} audit verify`)}`
}

function buttons(question: AuditQuestion, last: RecordedEntry | undefined): readonly AnswerButton[] {
  const { who, operation, since, until, before } = question
  // Pinned to moments: what was "7d" is another day when the button is pressed.
  const values: RawValues = {
    ...(who !== undefined && { who }),
    ...(operation !== undefined && { operation }),
    ...(since !== undefined && { since: since.toISOString() }),
    ...(until !== undefined && { until: until.toISOString() }),
    ...(before !== undefined && { before: String(before) }),
  }
  return [
    ...(last === undefined
      ? []
      : [{ kind: 'page', label: 'Older', values: { ...values, before: String(last.seq) } } as const]),
    ...(question.csv === true
      ? []
      : [{ kind: 'page', label: 'CSV file', values: { ...values, csv: 'true' } } as const]),
  ]
}
