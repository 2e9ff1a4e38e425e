import { haveControlsOf, INCIDENT_ACTIONS, INCIDENT_MENU } from '../../alerts/incidents/incident-controls.ts'
import { sortBySeverity } from '../../alerts/incidents/incident-words.ts'
import { readIncidentDoc } from '../../alerts/state/incident.ts'
import { findAlertKind } from '../../alerts/kinds/kinds.ts'
import { parseSubject } from '../../alerts/state/rule-subjects.ts'
import { NOTED_WITHIN_MS } from '../../delivery/notifier.ts'
import { requireOperation } from '../../operations/declaration/operation-names.ts'
import { lookFor } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import type { BlockActions } from '../gateway/payloads.ts'
import { InvalidDelivery } from '../gateway/invalid-delivery.ts'
import { type Delivery, type ListenerOptions, requestBy } from './delivery.ts'
import { showResult } from './show-result.ts'
import { Responder } from './responder.ts'

export const ALERT_ACTION = 'alert_'

/** An alert is told once it has lasted a while. */
const BEFORE_MS = 5 * 60_000

/** What a button asks for, by the name of an operation, which finds everything else in the incident. */
interface Asked {
  readonly operation: string
  /** Whether it changes something: then Slack hears of the click when that is committed. */
  readonly writes: boolean
  readonly wantsForm?: boolean
  values(incident: IncidentRecord): RawValues
}

const ASKED: ReadonlyMap<string, Asked> = new Map([
  [INCIDENT_ACTIONS.acknowledge.id, writing('alerts acknowledge')],
  [INCIDENT_ACTIONS.takeOver.id, writing('alerts assign')],
  [INCIDENT_ACTIONS.handOver.id, { ...writing('alerts assign'), writes: false, wantsForm: true }],
  [INCIDENT_ACTIONS.release.id, writing('alerts release')],
  [INCIDENT_ACTIONS.dismiss.id, writing('alerts dismiss')],
  [INCIDENT_ACTIONS.silenceHour.id, writing('alerts silence', { for: '1h' })],
  [INCIDENT_ACTIONS.silenceShift.id, writing('alerts silence', { for: '8h' })],
  [INCIDENT_ACTIONS.silenceNight.id, writing('alerts silence', { until: 'morning' })],
  [INCIDENT_ACTIONS.unsilence.id, writing('alerts unsilence')],
  [INCIDENT_ACTIONS.why.id, { operation: 'alerts why', writes: false, values: ({ id }) => ({ incident: id }) }],
  [INCIDENT_ACTIONS.lines.id, { operation: 'logs', writes: false, values: findLines }],
])

/** From a little before it began, of what its kind is about. */
function findLines({ subject, doc }: IncidentRecord): RawValues {
  const [worst] = sortBySeverity(readIncidentDoc(doc).alerts)
  const kind = findAlertKind(worst?.kind ?? '')
  return {
    pullZone: parseSubject(subject)?.zoneId ?? '',
    ...(worst !== undefined && { since: new Date(worst.firedMs - BEFORE_MS).toISOString() }),
    ...(kind?.subject === 'pull' && kind.logsFilter),
  }
}

function writing(operation: string, values: RawValues = {}): Asked {
  return { operation, writes: true, values: ({ id }) => ({ incident: id, ...values }) }
}

/**
 * A click under the message about an incident. It is the operation that one could type as well, asked by whoever clicked
 * and by the same rules; the message has to be the one that the store knows, a copy of it, or a reply of the bot with this button.
 */
export async function onAlertButton(
  payload: BlockActions,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const { action, id } = readAction(payload)
  const asked = ASKED.get(action)
  if (asked?.writes !== true && !(await delivery.accept())) return
  if (asked === undefined) throw new InvalidDelivery('It is a button that no message about an incident has.')
  const incident = await findIncident(payload, id, asked, options)
  const { people, operations, requests } = options
  const actor = await people.actor(delivery.userId, delivery)
  const operation = requireOperation(operations, asked.operation)
  // A reply is answered in the thread in which it stands.
  const threadTs = payload.message?.thread_ts ?? payload.container?.message_ts
  const responder = new Responder({ ...delivery, threadTs }, options)
  const { progress } = responder
  const key = `click:${delivery.triggerId ?? `${incident.id}:${asked.operation}:${actor.id}`}`
  const { wantsForm = false } = asked
  const values = asked.values(incident)
  const result = await requests.handle({ ...requestBy(delivery, key), operation, values, wantsForm, actor, progress })
  if (!wantsForm && (result.kind === 'form' || result.kind === 'invalid')) {
    const why = result.issues.map(({ problem }) => problem).join(' ')
    throw new UserError('expired', `What this button asks for is no longer possible. ${why} Nothing was done.`)
  }
  await showResult(result, operation, delivery, responder, options)
}

/** What was pressed, or chosen from the menu, and the id of the incident that it carries. */
function readAction({ actions: [used] }: BlockActions): { readonly action: string; readonly id: string | undefined } {
  if (used.action_id !== INCIDENT_MENU) return { action: used.action_id, id: used.value ?? undefined }
  const [action = '', id] = used.selected_option?.value.split(' ') ?? []
  return { action, id }
}

async function findIncident(
  payload: BlockActions,
  id: string | undefined,
  { operation }: Asked,
  { store, clock, botUserId }: ListenerOptions,
): Promise<IncidentRecord> {
  if (id === undefined) throw new InvalidDelivery('It is a button without the id of its incident.', { operation })
  const { channel, container, message } = payload
  // After a crash between a post and its note there are two messages, of which the store knows one.
  const isGenuine =
    message?.user === botUserId && message.ts === container?.message_ts && haveControlsOf(message.blocks, id)
  const incident = await lookFor(clock, NOTED_WITHIN_MS, async () => {
    const found = await store.alerts.incident(id)
    const gone = 'This incident is not known any more. Nothing was done.'
    if (found === undefined) throw new UserError('expired', gone, 'It may be too long ago.')
    return found.channelId === channel?.id && found.messageTs === undefined && !isGenuine ? undefined : found
  })
  if (incident === undefined)
    throw new UserError('busy', 'This message was posted only just now. Nothing was done.', 'Click again in a moment.')
  if (incident.channelId !== channel?.id || (incident.messageTs !== container?.message_ts && !isGenuine))
    throw new InvalidDelivery('This is not the message of this incident.', { operation })
  return incident
}
