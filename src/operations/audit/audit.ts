import { cut } from '../../block-kit/plain-text.ts'
import type { AuditEvent, RecordedEntry } from '../../store/schema/audit-entry.ts'
import { count, counted } from '../../block-kit/amounts.ts'
import { messageOf, paragraphs, readLast, smallPrint, tablePart, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, mentionChannel, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { type Column, type Table, tableOf } from '../../block-kit/table.ts'
import { UserError, unreachable } from '../../shared/errors.ts'
import { shortId } from '../../shared/short-id.ts'
import { MAX_AUDIT_PAGE_ROWS } from '../../store/audit/audit-log.ts'
import { type Answer, type AnswerFile, pageButton, rawValuesFrom } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { InputOf } from '../declaration/field.ts'
import { flag, integer, text, spelled, byLooks, isAnything, isTime } from '../declaration/fields.ts'
import { matchOperation } from '../declaration/operation-names.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { isMeantAsPerson, person } from '../declaration/person-field.ts'
import { listPeople } from '../declaration/prompt-words.ts'
import { type ReaderTimes, readerTimes } from '../declaration/reader-times.ts'
import { instant, isStart } from '../declaration/time-field.ts'
import { utcDay } from '../../cdn/contract/dates.ts'
import { type CsvColumn, csvName, csv } from '../declaration/csv.ts'
import type { AuditHead } from '../../store/schema/audit-chain.ts'
import type { AuditVerdict } from '../../store/audit/audit-verification.ts'

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
  rejected: 'refused by the CDN',
  not_sent: 'not sent',
  unknown: 'unknown whether it happened',
  not_done: 'settled: it did not happen',
  zone_added: 'zone name added',
  zone_removed: 'zone name removed',
  roles_changed: 'roles changed',
  policy_changed: 'policy changed',
  alert_added: 'alert rule added',
  alert_changed: 'alert rule changed',
  alert_removed: 'alert rule removed',
  alert_paused: 'alert rule paused',
  alert_resumed: 'alert rule resumed',
  alert_acknowledged: 'alert acknowledged',
  alert_taken_over: 'alert taken over',
  alert_released: 'alert released',
  alert_noted: 'note on an alert',
  alert_dismissed: 'alert answered: not a problem',
  alert_silenced: 'alerts silenced',
  alert_unsilenced: 'silence ended',
  alert_unmarked: 'mark removed',
  digest_set: 'digest of a channel set',
  alert_marked: 'deploy or purge marked',
  keys_changed: 'API keys changed',
  access_asked: 'asked for access',
}

const EVENTS: ReadonlyMap<string, string> = new Map(Object.entries(WORDS))

/** What an entry of the record says happened, in a few words. A newer version's event is shown by its own name. */
export function describeEvent(event: string): string {
  return EVENTS.get(event) ?? event
}

const SHOWN_ENTRIES = 25
const MAX_FILE_ENTRIES = 10_000

