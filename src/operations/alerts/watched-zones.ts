import type { ReadBack } from '../../alerts/read-back.ts'
import { alertKind } from '../../alerts/kinds.ts'
import { pullSubject } from '../../alerts/rule-subjects.ts'
import { COLUMN } from '../../alerts/minute-series.ts'
import { LOG_RETENTION_MS } from '../../cdn/log-filter.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import { StoreError } from '../../store/store-error.ts'
import type { Answer, AnswerButton } from '../answer.ts'
import type { ZoneReference } from '../field.ts'
import type { OperationContext } from '../operation.ts'
import { firstKnown, newZones, partWords, pastOf, type Replay, replay, timesWords } from './replay.ts'
import { count, counted } from '../../block-kit/amounts.ts'
import { messageOf, paragraphs, smallPrint, tablePart } from '../../block-kit/message.ts'
import { code, md, mentionGroup, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { Table } from '../../block-kit/table.ts'
import { zoneLabel, zonesLabel } from '../zone-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { runbookLink } from './alert-fields.ts'

export interface Watched {
  readonly channelId: string
  /** Those that were not there before: what Undo takes back. */
  readonly added: readonly AlertRule[]
  readonly before: readonly AlertRule[]
  readonly pasts: readonly WatchedPast[]
}

export interface WatchedPast {
  readonly pullZone: ZoneReference
  readonly read: ReadBack
  readonly replays: readonly Replay[]
  readonly knownFrom?: number | undefined
  /** Whether lines carry status codes, without which nothing can be said of 5xx. */
  readonly coded: boolean
}

/** The rules are on whatever becomes of this, so what goes wrong here is told beside them. */
export async function lookBack(
  pullZone: ZoneReference,
  rules: readonly AlertRule[],
  context: OperationContext,
): Promise<WatchedPast> {
  if (context.signal.aborted) return { pullZone, read: unread('it took too long'), replays: [], coded: true }
  const read = await readBack(pullZone.id, context)
  try {
    return { pullZone, read, ...(await replayed(pullZone.id, rules, context)) }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const problems = [...read.problems, 'What would have been told is not known: the store did not answer.']
    return { pullZone, read: { ...read, problems }, replays: [], coded: true }
  }
}

async function replayed(
  pullZoneId: bigint,
  rules: readonly AlertRule[],
  context: OperationContext,
): Promise<Pick<WatchedPast, 'replays' | 'coded' | 'knownFrom'>> {
  const past = await pastOf(pullZoneId, new Date(context.now.getTime() - LOG_RETENTION_MS), context)
  const kinds = rules.flatMap(({ kind: name, subject, parameters }) => {
    const kind = subject === pullSubject(pullZoneId) ? alertKind(name) : undefined
    return kind?.subject === 'pull' && kind.name !== 'cannot-look' ? [[kind, parameters] as const] : []
  })
  const replays = await replay(kinds, pullZoneId, past, context)
  const { series, from, until } = past
  const all = series.total(COLUMN.lines, from, until)
  return { replays, coded: all === 0 || series.isCoded, knownFrom: firstKnown(past) }
}

async function readBack(pullZoneId: bigint, context: OperationContext): Promise<ReadBack> {
  const { alerts, signal } = context
  try {
    return await alerts.readBack(pullZoneId, { signal, progress: (said) => context.progress(said) })
  } catch (error) {
    if (!signal.aborted && !(error instanceof StoreError)) throw error
    return unread(signal.aborted ? 'it took too long' : 'they could not be kept')
  }
}

function unread(why: string): ReadBack {
  return { span: undefined, lines: 0, covered: 0, problems: [`The last days were not read: ${why}.`] }
}

export function undoWatch({ added }: Watched): readonly AnswerButton[] {
  if (added.length === 0) return []
  const values = { what: added.map(({ id }) => id).join(',') }
  return [{ kind: 'page', label: 'Undo', operation: 'alerts remove', values }]
}

const PAGE_ROWS = 15
const TWIN_ROWS = 25
/** Of each zone, those kinds that would have been told most often. */
const MAX_KINDS = 3

export function severalWatched(
  watched: Watched,
  told: Pick<AlertRule, 'mention' | 'runbook'>,
  running: Pick<OperationContext, 'zones' | 'command' | 'now'>,
): Answer {
  const table = tablePart(zonesTable(watched), TWIN_ROWS)
  const small = smallPrint(
    ...(table.kept < table.total ? [md`The table shows the first ${table.kept} of ${table.total} zones.`] : []),
    ...newZones(
      watched.pasts.map(({ knownFrom }) => knownFrom),
      running.now,
    ),
    md`${code(`${running.command} alerts list`)} shows what this channel gets; ${code(`${running.command} alerts mark`)} tells of deploys and purges, and what they explain is not told.`,
  )
  return {
    message: messageOf(paragraphs(titleOf(watched), ...notesOf(watched, told, running)), table, small),
    buttons: [
      ...undoWatch(watched),
      { kind: 'page', label: 'What this channel gets', operation: 'alerts list', values: {} },
    ],
  }
}

function titleOf({ added, pasts }: Watched): Mrkdwn {
  const before = pasts.filter(({ pullZone }) => ofZone(added, pullZone.id) === 0).length
  if (added.length === 0)
    return md`*All ${pasts.length} pull zones were watched here already.* Nothing new was turned on.`
  const already = before === 0 ? '' : ` ${before} of them were watched here before.`
  return md`*${pasts.length} pull zones are watched now.* This channel hears when one of them is in trouble.${already}`
}

function notesOf(
  { added, pasts }: Watched,
  { mention, runbook }: Pick<AlertRule, 'mention' | 'runbook'>,
  { zones }: Pick<OperationContext, 'zones'>,
): readonly (Mrkdwn | false)[] {
  const failed = pasts.filter(({ read }) => read.problems.length > 0).length
  const uncoded = pasts.filter(({ coded }) => !coded).map(({ pullZone }) => pullZone)
  const wide = added
    .filter(({ subject }) => !subject.startsWith('pull/'))
    .map(({ kind, subject }) => `${alertKind(kind)?.title ?? kind} for ${subjectWords(subject, zones)}`)
  return [
    failed !== 0 &&
      md`:warning: Of ${counted(failed, 'zone')} not all could be read; the table says why. The alerts are on all the same.`,
    wide.length !== 0 && md`Turned on beside them: ${wide.join(', ')}.`,
    mention !== undefined && md`Critical ones mention ${mentionGroup(mention)}.`,
    runbook !== undefined && md`Each links this ${runbookLink(runbook)}.`,
    uncoded.length !== 0 &&
      md`Lines of ${zonesLabel(uncoded)} carry no status codes, so a failing origin shows there as STALE only.`,
  ]
}

function zonesTable({ added, before, pasts }: Watched): Table {
  const failed = (past: WatchedPast): number => (past.read.problems.length > 0 ? 0 : 1)
  return {
    caption: 'Pull zones, what is known of their last 3 days, and what would have been told in them',
    columns: ['Zone', 'Alerts', 'Known', 'Would have been told', 'Not read'].map((title) => ({ title, kind: 'text' })),
    rows: pasts
      .toSorted((one, other) => failed(one) - failed(other))
      .map((past) => [
        zoneLabel(past.pullZone),
        alertsWords(ofZone(added, past.pullZone.id), ofZone(before, past.pullZone.id)),
        knownWords(past),
        wouldWords(past),
        past.read.problems.join(' '),
      ]),
    pageSize: PAGE_ROWS,
  }
}

function alertsWords(added: number, before: number): string {
  if (before === 0) return `${added} turned on`
  return added === 0 ? 'on already' : `${added} turned on, ${before} on already`
}

function knownWords({ read: { span, lines, covered } }: WatchedPast): string {
  if (span === undefined) return 'nothing yet'
  return `${partWords(covered)}${lines === 0 ? '' : `, ${count(lines)} lines read`}`
}

function wouldWords({ read, replays }: WatchedPast): string | undefined {
  const fired = replays
    .map(({ kind, result }) => ({ title: kind.title, times: result.firings.length }))
    .filter(({ times }) => times > 0)
    .toSorted((one, other) => other.times - one.times)
  if (fired.length === 0) return read.span === undefined ? undefined : 'nothing'
  const rest = fired.length - MAX_KINDS
  const said = fired.slice(0, MAX_KINDS).map(({ title, times }) => `${title} ${timesWords(times)}`)
  return `${said.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function ofZone(rules: readonly AlertRule[], pullZoneId: bigint): number {
  const subject = pullSubject(pullZoneId)
  return rules.filter((rule) => rule.subject === subject).length
}
