import { pullSubject } from '../../alerts/rule-subjects.ts'
import { alertKind } from '../../alerts/kinds.ts'
import { count, counted } from '../../block-kit/amounts.ts'
import { messageOf, paragraphs, smallPrint, tablePart } from '../../block-kit/message.ts'
import { code, md, mentionGroup, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { Table } from '../../block-kit/table.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import type { Answer } from '../answer.ts'
import type { OperationContext } from '../operation.ts'
import { zoneLabel, zonesLabel } from '../zone-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { newZones, partWords, timesWords } from './replay.ts'
import { runbookLink } from './alert-fields.ts'
import { undoWatch, type Watched, type WatchedPast } from './watched-zones.ts'

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
): readonly Mrkdwn[] {
  const failed = pasts.filter(({ read }) => read.problems.length > 0).length
  const uncoded = pasts.filter(({ coded }) => !coded).map(({ pullZone }) => pullZone)
  const wide = added
    .filter(({ subject }) => !subject.startsWith('pull/'))
    .map(({ kind, subject }) => `${alertKind(kind)?.title ?? kind} for ${subjectWords(subject, zones)}`)
  return [
    ...(failed === 0
      ? []
      : [
          md`:warning: Of ${counted(failed, 'zone')} not all could be read; the table says why. The alerts are on all the same.`,
        ]),
    ...(wide.length === 0 ? [] : [md`Turned on beside them: ${wide.join(', ')}.`]),
    ...(mention === undefined ? [] : [md`Critical ones mention ${mentionGroup(mention)}.`]),
    ...(runbook === undefined ? [] : [md`Each links this ${runbookLink(runbook)}.`]),
    ...(uncoded.length === 0
      ? []
      : [md`Lines of ${zonesLabel(uncoded)} carry no status codes, so a failing origin shows there as STALE only.`]),
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
