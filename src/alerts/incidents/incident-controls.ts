import * as z from 'zod'
import type { Block } from '../../block-kit/blocks.ts'
import { actions, button, overflow } from '../../block-kit/buttons.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { parseSubject } from '../state/rule-subjects.ts'

/** What can be asked for under an incident's message. The value of a button, and the end of a choice's, is the id of the incident. */
export const INCIDENT_ACTIONS = {
  acknowledge: { id: 'alert_ack', label: 'Acknowledge' },
  takeOver: { id: 'alert_take_over', label: 'Take over' },
  handOver: { id: 'alert_hand_over', label: 'Hand over …' },
  release: { id: 'alert_release', label: 'Take the acknowledgement back' },
  dismiss: { id: 'alert_dismiss', label: 'Not a problem' },
  silenceHour: { id: 'alert_silence:1h', label: 'Silence this zone for 1 hour' },
  silenceShift: { id: 'alert_silence:8h', label: 'Silence this zone for 8 hours' },
  silenceNight: { id: 'alert_silence:morning', label: 'Silence this zone until 8 in the morning, your time' },
  unsilence: { id: 'alert_unsilence', label: 'End the silence' },
  lines: { id: 'alert_lines', label: 'Show lines' },
  why: { id: 'alert_why', label: 'Why this alert?' },
} as const
type IncidentAction = keyof typeof INCIDENT_ACTIONS
/** The id of the menu. Its choices are those above, each followed by a space and the id of the incident. */
export const INCIDENT_MENU = 'alert_menu'

const BLOCK_ID = 'alert'
const Controls = z.object({
  block_id: z.literal(BLOCK_ID),
  elements: z.array(z.object({ value: z.string().optional() })),
})

/** Whether a message's blocks, as Slack gives them back, are of one about this incident: one button at least has its id. */
export function haveControlsOf(blocks: readonly unknown[], id: string): boolean {
  return blocks.some((block) => Controls.safeParse(block).data?.elements.some(({ value }) => value === id))
}

/** Under what is said in the channel again, while nobody looks after it. */
export function acknowledgeControl({ id, endedAt, acknowledgedBy }: IncidentRecord): readonly Block[] {
  return endedAt === undefined && acknowledgedBy === undefined ? [actions(BLOCK_ID, [labelled('acknowledge', id)])] : []
}

function labelled(action: IncidentAction, id: string) {
  const style = action === 'acknowledge' && ({ style: 'primary' } as const)
  const { id: actionId, label: text } = INCIDENT_ACTIONS[action]
  return button({ actionId, text, value: id, ...style })
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
  const buttonOf = (action: IncidentAction) => labelled(action, id)
  if (endedAt !== undefined) return [actions(BLOCK_ID, [...lines, 'why' as const].map(buttonOf))]
  const { buttons, choices } = pickControls(acknowledgedBy !== undefined, isSilenced)
  const shown = [...buttons, ...lines]
  const menu = choices
    .map((action) => INCIDENT_ACTIONS[action])
    .map(({ id: actionId, label }) => ({ value: `${actionId} ${id}`, label }))
  return [actions(BLOCK_ID, [...shown.map(buttonOf), overflow({ actionId: INCIDENT_MENU, choices: menu })])]
}

/** A menu of Slack has five choices: of what somebody looks after, *Why?* is a button, and longer silences are typed. */
function pickControls(
  isHeld: boolean,
  isSilenced: boolean,
): Readonly<Record<'buttons' | 'choices', readonly IncidentAction[]>> {
  const holding = isHeld ? (['takeOver', 'handOver', 'release'] as const) : []
  const acknowledge = isHeld ? [] : (['acknowledge'] as const)
  if (isSilenced) return { buttons: ['unsilence'], choices: [...acknowledge, ...holding, 'why', 'dismiss'] }
  if (isHeld) return { buttons: ['why'], choices: [...holding, 'silenceHour', 'dismiss'] }
  return { buttons: acknowledge, choices: ['silenceHour', 'silenceShift', 'silenceNight', 'why', 'dismiss'] }
}