const fields = {
  who: person({ label: 'Who', hint: 'Only what this person did or was refused: a mention, a name or a user id.' }),
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
  aliases: ['audit list', 'refused', 'denied'],
  summary: 'Show who asked, approved and did what: the audit log',
  verb: 'Show entries',
  effect: 'sensitive read',
  minimumRole: 'admin',
  fields,
  positionals: byLooks({ who: isMeantAsPerson, since: isStart, until: isTime, operation: isAnything }),
  examples: ['audit', 'audit @U012AB3CD --since 7d', 'audit dns add --csv', 'audit list --since 2026-11-01'],
  check({ since, until }, { now }) {
    if (since !== undefined && since > now) return [{ field: 'since', problem: 'Since lies in the future.' }]
    if (since === undefined || until === undefined || since < until) return []
    return [{ field: 'until', problem: 'Until must lie after since.' }]
  },
  describe: (question) => `Read the audit log${describeQuestion(question)}`,
  run: readAsked,
  present(reading, _, { actor, now, command }) {
    const { entries, question } = reading
    const times = readerTimes(actor.timeZone)
    if (entries.length === 0) return noEntryAnswer(reading, times)
    const { csv, ...asked } = question
    const candidates = entries.slice(0, SHOWN_ENTRIES)
    const table = tablePart(entriesTable(candidates, times), FALLBACK_TEXT_ROWS)
    const shown = candidates.slice(0, table.kept)
    const title = md`*${counted(shown.length, 'entry', 'entries')} of the audit log*${aboutMd(question, times)}, the newest first, as of ${dateTime(now)}`
    const older = reading.hasMore || shown.length < entries.length ? shown.at(-1) : undefined
    const notes = [
      md`Times are in ${times.zone}.`,
      csv === true && fileNote(reading),
      older !== undefined && md`There are older entries that match and are not shown here.`,
      !shown.every(isShownWhole) && md`Long texts are cut in the table; a CSV file has them whole.`,
      namesNote(shown),
      md`Whether all of it is as it was written: ${code(`${command} audit verify`)}`,
    ]
    const values = rawValuesFrom(asked)
    return {
      message: messageOf(paragraphs(title), readLast(table), smallPrint(...notes)),
      buttons: [
        ...(older === undefined ? [] : [pageButton('Older', { ...values, before: String(older.seq) })]),
        ...(csv === true ? [] : [pageButton('CSV file', { ...values, csv: 'true' })]),
      ],
      ...(csv === true && { file: auditFile(entries, now) }),
    }
  },
})

/** People and channels named under the table, which itself can only show their ids. */
const MAX_NAMED = 10
const FALLBACK_TEXT_ROWS = 10
const ID_IN_TEXT = /\b[UWCG](?=[A-Z]*\d)[A-Z0-9]{4,20}\b/g

function aboutMd(question: AuditQuestion, times: ReaderTimes): Mrkdwn {
  return md`${question.who && md` of ${mention(question.who)}`}${describeQuestion({ ...question, who: undefined }, times.format)}`
}

function noEntryAnswer({ question, unknown, suggestion }: AuditReading, times: ReaderTimes): Answer {
  const nobody = question.who === undefined ? ', and nobody of that name was found' : ''
  const next = suggestion ? md`Did you mean ${code(suggestion)}?` : md`For a person, type @ and pick from Slack's list.`
  const lines = [
    md`*There is no entry*${aboutMd(question, times)} in the audit log.`,
    ...(unknown === undefined ? [] : [md`There is no operation called ${code(unknown)}${nobody}.`, next]),
  ]
  const small = question.since === undefined && question.until === undefined ? [] : [md`Times are in ${times.zone}.`]
  return { message: wordsMessage([joinMd(lines, ' ')], { small }), buttons: [pageButton('Show all entries', {})] }
}

function fileNote({ entries, hasMore }: AuditReading): Mrkdwn {
  const size = counted(entries.length, 'entry', 'entries')
  if (!hasMore) return md`The file, sent to your direct messages, has all ${size} that match.`
  return md`:warning: The file has the newest ${size}, and there are older ones: a file takes no more than ${count(MAX_FILE_ENTRIES)}. Narrow the time with ${code('--since')} and ${code('--until')} for the rest.`
}

function namesNote(shown: readonly RecordedEntry[]): Mrkdwn | false {
  const texts = shown.map(({ actor, summary, detail = '' }) => `${actor} ${summary} ${detail}`)
  const ids = [...new Set(texts.flatMap((text) => text.match(ID_IN_TEXT) ?? []))]
  const named = ids.map((id) => md`${code(id)} is ${/^[CG]/.test(id) ? mentionChannel(id) : mention(id)}`)
  return ids.length > 0 && md`${listPeople(named, MAX_NAMED)}.`
}

/** A longer text would push the rest of the row out of sight; the file has all of it. */
const LONG_CELL_LENGTH = 200

function entriesTable(entries: readonly RecordedEntry[], times: ReaderTimes): Table {
  const columns: readonly Column<RecordedEntry>[] = [
    ['Entry', ({ seq }) => String(seq)],
    ['Time', ({ at }) => times.format(at)],
    ['Who', ({ actor }) => actor],
    ['What happened', ({ event }) => describeEvent(event)],
    ['Operation', ({ operation }) => operation],
    ['Summary', ({ summary }) => cut(summary, LONG_CELL_LENGTH)],
    ['Detail', ({ detail = '' }) => cut(detail, LONG_CELL_LENGTH)],
    ['Change', ({ changeId }) => changeId && shortId(changeId)],
  ]
  return tableOf('Entries of the audit log', columns, entries, entries.length)
}

