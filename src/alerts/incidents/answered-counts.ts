import { readIncidentDoc } from '../state/incident.ts'
import { DAY_MS } from '../../shared/durations.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import type { Store } from '../../store/store.ts'

export interface AnsweredCount {
  readonly answered: number
  readonly incidents: number
}

/** Long enough to see which limit is wrong, and short enough that one that was set right soon looks so. */
export const COUNTED_DAYS = 30
/** At most so many incidents are counted, the newest, page by page. */
const COUNTED_ROWS = 200
const MAX_PAGES = 10

export async function answeredCounts(
  channelId: string | undefined,
  { store, now }: { readonly store: Pick<Store, 'alerts'>; readonly now: Date },
): Promise<ReadonlyMap<string, AnsweredCount>> {
  const all: IncidentRecord[] = []
  const since = new Date(now.getTime() - COUNTED_DAYS * DAY_MS)
  let after: IncidentRecord | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const incidents = await store.alerts.incidents({ channelId, since, after, limit: COUNTED_ROWS })
    all.push(...incidents)
    after = incidents.at(-1)
    if (incidents.length < COUNTED_ROWS) break
  }
  return countAnswers(all)
}

/** Of each rule, how many of these incidents it was in, and how many of them were said to be no problem. */
export function countAnswers(incidents: readonly IncidentRecord[]): ReadonlyMap<string, AnsweredCount> {
  const counts = new Map<string, AnsweredCount>()
  for (const incident of incidents) count(incident, counts)
  return counts
}

/** An answer is about what fired when it was given. */
function count({ doc, dismissedBy }: IncidentRecord, counts: Map<string, AnsweredCount>): void {
  const told = new Map<string, boolean>()
  for (const { ruleId, endedMs } of readIncidentDoc(doc).alerts)
    told.set(ruleId, told.get(ruleId) === true || (dismissedBy !== undefined && endedMs === undefined))
  for (const [ruleId, isAnswered] of told) {
    const { answered, incidents } = counts.get(ruleId) ?? { answered: 0, incidents: 0 }
    counts.set(ruleId, { answered: answered + (isAnswered ? 1 : 0), incidents: incidents + 1 })
  }
}
