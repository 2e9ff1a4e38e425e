import { readIncidentDoc } from '../state/incident.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'

export interface AnsweredCount {
  readonly answered: number
  readonly incidents: number
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
