import type { Block } from '../block-kit/blocks.ts'
import { actions, button } from '../block-kit/buttons.ts'
import type { IncidentRecord } from '../store/alert-records.ts'
import { namedSubject } from './rule-subjects.ts'

/** Ids of the buttons under an incident's message. The value of each is the id of the incident. */
export const INCIDENT_ACTIONS = {
  acknowledge: 'alert_ack',
  dismiss: 'alert_dismiss',
  silenceHour: 'alert_silence:1h',
  silenceShift: 'alert_silence:8h',
  silenceNight: 'alert_silence:morning',
  lines: 'alert_lines',
} as const
export type IncidentAction = keyof typeof INCIDENT_ACTIONS

const BLOCK_ID = 'alert'
const SILENCES: readonly (readonly [IncidentAction, string])[] = [
  ['silenceHour', 'Silence 1 h'],
  ['silenceShift', 'Silence 8 h'],
  ['silenceNight', 'Silence until morning'],
]

/**
 * What can be done about an incident from its message: acknowledge, dismiss and silence while it goes on, and see the lines
 * where there is a log. Nothing under an event, which does not go on and has none.
 */
export function incidentButtons(
  { id, subject, endedAt, acknowledgedBy }: IncidentRecord,
  nature: 'incident' | 'event',
): readonly Block[] {
  const goesOn = nature === 'incident' && endedAt === undefined
  const labelled = (action: IncidentAction, text: string) =>
    button({ actionId: INCIDENT_ACTIONS[action], text, value: id })
  const elements = [
    ...(goesOn && acknowledgedBy === undefined
      ? [button({ actionId: INCIDENT_ACTIONS.acknowledge, text: 'Acknowledge', value: id, style: 'primary' })]
      : []),
    ...(goesOn ? [labelled('dismiss', 'Not a problem')] : []),
    ...(goesOn ? SILENCES.map(([action, text]) => labelled(action, text)) : []),
    ...(nature === 'incident' && namedSubject(subject)?.kind === 'pull' ? [labelled('lines', 'Show lines')] : []),
  ]
  return elements.length === 0 ? [] : [actions(BLOCK_ID, elements)]
}
