import type { App } from '@slack/bolt'
import type * as z from 'zod'
import type { Log } from '../shared/log.ts'
import { withinBudget } from './ack-budget.ts'
import { onButton } from './button-listener.ts'
import { onCommand } from './command-listener.ts'
import { zoneKindOfBlock } from './form/field-input.ts'
import { zoneOptions } from './form/zone-options.ts'
import { expiredView } from './form/notice-views.ts'
import { onFormAction, onViewClosed } from './form-listener.ts'
import { onHomeAction, onHomeOpened } from './home-listener.ts'
import { HOME_ACTION } from './home-view.ts'
import {
  BlockActions,
  BlockSuggestion,
  CommandPayload,
  HomeOpened,
  ShortcutPayload,
  ViewClosed,
  ViewSubmission,
} from './payloads.ts'
import type { Reception, Visitor } from './reception.ts'
import { openFormOf, operationOfShortcut } from './shortcut-listener.ts'
import { onViewSubmission } from './view-listener.ts'

/** What the listeners hand deliveries to, and who is told of them. */
export interface ListenerOptions {
  readonly reception: Reception
  /** The slash command, with its slash. */
  readonly command: string
  readonly log: Log
  /** Told how long each delivery waited for its acknowledgement, in milliseconds. */
  readonly onAck: (kind: string, ms: number) => void
  readonly monotonicMs: () => number
}

const ANYTHING = /.*/
const UNREADABLE = 'Slack sent this in a form that CDN Ops does not know. Nothing was done. Type it again, shorter.'

/**
 * One listener for each kind of delivery, however many operations there are: Bolt tries every listener on every
 * delivery. Each acknowledges within Slack's three seconds, also what it does not know.
 */
export function registerListeners(app: App, options: ListenerOptions): void {
  const { reception, log } = options
  listenToCommands(app, options)
  listenToViews(app, options)
  listenToElements(app, options)

  app.shortcut(ANYTHING, async ({ ack, body }) => {
    await ack()
    const payload = read(ShortcutPayload, body, log)
    if (payload === undefined) return
    await openFormOf(operationOfShortcut(payload.callback_id), visitorWithTrigger(payload), reception)
  })

  app.event('app_home_opened', async ({ event }) => {
    const opened = read(HomeOpened, event, log)
    if (opened?.tab === 'home') await onHomeOpened(opened.user, reception)
  })

  app.error(async (error) => {
    log.error({ err: error.original ?? error }, 'a delivery of Slack could not be handled')
  })
}

/** The slash command; another one that leads here is told which is ours. */
function listenToCommands(app: App, options: ListenerOptions): void {
  const { reception, command, log } = options
  app.command(ANYTHING, async ({ ack, body }) => {
    const acked = timed('command', options)
    if (body.command !== command) {
      await ack({
        response_type: 'ephemeral',
        text: `CDN Ops answers to ${command} only. Nothing was done.`,
      })
      return acked()
    }
    const payload = read(CommandPayload, body, log)
    await (payload === undefined ? ack({ response_type: 'ephemeral', text: UNREADABLE }) : ack())
    acked()
    if (payload !== undefined) await onCommand(payload, reception)
  })
}

/** Views that are submitted, whose acknowledgement is the next view, and views that are closed. */
function listenToViews(app: App, options: ListenerOptions): void {
  const { reception, command, log } = options
  app.view({ type: 'view_submission', callback_id: ANYTHING }, async ({ ack, body }) => {
    const acked = timed('view_submission', options)
    const payload = read(ViewSubmission, body, log)
    // Our view types are those of this program; Bolt's know fewer blocks.
    const answer = (value: unknown): Promise<void> => (ack as (value?: unknown) => Promise<void>)(value).then(acked)
    if (payload === undefined) return answer({ response_action: 'update', view: expiredView(command) })
    await onViewSubmission(payload, answer, reception)
  })

  app.view({ type: 'view_closed', callback_id: ANYTHING }, async ({ ack, body }) => {
    await ack()
    const payload = read(ViewClosed, body, log)
    if (payload !== undefined) await onViewClosed(payload.user.id, payload.view, reception)
  })
}

/** What is pressed or chosen in a message, a form or on Home, and menus that ask for their options. */
function listenToElements(app: App, options: ListenerOptions): void {
  const { reception, log } = options
  app.action(ANYTHING, async ({ ack, body }) => {
    const acked = timed('block_actions', options)
    await ack()
    acked()
    const payload = read(BlockActions, body, log)
    if (payload === undefined) return
    const [action] = payload.actions
    if (action?.action_id.startsWith(HOME_ACTION) === true) {
      await onHomeAction(action.action_id, visitorWithTrigger(payload), reception)
    } else if (payload.view !== undefined) await onFormAction(payload, payload.view, reception)
    else await onButton(payload, reception)
  })

  app.options(ANYTHING, async ({ ack, body }) => {
    const acked = timed('block_suggestion', options)
    const payload = read(BlockSuggestion, body, log)
    const kind = payload === undefined ? undefined : zoneKindOfBlock(payload.block_id)
    const found =
      kind === undefined || payload === undefined ? [] : zoneOptions(kind, payload.value, await zonesOrNone(reception))
    await ack({ options: found.map((option) => ({ ...option, text: { ...option.text } })) })
    acked()
  })
}

/** A typed id can be chosen even while the store does not answer, or not soon enough for Slack. */
async function zonesOrNone(reception: Reception): ReturnType<Reception['zones']> {
  const { clock, log } = reception.options.executor.options
  const reading = reception.zones().catch((error: unknown) => {
    log.warn({ err: error }, 'the names of zones could not be read')
    return []
  })
  const read = await withinBudget(clock, reading, () => undefined)
  return read.inTime ? read.value : []
}

/** Somebody who is in no channel: at the app's Home page, or in the menu of shortcuts. */
function visitorWithTrigger(from: {
  readonly user: { readonly id: string }
  readonly trigger_id?: string | undefined
}): Visitor {
  return { userId: from.user.id, channelId: undefined, responseUrl: undefined, triggerId: from.trigger_id }
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
