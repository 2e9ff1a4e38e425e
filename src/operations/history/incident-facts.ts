import {
  findWorst,
  type IncidentAlert,
  type IncidentDoc,
  listSpans,
  readIncidentDoc,
  type Span,
} from '../../alerts/state/incident.ts'
import { durationWords } from '../../alerts/incidents/incident-words.ts'
import { counted } from '../../block-kit/amounts.ts'
import { md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { type IncidentFilter, MAX_INCIDENT_PAGE_ROWS } from '../../store/alerts/alerts.ts'
import type { IncidentEvent, IncidentRecord } from '../../store/schema/alert-records.ts'
import type { OperationContext } from '../declaration/operation.ts'

/** An incident as it is told afterwards. Times are milliseconds. */
export interface IncidentFacts {
  readonly record: IncidentRecord
  readonly nature: IncidentDoc['nature']
  readonly alerts: readonly IncidentAlert[]
  /** When it was open, oldest first; the last one has no end while it still is. */
  readonly spans: readonly Span[]
  readonly worst: IncidentAlert | undefined
  /** Who looked after it first, how long after it had begun, and who did after them. */
  readonly acknowledged:
    | { readonly by: string; readonly afterMs: number; readonly later: readonly string[] }
    | undefined
  readonly notes: readonly IncidentEvent[]
  /** `unwatched`: it ended because nobody watches it any more. */
  readonly end: 'open' | 'over' | 'dismissed' | 'unwatched'
}

export interface Period {
  readonly from: Date
  readonly until: Date
}

const MAX_READ = 2_000

/** What was open in a stretch of time, newest first; `isCut` where there is more, which is older. */
export async function readIncidents(
  { from, until, ...which }: Period & Pick<IncidentFilter, 'channelId' | 'subjects'>,
  { alerts }: Pick<OperationContext['store'], 'alerts'>,
): Promise<{ readonly incidents: readonly IncidentFacts[]; readonly isCut: boolean }> {
  const incidents: IncidentFacts[] = []
  let page: readonly IncidentRecord[] = []
  do {
    page = await alerts.incidents({ ...which, since: from, until, after: page.at(-1), limit: MAX_INCIDENT_PAGE_ROWS })
    const events = Map.groupBy(await alerts.events(page.map(({ id }) => id)), ({ incidentId }) => incidentId)
    incidents.push(...page.map((record) => readFacts(record, events.get(record.id) ?? [])))
  } while (page.length === MAX_INCIDENT_PAGE_ROWS && incidents.length < MAX_READ)
  return { incidents: incidents.filter(isWithin), isCut: page.length === MAX_INCIDENT_PAGE_ROWS }

  /** It may have been over then, and have begun again after that. */
  function isWithin({ spans }: IncidentFacts): boolean {
    return spans.some(({ fromMs, untilMs = Infinity }) => fromMs <= until.getTime() && untilMs >= from.getTime())
  }
}

function readFacts(record: IncidentRecord, events: readonly IncidentEvent[]): IncidentFacts {
  const doc = readIncidentDoc(record.doc)
  const spans = listSpans(record, doc)
  const [first, ...others] = events.filter(({ kind }) => kind === 'acknowledged' || kind === 'taken_over')
  const [by, at] = first === undefined ? [record.acknowledgedBy, record.acknowledgedAt] : [holderOf(first), first.at]
  const atMs = at?.getTime() ?? 0
  const begun = spans.findLast(({ fromMs }) => fromMs <= atMs) ?? spans[0]
  return {
    record,
    nature: doc.nature,
    alerts: doc.alerts,
    spans,
    worst: findWorst(doc),
    acknowledged:
      by === undefined
        ? undefined
        : { by, afterMs: Math.max(0, atMs - (begun?.fromMs ?? atMs)), later: others.map(holderOf) },
    notes: events.filter(({ kind }) => kind === 'note'),
    end: readEnd(record, doc),
  }
}

function holderOf({ holder, person }: IncidentEvent): string {
  return holder ?? person
}

function readEnd({ endedAt, dismissedBy }: IncidentRecord, { alerts, nature }: IncidentDoc): IncidentFacts['end'] {
  if (endedAt === undefined) return 'open'
  if (dismissedBy !== undefined) return 'dismissed'
  const isKnown = ({ endedMs, unwatched }: IncidentAlert): boolean => endedMs !== undefined && unwatched === undefined
  return nature === 'event' || alerts.every(isKnown) ? 'over' : 'unwatched'
}

/** How long any of them was open in a stretch of time, which ends now at the latest; what overlaps counts once. */
function countTrouble(incidents: readonly Pick<IncidentFacts, 'spans'>[], { from, until }: Period): number {
  const spans = incidents.flatMap((incident) => incident.spans).toSorted((a, b) => a.fromMs - b.fromMs)
  let [sumMs, doneMs] = [0, from.getTime()]
  for (const { fromMs, untilMs = Infinity } of spans) {
    const endMs = Math.min(untilMs, until.getTime())
    sumMs += Math.max(0, endMs - Math.max(fromMs, doneMs))
    doneMs = Math.max(doneMs, endMs)
  }
  return sumMs
}

/** What goes on, is over, or was said to be no problem; an event is told once and does not go on. */
export function isIncident({ nature }: Pick<IncidentFacts, 'nature'>): boolean {
  return nature === 'incident'
}

/** `why` completes a sentence: why there could be none. */
export function writeVerdict(
  troubles: readonly IncidentFacts[],
  period: Period,
  when: Mrkdwn,
  { isCut, why }: { readonly isCut: boolean; readonly why?: string | undefined },
): Mrkdwn {
  const { length } = troubles
  if (length === 0) return why === undefined ? md`No incident ${when}.` : md`No incident is known ${when}: ${why}.`
  const count = (which: IncidentFacts['end']): number => troubles.filter(({ end }) => end === which).length
  const [open, unwatched] = [count('open'), count('unwatched')]
  const [over, on] = length === 1 ? ['it is over', 'it goes on'] : ['all are over', 'all go on']
  const goes = open === length ? on : `${open} ${open === 1 ? 'goes' : 'go'} on`
  const left = `${length === 1 ? 'it is' : `${unwatched} ${unwatched === 1 ? 'is' : 'are'}`} not watched any more`
  const parts = [...(open === 0 ? [] : [goes]), ...(unwatched === 0 ? [] : [left])]
  const now = parts.length === 0 ? over : parts.join(', ')
  const long = durationWords(countTrouble(troubles, period))
  return md`${isCut ? 'At least ' : ''}${counted(length, 'incident')} ${when}, ${long} in trouble; ${now}.`
}
