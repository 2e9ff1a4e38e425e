import { INCIDENT_ACTIONS } from '../alerts/incident-message.ts'
import { gravestFirst } from '../alerts/incident-words.ts'
import { type IncidentDoc, readIncidentDoc } from '../alerts/incident.ts'
import { currentName } from '../alerts/kinds.ts'
import { namedSubject } from '../alerts/rule-subjects.ts'
import { requireOperation } from '../operations/find-operation.ts'
import { UserError } from '../shared/errors.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { IncidentRecord } from '../store/alert-records.ts'
import { clickerOf, isNewClick } from './button-listener.ts'
import type { BlockActions } from './payloads.ts'
import { ACK_BUDGET_MS, type Acknowledge, type Reception, type Visitor } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'

export const ALERT_ACTION = 'alert_'

/** An alert is told once it has lasted a while. */
const BEFORE_MS = 5 * 60_000

/** What a button asks for, by the name of an operation, which finds everything else in the incident. */
interface Asked {
  readonly operation: string
  /** Whether it changes something: then Slack hears of the click when that is committed. */
  readonly writes: boolean
  values(incident: IncidentRecord): RawValues
}

const ASKED: ReadonlyMap<string, Asked> = new Map([
  [
    INCIDENT_ACTIONS.acknowledge,
    { operation: 'alerts acknowledge', writes: true, values: ({ id }) => ({ incident: id }) },
  ],
  [INCIDENT_ACTIONS.dismiss, { operation: 'alerts dismiss', writes: true, values: ({ id }) => ({ incident: id }) }],
  [INCIDENT_ACTIONS.silenceHour, silencing({ for: '1h' })],
  [INCIDENT_ACTIONS.silenceShift, silencing({ for: '8h' })],
  [INCIDENT_ACTIONS.silenceNight, silencing({ until: 'morning' })],
  [INCIDENT_ACTIONS.lines, { operation: 'logs', writes: false, values: linesOf }],
])

/** From a little before it began, of the status that it is about. */
function linesOf({ subject, doc }: IncidentRecord): RawValues {
  const { alerts, samples } = readIncidentDoc(doc)
  const [gravest] = gravestFirst(alerts)
  const kind = currentName(gravest?.kind ?? '')
  const shown = kind === 'origin-failing' ? failuresIn(samples) : SHOWN.get(kind)
  const since = gravest === undefined ? {} : { since: new Date(gravest.firedMs - BEFORE_MS).toISOString() }
  return { pullZone: namedSubject(subject)?.zoneId ?? '', ...since, ...shown }
}

/** Where all lines of an incident that show a failing origin are of one sort, only those; MISS and STALE otherwise. */
function failuresIn(samples: IncidentDoc['samples']): RawValues {
  const [isStale, isError] = [
    samples.some(({ cacheStatus }) => cacheStatus === 'STALE'),
    samples.some(({ cacheStatus, statusCode = 0 }) => cacheStatus !== 'STALE' && statusCode >= 500),
  ]
  if (isStale === isError) return {}
  return isStale ? { cache: 'STALE' } : { status: '5xx' }
}

/** What `logs` is asked for by kind of alert; MISS and STALE where nothing is said. */
const SHOWN: ReadonlyMap<string, RawValues> = new Map<string, RawValues>([
  ['cache-not-working', { cache: 'MISS,BYPASS' }],
  ['traffic-gone', { cache: 'all' }],
  ['traffic-surge', { cache: 'all' }],
])

function silencing(values: RawValues): Asked {
  return { operation: 'alerts silence', writes: true, values: ({ id }) => ({ incident: id, ...values }) }
}

/**
 * A click under the message about an incident. It is the operation that one could type as well, asked by whoever clicked
 * and by the same rules; the message has to be the one that the store knows.
 */
export async function onAlertButton(
  payload: BlockActions,
  acknowledge: Acknowledge,
  reception: Reception,
): Promise<void> {
  const [action] = payload.actions
  const asked = ASKED.get(action?.action_id ?? '')
  const visitor = clickerOf(payload, reception)
  if (asked?.writes !== true) {
    await acknowledge()
    if (!isNewClick(payload.trigger_id, reception)) return
  }
  await reception.serve(visitor, 'a button', async () => {
    if (asked === undefined) throw new UnfitDelivery('It is a button that no message about an incident has.')
    const incident = await clickedOn(payload, asked, reception)
    await run(asked, incident, payload, visitor, reception)
  })
}

async function clickedOn(
  { actions: [action], channel, container }: BlockActions,
  { operation }: Asked,
  { options }: Reception,
): Promise<IncidentRecord> {
  const id = action?.value
  if (id === undefined || id === null)
    throw new UnfitDelivery('It is a button without the id of its incident.', { operation })
  const incident = await options.executor.options.store.alerts.incident(id)
  if (incident === undefined)
    throw new UserError('expired', 'This incident is not known any more. Nothing was done.', 'It may be too long ago.')
  const { channelId, messageTs } = incident
  if (channelId === channel?.id && messageTs === undefined)
    throw new UserError('busy', 'This message was posted only just now. Nothing was done.', 'Click again in a moment.')
  if (channelId !== channel?.id || messageTs !== container?.message_ts)
    throw new UnfitDelivery('This is not the message of this incident.', { operation })
  return incident
}

async function run(
  asked: Asked,
  incident: IncidentRecord,
  payload: BlockActions,
  visitor: Visitor,
  reception: Reception,
): Promise<void> {
  const { executor } = reception.options
  const actor = await reception.actor(visitor)
  const operation = requireOperation(executor.options.operations, asked.operation)
  const parsed = operation.parse(asked.values(incident), await executor.check(actor))
  if (!parsed.ok) {
    const why = parsed.issues.map(({ problem }) => problem).join(' ')
    throw new UserError('expired', `What this button asks for is no longer possible. ${why} Nothing was done.`)
  }
  const { channelId, arrivedMs = executor.options.clock.monotonicMs() } = visitor
  const key = `click:${payload.trigger_id ?? `${incident.id}:${asked.operation}:${actor.id}`}`
  const once = asked.writes ? { key, notAfterMs: arrivedMs + ACK_BUDGET_MS } : undefined
  const { messageTs = '' } = incident
  const conversation = asked.writes
    ? reception.inThread(visitor, { channel: incident.channelId, ts: messageTs }, false)
    : reception.conversation(visitor)
  await executor.answer(parsed.invocation, actor, conversation, { channelId, once })
}
