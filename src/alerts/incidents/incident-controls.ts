import type { Block } from '../../block-kit/blocks.ts'
import { actions, button, overflow } from '../../block-kit/buttons.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { parseSubject } from '../state/rule-subjects.ts'

/** What can be asked for under an incident's message. The value of a button, and the end of a choice's, is the id of the incident. */
export const INCIDENT_ACTIONS = {
  acknowledge: 'alert_ack',
  dismiss: 'alert_dismiss',
  silenceHour: 'alert_silence:1h',
  silenceShift: 'alert_silence:8h',
  silenceNight: 'alert_silence:morning',
  unsilence: 'alert_unsilence',
  lines: 'alert_lines',
  why: 'alert_why',
} as const
type IncidentAction = keyof typeof INCIDENT_ACTIONS
/** The id of the menu. Its choices are those above, each followed by a space and the id of the incident. */
export const INCIDENT_MENU = 'alert_menu'

const LABELS: Readonly<Record<IncidentAction, string>> = {
  acknowledge: 'Acknowledge',
  dismiss: 'Not a problem',
  silenceHour: 'Silence for 1 hour',
  silenceShift: 'Silence for 8 hours',
  silenceNight: 'Silence until 8 in the morning, your time',
  unsilence: 'End the silence',
  lines: 'Show lines',
  why: 'Why?',
}

/**
 * Two buttons and a menu while it goes on, and once it is over what shows how it was. Nothing under an event, which does not
 * go on and has no lines.
 */
export function incidentControls(
  { id, subject, endedAt, acknowledgedBy }: IncidentRecord,
  nature: 'incident' | 'event',
  isSilenced: boolean,
): readonly Block[] {
  if (nature === 'event') return []
  const lines = parseSubject(subject)?.kind === 'pull' ? (['lines'] as const) : []
  const labelled = (action: IncidentAction) =>
    button({
      actionId: INCIDENT_ACTIONS[action],
      text: LABELS[action],
      value: id,
      ...(action === 'acknowledge' && { style: 'primary' }),
    })
  if (endedAt !== undefined) return [actions('alert', [...lines, 'why' as const].map(labelled))]
  const acknowledge = acknowledgedBy === undefined ? (['acknowledge'] as const) : []
  const silences = ['silenceHour', 'silenceShift', 'silenceNight'] as const
  const buttons = [...(isSilenced ? (['unsilence'] as const) : acknowledge), ...lines]
  const choices = [...(isSilenced ? acknowledge : silences), 'why' as const, 'dismiss' as const]
  const menu = choices.map((action) => ({ value: `${INCIDENT_ACTIONS[action]} ${id}`, text: LABELS[action] }))
  return [actions('alert', [...buttons.map(labelled), overflow({ actionId: INCIDENT_MENU, choices: menu })])]
}
