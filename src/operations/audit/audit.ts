import { cutPoints } from '../../block-kit/plain-text.ts'
import type { AuditEvent, RecordedEntry } from '../../store/audit-entry.ts'
import { count, counted } from '../../block-kit/amounts.ts'
import { messageOf, paragraphs, readLast, smallPrint, tablePart, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { fitTable, type Table, type TableColumn } from '../../block-kit/table.ts'
import { UserError } from '../../shared/errors.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { type AuditFilter, MAX_AUDIT_PAGE_ROWS } from '../../store/audit-log.ts'
import { type Answer, type AnswerButton, type AnswerFile, pageButton } from '../answer.ts'
import { defineOperation } from '../define-operation.ts'
import type { InputOf } from '../field.ts'
import { flag, integer, text } from '../fields.ts'
import { matchInCatalog } from '../find-operation.ts'
import type { OperationContext } from '../operation.ts'
import { isMeantAsPerson, person } from '../person-field.ts'
import { type ReaderTimes, readerTimes } from '../reader-times.ts'
import { instant } from '../time-field.ts'
import { utcDay } from '../../cdn/dates.ts'
import { type CsvColumn, csvName, csvOf } from '../csv.ts'

const WORDS: Readonly<Record<AuditEvent, string>> = {
  read: 'read',
  denied: 'refused or declined',
  requested: 'asked for',
  approval: 'approved by one person',
  approved: 'approved, to be sent',
  break_glass: 'went without approval, with a reason',
  cancelled: 'cancelled',
  expired: 'expired',
  sending: 'being sent',
  done: 'done',
  rejected: 'refused by the platform',
  not_sent: 'not sent',
  unknown: 'unknown whether it happened',
  not_done: 'settled: it did not happen',
  zone_added: 'zone name added',
  zone_removed: 'zone name removed',
  roles_changed: 'roles changed',
  policy_changed: 'policy changed',
  alert_added: 'alert rule added',
  alert_removed: 'alert rule removed',
  alert_paused: 'alert rule paused',
  alert_resumed: 'alert rule resumed',
  alert_acknowledged: 'alert acknowledged',
  alert_dismissed: 'alert answered: not a problem',
  alert_silenced: 'alerts silenced',
  alert_unsilenced: 'silence ended',
  alert_marked: 'deploy or purge marked',
  keys_changed: 'API keys changed',
}

/** What an entry of the record says happened, in a few words. A newer version's event is shown by its own name. */
export function eventWords(event: string): string {
  return isKnown(event) ? WORDS[event] : event
}

function isKnown(event: string): event is AuditEvent {
  return Object.hasOwn(WORDS, event)
}

const SHOWN_ENTRIES = 25
const MAX_FILE_ENTRIES = 10_000

const fields = {
  who: person({ label: 'Who', hint: 'Only what this person did or was refused: a mention or a user id.' }),
  operation: text({
    label: 'Operation',
    hint: 'Only entries of this one, such as dns add.',
    maxLength: 100,
    word: 'operation',
  }),
  since: instant({ label: 'Since', hint: 'Only entries from this time on: 2026-11-01, or 14d back from now.' }),
  until: instant({ label: 'Until', hint: 'Only entries before this time, given in the same ways.' }),
  csv: flag({
    label: 'CSV file',
    hint: `Sends what fits as a file to your direct messages, at most ${count(MAX_FILE_ENTRIES)} entries.`,
  }),
  before: integer({
    label: 'Before',
    hint: 'The number of an entry: only older ones are shown.',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  }),
}

export const audit = defineOperation({
  name: 'audit',
  aliases: ['audit list'],
  summary: 'Show the record of who asked, approved and did what',
  verb: 'Show entries',
  effect: 'sensitive read',
  minimumRole: 'admin',
  audience: 'caller',
  fields,
  positionals,
  examples: ['audit', 'audit @U012AB3CD --since 7d', 'audit dns add --csv', 'audit list --since 2026-11-01'],
  check({ since, until }, { now }) {
    if (since !== undefined && since > now) return [{ field: 'since', problem: 'Since lies in the future.' }]
    if (since === undefined || until === undefined || since < until) return []
    return [{ field: 'until', problem: 'Until must lie after since.' }]
  },
  describe: (question) => `Read the audit log${questionWords(question)}`,
  run: readRecord,
  present: auditAnswer,
})

function positionals({ who }: RawValues): readonly ('who' | 'operation')[] {
  return who === undefined || isMeantAsPerson(who) ? ['who', 'operation'] : ['operation']
}

/** People named under the table, which itself can only show their ids. */
const MAX_NAMED = 10
const TWIN_ROWS = 10

function auditAnswer(reading: AuditReading, question: AuditQuestion, running: OperationContext): Answer {
  const { entries } = reading
  if (entries.length === 0) return noEntry(reading, question)
  const times = readerTimes(running.actor.timeZone)
  const candidates = entries.slice(0, SHOWN_ENTRIES)
  const shown = candidates.slice(0, fitTable(entriesTable(candidates, times)).kept)
  const table = entriesTable(shown, times)
  const isCut = reading.hasMore || shown.length < entries.length
  const title = md`*${counted(shown.length, 'entry', 'entries')} of the audit log*${questionWords(question)}, the newest first, as of ${dateTime(running.now)}`
  const notes = [...fileNotes(reading, question), ...cutNotes(shown, isCut), ...people(shown)]
  const hint = md`Whether all of it is as it was written: ${code(`${running.command} audit verify`)}`
  return {
    message: messageOf(paragraphs(title), readLast(tablePart(table, TWIN_ROWS)), smallPrint(...notes, hint)),
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
  return {
    message: wordsMessage([joinMd(lines, ' ')]),
    buttons: [pageButton('Show all entries', {})],
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

function cutNotes(shown: readonly RecordedEntry[], isCut: boolean): readonly (Mrkdwn | false)[] {
  return [
    isCut && md`There are older entries that fit and are not shown here.`,
    ...(shown.every(isShownWhole) ? [] : [md`Long texts are cut in the table; a CSV file has them whole.`]),
  ]
}

function people(shown: readonly RecordedEntry[]): readonly Mrkdwn[] {
  const ids = [...new Set(shown.map(({ actor }) => actor))].filter(isMeantAsPerson)
  if (ids.length === 0) return []
  const named = ids.slice(0, MAX_NAMED).map((id) => md`${code(id)} is ${mention(id)}`)
  const rest = ids.length - named.length
  return [md`${joinMd(named, ', ')}${rest > 0 ? ` and ${rest} more people` : ''}.`]
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
    ...(last === undefined ? [] : [pageButton('Older', { ...values, before: String(last.seq) })]),
    ...(question.csv === true ? [] : [pageButton('CSV file', { ...values, csv: 'true' })]),
  ]
}

/** A longer text would push the rest of the row out of sight; the file has all of it. */
const LONG_CELL_LENGTH = 200

function entriesTable(entries: readonly RecordedEntry[], times: ReaderTimes): Table {
  const columns: readonly (readonly [title: string, value: (entry: RecordedEntry) => string | undefined])[] = [
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

function isShownWhole({ summary, detail = '' }: RecordedEntry): boolean {
  return cut(summary) === summary && cut(detail) === detail
}

function cut(text: string | undefined): string | undefined {
  return text && cutPoints(text, LONG_CELL_LENGTH)
}

interface AuditReading {
  readonly entries: readonly RecordedEntry[]
  readonly hasMore: boolean
  /** Set when the words name no operation: entries of what is gone can still be found by its exact name. */
  readonly unknownOperation?: { readonly typed: string; readonly suggestion: string | undefined } | undefined
}

async function readRecord(question: AuditQuestion, context: OperationContext): Promise<AuditReading> {
  const { who, since, until, before, csv } = question
  const { name, unknownOperation } = operationMeant(question.operation, context)
  const filter: AuditFilter = { actor: who, operation: name, from: since, until }
  const wanted = csv === true ? MAX_FILE_ENTRIES : SHOWN_ENTRIES
  const entries = await readNewest(filter, { before, limit: wanted + 1 }, context)
  return { entries: entries.slice(0, wanted), hasMore: entries.length > wanted, unknownOperation }
}

async function readNewest(
  filter: AuditFilter,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
  context: Pick<OperationContext, 'store' | 'progress'>,
): Promise<readonly RecordedEntry[]> {
  const entries: RecordedEntry[] = []
  while (entries.length < limit) {
    const rows = Math.min(limit - entries.length, MAX_AUDIT_PAGE_ROWS)
    const page = await context.store.audit.list({ ...filter, before: entries.at(-1)?.seq ?? before, limit: rows })
    entries.push(...page)
    if (page.length < rows || entries.length >= limit) break
    context.progress(`Read ${count(entries.length)} entries of the audit log`)
  }
  return entries
}

function operationMeant(words: string | undefined, { catalog }: Pick<OperationContext, 'catalog'>) {
  if (words === undefined) return { name: undefined, unknownOperation: undefined }
  const match = matchInCatalog(words, catalog)
  if (match.kind === 'one') return { name: match.operation.name, unknownOperation: undefined }
  if (match.kind === 'none') {
    return { name: words, unknownOperation: { typed: words, suggestion: match.suggestion?.name } }
  }
  const names = match.operations.map(({ name }) => name).join(', ')
  throw new UserError(
    'invalid_input',
    `${words} is several operations, so nothing was read.`,
    `Name one of them: ${names}`,
  )
}

type AuditQuestion = InputOf<typeof fields>

/** What is asked for, to follow the words "the audit log": " of U012AB about dns add since …". Plain. */
function questionWords({ who, operation, since, until, before }: AuditQuestion): string {
  return [
    who === undefined ? '' : ` of ${who}`,
    operation === undefined ? '' : ` about ${operation}`,
    since === undefined ? '' : ` since ${since.toISOString()}`,
    until === undefined ? '' : ` until ${until.toISOString()}`,
    before === undefined ? '' : `, before entry ${before}`,
  ].join('')
}

const COLUMNS: readonly CsvColumn<RecordedEntry>[] = [
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

export function auditFile(entries: readonly RecordedEntry[], now: Date): AnswerFile {
  return {
    name: csvName('audit', utcDay(now)),
    title: 'Entries of the audit log',
    content: csvOf(COLUMNS, entries),
  }
}
