import type { App } from '@slack/bolt'
import type * as z from 'zod'
import type { Executor } from '../execution/executor.ts'
import { waitAtMost } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { ALERT_ACTION, onAlertButton } from './alert-listener.ts'
import { CHANGE_ACTION, onChangeButton } from './approval-listener.ts'
import { clickerOf, isNewClick, onButton } from './button-listener.ts'
import { onCommand } from './command-listener.ts'
import { FloodGate, TOO_FAST, turnAway } from './flood-gate.ts'
import { onFormAction, onViewClosed } from './form-listener.ts'
import { zoneKindOfBlock } from './form/field-input.ts'
import { expiredView } from './form/notice-views.ts'
import { zoneOptions } from './form/zone-options.ts'
import { HOME_ACTION, onHomeAction, onHomeOpened, openFormOf, operationOfShortcut } from './home-listener.ts'
import { onMention } from './mention-listener.ts'
import {
  AppMention,
  BlockActions,
  BlockSuggestion,
  CommandPayload,
  EventEnvelope,
  GroupChanged,
  HomeOpened,
  PersonChanged,
  ShortcutPayload,
  ViewClosed,
  ViewSubmission,
} from './payloads.ts'
import { ACK_BUDGET_MS, type Acknowledge, acknowledging, type Reception, type Visitor } from './reception.ts'
import { onViewSubmission } from './view-listener.ts'

export interface ListenerOptions {
  readonly reception: Reception
  readonly command: string
  readonly botUserId: string
  readonly log: Log
  /** Told how long each delivery waited for its acknowledgement, in milliseconds. */
  readonly onAck: (kind: string, ms: number) => void
  readonly monotonicMs: () => number
}

const UNREADABLE = 'Slack sent this in a form that CDN Ops does not know. Nothing was done. Type it again, shorter.'

/**
 * One listener for each kind of delivery, however many operations there are. Each acknowledges within Slack's three
 * seconds, also what it does not know.
 */
export function registerListeners(app: App, options: ListenerOptions): void {
  const { reception, log } = options
  const gate = new FloodGate(reception.options.executor.options.clock, log)
  listenToCommands(app, options, gate)
  listenToViews(app, options, gate)
  listenToElements(app, options, gate)

  app.shortcut({ type: 'shortcut' }, async ({ ack, body }) => {
    await ack()
    const payload = read(ShortcutPayload, body, log)
    if (payload === undefined || !isNewClick(payload.trigger_id, reception)) return
    const visitor = visitorWithTrigger(payload)
    const admission = gate.admit(visitor)
    if (!admission.isIn) return turnAway(visitor, admission, reception)
    await openFormOf(operationOfShortcut(payload.callback_id), visitor, reception)
  })

  listenToEvents(app, options, gate)

  app.error(async (error) => {
    log.error({ err: error.original ?? error }, 'a delivery of Slack could not be handled')
  })
}

/** The slash command; another one that leads here is told which is ours. */
function listenToCommands(app: App, options: ListenerOptions, gate: FloodGate): void {
  const { reception, command, log } = options
  const { clock } = reception.options.executor.options
  app.command(/.*/, async ({ ack, body }) => {
    const acked = timed('command', options)
    if (body.command !== command) {
      await ack({
        response_type: 'ephemeral',
        text: `CDN Ops answers to ${command} only. Nothing was done.`,
      })
      return acked()
    }
    const payload = read(CommandPayload, body, log)
    if (payload === undefined) {
      await ack({ response_type: 'ephemeral', text: UNREADABLE })
      return acked()
    }
    const admission = gate.admit({ userId: payload.user_id, channelId: payload.channel_id })
    if (!admission.isIn) {
      const { words } = admission
      await (words === undefined ? ack() : ack({ response_type: 'ephemeral', text: `${words.happened} ${words.next}` }))
      return acked()
    }
    const heard = (): Promise<void> => ack().then(acked)
    await acknowledging(clock, heard, (acknowledge) => onCommand(payload, acknowledge, reception))
  })
}

/** Views that are submitted, whose acknowledgement is the next view, and views that are closed. */
function listenToViews(app: App, options: ListenerOptions, gate: FloodGate): void {
  const { reception, command, log } = options
  app.view({ type: 'view_submission' }, async ({ ack, body }) => {
    const acked = timed('view_submission', options)
    const payload = read(ViewSubmission, body, log)
    // Our view types are those of this program; Bolt's know fewer blocks.
    const answer = (value: unknown): Promise<void> => (ack as (value?: unknown) => Promise<void>)(value).then(acked)
    if (payload === undefined) return answer({ response_action: 'update', view: expiredView(command) })
    // On top of the form, which keeps what was filled in.
    if (!gate.admit({ userId: payload.user.id }).isIn) return answer({ response_action: 'push', view: TOO_FAST })
    await onViewSubmission(payload, answer, reception)
  })

  app.view({ type: 'view_closed' }, async ({ ack, body }) => {
    await ack()
    const payload = read(ViewClosed, body, log)
    if (payload !== undefined) await onViewClosed(payload.user.id, payload.view, reception)
  })
}