function isShownWhole({ summary, detail = '' }: RecordedEntry): boolean {
  return Math.max(summary.length, detail.length) <= LONG_CELL_LENGTH
}

type AuditReading = Awaited<ReturnType<typeof readEntries>>

/** What is no operation may be the name of somebody, typed without its @. */
async function readAsked(question: AuditQuestion, context: OperationContext): Promise<AuditReading> {
  const reading = await readEntries(question, context)
  const { unknown, entries } = reading
  if (unknown === undefined || entries.length > 0 || question.who !== undefined) return reading
  const people = (await context.findNamed(unknown)).filter(({ id }) => isMeantAsPerson(id))
  const [only, ...others] = people
  if (only === undefined) return reading
  if (others.length === 0) return readEntries({ ...question, who: only.id, operation: undefined }, context)
  throw severalMeant(unknown, 'people', people.slice(0, MAX_NAMED))
}

async function readEntries(question: AuditQuestion, context: OperationContext) {
  const { who, since, until, before, csv } = question
  const { operation, ...unknown } = readOperationName(question.operation, context)
  const wanted = csv === true ? MAX_FILE_ENTRIES : SHOWN_ENTRIES
  const entries: RecordedEntry[] = []
  // One more than is wanted tells whether there are older ones.
  while (entries.length <= wanted) {
    const limit = Math.min(wanted + 1 - entries.length, MAX_AUDIT_PAGE_ROWS)
    const filter = { actor: who, operation, from: since, until, before: entries.at(-1)?.seq ?? before, limit }
    const page = await context.store.audit.list(filter)
    entries.push(...page)
    if (page.length < limit || entries.length > wanted) break
    context.progress(`Read ${count(entries.length)} entries of the audit log`)
  }
  return { question, entries: entries.slice(0, wanted), hasMore: entries.length > wanted, ...unknown }
}

function readOperationName(words: string | undefined, { catalog }: Pick<OperationContext, 'catalog'>) {
  if (words === undefined) return { operation: undefined }
  const match = matchOperation(words, catalog)
  // Entries of one that is gone can still be found by its exact name.
  if (match.kind === 'none') return { operation: words, unknown: words, suggestion: match.suggestion?.name }
  const [first, ...others] = match.entries
  if (others.length === 0) return { operation: first.operation.name }
  const meant = match.entries.map(({ operation }) => operation)
  throw severalMeant(words, 'operations', meant)
}

function severalMeant(words: string, what: string, all: readonly { readonly name: string }[]): UserError {
  const hint = `Name one of them: ${all.map(({ name }) => name).join(', ')}`
  return new UserError('invalid_input', `${words} is several ${what}, so nothing was read.`, hint)
}

type AuditQuestion = InputOf<typeof fields>

/** What is asked for, to follow the words "the audit log": " of U012AB about dns add since …". Plain; by a reader's clock or in UTC. */
function describeQuestion(question: AuditQuestion, format = (at: Date): string => at.toISOString()): string {
  const { who, operation, since, until, before } = question
  return [
    who === undefined ? '' : ` of ${who}`,
    operation === undefined ? '' : ` about ${operation}`,
    since === undefined ? '' : ` since ${format(since)}`,
    until === undefined ? '' : ` until ${format(until)}`,
    before === undefined ? '' : `, before entry ${before}`,
  ].join('')
}

const FILE_COLUMNS: readonly CsvColumn<RecordedEntry>[] = [
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
    content: csv(FILE_COLUMNS, entries),
  }
}

const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/

export function readHead(text: string): AuditHead | undefined {
  const [, seq, hash] = HEAD.exec(text.trim().toLowerCase()) ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}

export function formatHead({ seq, hash }: AuditHead): string {
  return `${seq}:${hash}`
}

