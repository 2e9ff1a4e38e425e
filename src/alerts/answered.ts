import type { AlertRule, IncidentRecord } from '../store/alert-records.ts'
import { readIncidentDoc, type IncidentAlert } from './incident.ts'
import { graveness } from './reading.ts'
import { type AlertState, FLAP_HELD_MS } from './step.ts'

/** Somebody's answer that an alert is not a problem. */
export interface AnsweredSo {
  readonly by: string
  readonly at: Date
}

/**
 * The answer that holds an alert back: it was given while the alert fired, which has gone on since and is not graver. What stands
 * in an open incident is told there, so no earlier answer counts.
 */
export function answerFor(
  { id }: Pick<AlertRule, 'id'>,
  state: AlertState,
  incidents: readonly IncidentRecord[],
): AnsweredSo | undefined {
  if (state.phase !== 'firing' || incidents.every(({ dismissedBy }) => dismissedBy === undefined)) return undefined
  const goingOn = (incident: IncidentRecord): IncidentAlert | undefined =>
    readIncidentDoc(incident.doc).alerts.find(({ ruleId, endedMs }) => ruleId === id && endedMs === undefined)
  if (incidents.some((each) => each.endedAt === undefined && goingOn(each) !== undefined)) return undefined
  for (const incident of incidents) {
    const { dismissedBy: by, endedAt: at } = incident
    const answered = by === undefined ? undefined : goingOn(incident)
    if (by === undefined || at === undefined || answered === undefined) continue
    const isSame = beganMs(state) <= answered.firedMs
    if (isSame && graveness(state.severity) <= graveness(answered.severity)) return { by, at }
  }
  return undefined
}

/** What is held because it flaps is shown as one alert, however often it begins in that time. */
function beganMs({ sinceMs, heldUntilMs }: AlertState): number {
  return heldUntilMs === undefined ? sinceMs : Math.min(sinceMs, heldUntilMs - FLAP_HELD_MS)
}