/** What Slack tells by itself, acknowledged by Bolt: Home was opened, the bot mentioned, or somebody is not who they were. */
function listenToEvents(app: App, { reception, botUserId, log }: ListenerOptions, gate: FloodGate): void {
  const { directory } = reception.options
  app.event('app_home_opened', async ({ event, body }) => {
    const opened = read(HomeOpened, event, log)
    const { event_id: id } = EventEnvelope.safeParse(body).data ?? {}
    if (opened?.tab !== 'home' || !reception.isNew(id) || !gate.admit({ userId: opened.user }).isIn) return
    await onHomeOpened(opened.user, reception)
  })
  app.event('app_mention', async ({ event, body }) => {
    const mention = read(AppMention, event, log)
    const { event_id: id } = EventEnvelope.safeParse(body).data ?? {}
    if (mention === undefined || !reception.isNew(id)) return
    const { channel: channelId, thread_ts: threadTs, user: userId } = mention
    const admission = gate.admit({ userId: userId ?? NOBODY, channelId })
    if (admission.isIn) return onMention(mention, botUserId, reception)
    if (userId === undefined) return
    await turnAway({ userId, channelId, threadTs, responseUrl: undefined, triggerId: undefined }, admission, reception)
  })
  app.event('user_change', async ({ event }) => {
    const changed = read(PersonChanged, event, log)
    if (changed !== undefined) directory.forget(changed.user.id)
  })
  // Whatever else it says, that something changed is heard.
  const groupChanged = async ({ event }: { readonly event: unknown }): Promise<void> =>
    directory.groupChanged(GroupChanged.safeParse(event).data)
  app.event('subteam_members_changed', groupChanged)
  app.event('subteam_updated', groupChanged)
}

/** What is pressed or chosen in a message, a form or on Home, and menus that ask for their options. */
function listenToElements(app: App, options: ListenerOptions, gate: FloodGate): void {
  const { reception, log } = options
  const { clock } = reception.options.executor.options
  app.action({ type: 'block_actions' }, async ({ ack, body }) => {
    const acked = timed('block_actions', options)
    const payload = read(BlockActions, body, log)
    const heard = (): Promise<void> => ack().then(acked)
    if (payload === undefined) return heard()
    const admission = gate.admit({ userId: payload.user.id, channelId: payload.channel?.id })
    if (!admission.isIn) {
      await heard()
      // In a view there is no place to say it but the view itself, which holds what they have filled in.
      return payload.view === undefined ? turnAway(clickerOf(payload, reception), admission, reception) : undefined
    }
    await acknowledging(clock, heard, (acknowledge) => onElement(payload, acknowledge, reception))
  })

  app.options<'block_suggestion'>({ type: 'block_suggestion' }, async ({ ack, body }) => {
    const acked = timed('block_suggestion', options)
    const payload = read(BlockSuggestion, body, log)
    const isHeard = payload !== undefined && gate.admitsTyping(payload.user.id)
    const kind = isHeard ? zoneKindOfBlock(payload.block_id) : undefined
    const found =
      kind === undefined || payload === undefined ? [] : zoneOptions(kind, payload.value, await zonesOrNone(reception))
    await ack({ options: found.map((option) => ({ ...option, text: { ...option.text } })) })
    acked()
  })
}

/** Whose mentions are counted as those of apps, which are nobody's. */
const NOBODY = 'nobody'

/** By what was used and where; what leads to no change is acknowledged at once, and answered once. */
async function onElement(payload: BlockActions, acknowledge: Acknowledge, reception: Reception): Promise<void> {
  const { view, trigger_id: trigger } = payload
  const id = payload.actions[0]?.action_id ?? ''
  if (view === undefined && id.startsWith(CHANGE_ACTION)) return onChangeButton(payload, acknowledge, reception)
  if (view === undefined && id.startsWith(ALERT_ACTION)) return onAlertButton(payload, acknowledge, reception)
  if (view === undefined && !id.startsWith(HOME_ACTION)) return onButton(payload, acknowledge, reception)
  await acknowledge()
  if (!isNewClick(trigger, reception)) return
  if (view === undefined || id.startsWith(HOME_ACTION)) await onHomeAction(id, visitorWithTrigger(payload), reception)
  else await onFormAction(payload, view, reception)
}

/** A typed id can be chosen even while the store does not answer soon enough for Slack. */
async function zonesOrNone({ options: { executor } }: Reception): ReturnType<Executor['zones']> {
  return (await waitAtMost(executor.options.clock, ACK_BUDGET_MS, executor.zones()))?.value ?? []
}

/** Somebody who is in no channel: at the app's Home page, or in the menu of shortcuts. */
function visitorWithTrigger(from: {
  readonly user: { readonly id: string; readonly team_id?: string | null | undefined }
  readonly trigger_id?: string | undefined
}): Visitor {
  const { user, trigger_id: triggerId } = from
  return { userId: user.id, team: user.team_id ?? undefined, channelId: undefined, responseUrl: undefined, triggerId }
}

function timed(kind: string, { onAck, monotonicMs }: ListenerOptions): () => void {
  const startedMs = monotonicMs()
  return () => onAck(kind, monotonicMs() - startedMs)
}

/** A payload that does not fit is logged by the places that are wrong, never by its content. */
function read<T>(schema: z.ZodType<T>, body: unknown, log: Log): T | undefined {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  log.warn(
    { wrong: parsed.error.issues.map(({ path }) => path.join('.')).slice(0, 10) },
    'a delivery of Slack has an unknown form',
  )
  return undefined
}
