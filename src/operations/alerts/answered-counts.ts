import { readIncidentDoc } from '../../alerts/incident.ts'
import { DAY_MS } from '../../shared/durations.ts'
import type { IncidentRecord } from '../../store/alert-records.ts'
import type { OperationContext } from '../operation.ts'

export interface AnsweredCount {
  readonly answered: number
  readonly incidents: number
}

/** Long enough to see which limit is wrong, and short enough that one that was set right soon looks so. */
export const COUNTED_DAYS = 30
/** At most so many incidents are counted, the newest, page by page. */
const PAGE_ROWS = 200
const MAX_PAGES = 10

export async function answeredCounts(
  channelId: string | undefined,
  { store, now }: Pick<OperationContext, 'store' | 'now'>,
): Promise<ReadonlyMap<string, AnsweredCount>> {
  const counts = new Map<string, AnsweredCount>()
  const since = new Date(now.getTime() - COUNTED_DAYS * DAY_MS)
  let after: IncidentRecord | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const incidents = await store.alerts.incidents({ channelId, since, after, limit: PAGE_ROWS })
    for (const incident of incidents) count(incident, counts)
    after = incidents.at(-1)
    if (incidents.length < PAGE_ROWS) break
  }
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