export const auditVerify = defineOperation({
  name: 'audit verify',
  summary: 'Check that no entry of the audit log was changed, removed or added',
  verb: 'Verify the audit log',
  effect: 'read',
  minimumRole: 'admin',
  fields: {
    expect: spelled({
      label: 'Expected head',
      hint: 'A head noted earlier, as seq:mac: shows whether newer entries were cut off since.',
      maxLength: 81,
      word: 'seq:mac',
      parse: readHead,
      rule: 'Expected head is the number of an entry and its 64 hexadecimal digits, as 120:0a1b….',
    }),
  },
  positionals: ['expect'],
  examples: ['audit verify', `audit verify --expect 120:${'0a1b2c3d'.repeat(8)}`],
  describe: ({ expect }) => `Verify the audit log${expect === undefined ? '' : ` against entry ${expect.seq}`}`,
  async run({ expect }, context) {
    const { audit } = context.store
    const { seq } = await audit.head()
    context.progress(`Checking ${counted(seq, 'entry', 'entries')} of the audit log`)
    return audit.verify({ expect })
  },
  present(verdict, { expect }, { now, command }) {
    const { headline, sentences } = describeVerdict(verdict, expect)
    const lead = [
      md`${verdict.ok ? md`:white_check_mark:` : md`:rotating_light:`} *${headline}*`,
      md`${sentences.join('\n')}`,
    ]
    const asOf = md`As of ${dateTime(now)}`
    if (!verdict.ok || verdict.entries === 0) return { message: messageOf(paragraphs(...lead), smallPrint(asOf)) }
    const head = formatHead(verdict.head)
    const note = md`*Head, to note elsewhere:* ${code(head)}`
    const later = md`Later: ${code(`${command} audit verify ${head}`)} shows that nothing up to it is missing.`
    return { message: messageOf(paragraphs(...lead, note), smallPrint(later, asOf)) }
  },
})

type Broken = Extract<AuditVerdict, { readonly ok: false }>

const UNKEYED = 'Without AUDIT_KEY this detects accidents, not tampering.'
const NOT_EXPECTED =
  'This does not show whether the newest entries were deleted: for that, give --expect the head that an earlier check named.'
const WRONG_KEY = 'That is also how it looks when AUDIT_KEY is not what it was when the log was written.'
const NEXT = 'Copy the database as it is and compare it with a backup before anything is mended.'

export function describeVerdict(verdict: AuditVerdict, expect: AuditHead | undefined) {
  const { entries, keyed } = verdict
  const unkeyed = keyed ? [] : [UNKEYED]
  if (!verdict.ok) {
    // A wrong key makes even the first entry look forged.
    const hint = verdict.fault === 'entry' && verdict.firstBad === 1 ? [WRONG_KEY] : []
    const sentences = [describeFault(verdict, expect), ...hint, NEXT, ...unkeyed]
    return { headline: 'The audit log is not what was written', sentences }
  }
  if (entries === 0) return { headline: 'The audit log has no entry yet', sentences: [...unkeyed, NOT_EXPECTED] }
  const sentences =
    expect === undefined
      ? [...unkeyed, NOT_EXPECTED]
      : [`Entry ${expect.seq} is the one that was noted, so nothing up to it is missing.`, ...unkeyed]
  return { headline: `Audit log: ${counted(entries, 'entry', 'entries')} intact`, sentences }
}

function describeFault({ fault, firstBad, entries }: Broken, expect: AuditHead | undefined): string {
  const sound = entries === 0 ? 'No entry before it is sound.' : `The first ${count(entries)} are sound.`
  switch (fault) {
    case 'entry':
      return `The first bad entry is ${firstBad}: it was changed, removed, added or moved. ${sound}`
    case 'head':
      return `The entries up to ${firstBad} lead to another head than the one that is stored: the newest entries or the head were changed.`
    case 'cut':
      return `What is there is sound, but entry ${expect?.seq ?? firstBad} was noted and is gone: the log was cut off from entry ${firstBad} on.`
    case 'replaced':
      return `Entry ${firstBad} is not the one that was noted: the log was written anew from there or before, or this is another log.`
    default:
      return unreachable(fault)
  }
}
