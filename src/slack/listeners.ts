import type { App } from '@slack/bolt'
import type * as z from 'zod'
import { CARD_ACTIONS } from '../execution/messages/change-card.ts'
import { ACCESS_ACTION } from '../execution/messages/error-messages.ts'
import { HOME_ACTION } from '../operations/changes/change-buttons.ts'
import { waitAtMost } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import { ALERT_ACTION, onAlertButton } from './listeners/alert-listener.ts'
import { CHANGE_ACTION, onChangeButton } from './listeners/approval-listener.ts'
import { onAccessButton, onAnswerButton } from './listeners/answer-listener.ts'
import { onCommand } from './listeners/command-listener.ts'
import { type RateLimiter, createRateLimiter, TOO_FAST, replyRefusal } from './rate-limiter.ts'
import { onFormAction, onFormAgain, onViewClosed, type Submission, type ViewAck } from './listeners/form-listener.ts'
import { zoneKindOfBlock, zoneOptions } from './form/field-input.ts'
import { expiredView } from './form/notice-views.ts'
import { onHomeAction, onHomeOpened, openFormOf, operationOfShortcut } from './listeners/home-listener.ts'
import { onQuestion } from './listeners/mention-listener.ts'
import * as payloads from './gateway/payloads.ts'
import { ACK_BUDGET_MS, type Delivery, type ListenerOptions, type Origin, replyFailure } from './listeners/delivery.ts'
import { SLACKBOT } from './people/membership.ts'
import { answerLate, onViewSubmission } from './listeners/view-submission-listener.ts'

const UNREADABLE = 'Slack sent this in a form that CDN Ops does not know. Nothing was done. Type it again, shorter.'

/**
 * One listener for each kind of delivery, however many operations there are. Each acknowledges within Slack's three
 * seconds, also what it does not know.
 */
export function registerListeners(app: App, options: ListenerOptions): void {
  const { clock, log } = options
  const limiter = createRateLimiter(clock, log)
  listenToCommands(app, options, limiter)
  listenToViews(app, options, limiter)
  listenToElements(app, options, limiter)
  listenToShortcuts(app, options, limiter)
  listenToEvents(app, options, limiter)

  app.error(async (error) => {
    log.error({ err: error.original ?? error }, 'a delivery of Slack could not be handled')
  })
}

/** A delivery that can be read. */
interface Received {
  readonly what: string
  readonly origin: Origin
  /** The same whenever Slack sends it again. */
  readonly key: string | undefined
  readonly ack: () => Promise<void>
}

/**
 * Does `work` for a delivery and acknowledges it: when the work accepts it, when it is over, or when Slack's patience is.
 * Work that changes something does not accept before that is committed, so that Slack sends again what a crash took away.
 * Whatever goes wrong becomes a message to whoever sent it, and a stop waits until they have it.
 */
export async function serve(
  { what, origin, key, ack }: Received,
  options: ListenerOptions,
  work: (delivery: Delivery) => Promise<void>,
): Promise<void> {
  const { clock, seen, inFlight } = options
  let acked: Promise<void> | undefined
  let accepted: Promise<boolean> | undefined
  let ackError: unknown
  const acknowledge = (): Promise<void> =>
    (acked ??= ack().catch((error: unknown) => {
      ackError = error
      throw error
    }))
  const accept = (): Promise<boolean> => (accepted ??= acknowledge().then(() => seen.isNew(key)))
  // Whether it worked is seen at the end, where it is awaited.
  const timer = clock.after(ACK_BUDGET_MS, () => void acknowledge().catch(() => undefined))
  await inFlight.track(async () => {
    try {
      await work({ ...origin, accept })
    } catch (error) {
      // Slack itself tells of what could not be acknowledged.
      if (ackError === undefined || error !== ackError) await replyFailure(error, origin, what, options)
    } finally {
      timer.cancel()
      await acknowledge()
    }
  })
}

/** The slash command; another one that leads here is told which is ours. */
function listenToCommands(app: App, options: ListenerOptions, limiter: RateLimiter): void {
  const { command, clock, log } = options
  app.command(/.*/, async ({ ack: untimed, body }) => {
    const ack = timed('command', untimed, options)
    const refuse = (text: string): Promise<void> => ack({ response_type: 'ephemeral', text })
    if (body.command !== command) return refuse(`CDN Ops answers to ${command} only. Nothing was done.`)
    const payload = read(payloads.CommandPayload, body, log)
    if (payload === undefined) return refuse(UNREADABLE)
    const origin: Origin = {
      userId: payload.user_id,
      team: payload.team_id,
      channelId: payload.channel_id,
      responseUrl: payload.response_url,
      triggerId: payload.trigger_id,
      arrivedMs: clock.monotonicMs(),
    }
    const refusal = limiter.refuse(origin)
    if (refusal !== undefined) return refusal.words === undefined ? ack() : refuse(refusal.words.text)
    const key = `command:${payload.trigger_id}`
    await serve({ what: 'a command', origin, key, ack }, options, (delivery) => onCommand(payload, delivery, options))
  })
}

function listenToViews(app: App, options: ListenerOptions, limiter: RateLimiter): void {
  const { command, inFlight, log } = options
  app.view({ type: 'view_submission' }, async ({ ack: untimed, body }) => {
    // Our view types are those of this program; Bolt's know fewer blocks.
    const ack = timed('view_submission', untimed as (answer: unknown) => Promise<void>, options)
    const payload = read(payloads.ViewSubmission, body, log)
    if (payload === undefined) return ack({ response_action: 'update', view: expiredView(command) })
    // On top of the form, which keeps what was filled in.
    if (limiter.refuse({ userId: payload.user.id }) !== undefined)
      return ack({ response_action: 'push', view: TOO_FAST })
    await inFlight.track(() => serveSubmission(payload, ack, options))
  })

  app.view({ type: 'view_closed' }, async ({ ack, body }) => {
    await ack()
    const payload = read(payloads.ViewSubmission, body, log)
    if (payload !== undefined) await inFlight.track(() => onViewClosed(payload.user.id, payload.view, options))
  })
}

/** Slack gets the answer to a submission within its three seconds, whatever happens, and what follows comes after. */
async function serveSubmission(
  payload: payloads.ViewSubmission,
  ack: (answer: ViewAck) => Promise<void>,
  options: ListenerOptions,
): Promise<void> {
  const { clock, inFlight, command, log } = options
  const work = onViewSubmission(payload, clock.monotonicMs() + ACK_BUDGET_MS, options)
  const inTime = await waitAtMost(clock, ACK_BUDGET_MS, work)
  if (inTime === undefined) {
    inFlight
      .track(() => work.then(undo))
      .catch((error: unknown) => log.error({ err: error }, 'what came too late for Slack went wrong'))
    return ack(answerLate(payload, command))
  }
  const { ack: answer, afterwards } = inTime.value
  try {
    await ack(answer)
  } catch (error) {
    // Slack tells the person that it did not work.
    await undo(inTime.value)
    throw error
  }
  await afterwards?.()
}

/** Slack did not hear of it in time: what can be taken back is, so that "it did not work" is true; the rest goes on. */
async function undo({ undo: takeBackWhatIsDone, afterwards }: Submission): Promise<void> {
  await (takeBackWhatIsDone ?? afterwards)?.()
}

/** What is pressed or chosen in a message, a form or on Home, and menus that ask for their options. */
function listenToElements(app: App, options: ListenerOptions, limiter: RateLimiter): void {
  const { clock, inputs, log } = options
  app.action({ type: 'block_actions' }, async ({ ack: untimed, body }) => {
    const ack = timed('block_actions', untimed, options)
    const payload = read(payloads.BlockActions, body, log)
    if (payload === undefined) return ack()
    await serveClick({ what: 'a button', payload, ack }, options, limiter, (delivery) =>
      onElement(payload, delivery, options),
    )
  })

  app.options<'block_suggestion'>({ type: 'block_suggestion' }, async ({ ack: untimed, body }) => {
    const ack = timed('block_suggestion', untimed, options)
    const payload = read(payloads.BlockSuggestion, body, log)
    const isHeard = payload !== undefined && limiter.admitsTyping(payload.user.id)
    const kind = isHeard ? zoneKindOfBlock(payload.block_id) : undefined
    // A typed id can be chosen even while the store does not answer soon enough for Slack.
    const zones = kind && (await waitAtMost(clock, ACK_BUDGET_MS, inputs.zones()))?.value
    const found = kind === undefined || payload === undefined ? [] : zoneOptions(kind, payload.value, zones ?? [])
    await ack({ options: found.map((option) => ({ ...option, text: { ...option.text } })) })
  })
}

/** Slack gives a repeated click the same trigger. One outside of any channel, as in the menu of shortcuts, has no response address. */
async function serveClick(
  { what, payload, ack }: Pick<Received, 'what' | 'ack'> & { readonly payload: Click },
  options: ListenerOptions,
  limiter: RateLimiter,
  work: (delivery: Delivery) => Promise<void>,
): Promise<void> {
  const { user, channel, response_url: responseUrl, trigger_id: triggerId, view } = payload
  const team = user.team_id ?? undefined
  const arrivedMs = options.clock.monotonicMs()
  const origin: Origin = { userId: user.id, team, channelId: channel?.id, responseUrl, triggerId, arrivedMs }
  const key = triggerId === undefined ? undefined : `click:${triggerId}`
  const refusal = limiter.refuse(origin)
  await serve({ what, origin, key, ack }, options, async (delivery) => {
    if (refusal === undefined) return work(delivery)
    // In a view there is no place to say it but the view itself, which holds what they have filled in.
    if ((await delivery.accept()) && view === undefined) await replyRefusal(refusal, origin, options)
  })
}

type Click = Pick<payloads.BlockActions, 'user' | 'trigger_id'> & Partial<payloads.BlockActions>

/** By what was used and where. */
async function onElement(payload: payloads.BlockActions, delivery: Delivery, options: ListenerOptions): Promise<void> {
  const { view } = payload
  const [action] = payload.actions
  const { action_id: id } = action
  if (id === CARD_ACTIONS.again) return onFormAgain(payload, delivery, options)
  if (view === undefined && id.startsWith(CHANGE_ACTION)) return onChangeButton(payload, delivery, options)
  if (view === undefined && id.startsWith(ALERT_ACTION)) return onAlertButton(payload, delivery, options)
  if (id === ACCESS_ACTION) return onAccessButton(payload, delivery, options)
  if (id.startsWith(HOME_ACTION)) return onHomeAction(action, delivery, options)
  if (view === undefined) return onAnswerButton(payload, delivery, options)
  if (await delivery.accept()) await onFormAction(payload, view, options)
}

/** The menu of global shortcuts, which belongs to no channel. */
function listenToShortcuts(app: App, options: ListenerOptions, limiter: RateLimiter): void {
  app.shortcut({ type: 'shortcut' }, async ({ ack: untimed, body }) => {
    const ack = timed('shortcut', untimed, options)
    const payload = read(payloads.ShortcutPayload, body, options.log)
    if (payload === undefined) return ack()
    await serveClick({ what: 'a shortcut', payload, ack }, options, limiter, async (delivery) => {
      if (await delivery.accept()) await openFormOf(operationOfShortcut(payload.callback_id), delivery, options)
    })
  })
}

/** What Slack tells by itself, acknowledged by Bolt: Home was opened, the bot mentioned, or a user group changed. */
function listenToEvents(app: App, options: ListenerOptions, limiter: RateLimiter): void {
  const { people, inFlight, seen, botUserId, clock, log } = options
  const ack = async (): Promise<void> => undefined
  app.event('app_home_opened', async ({ event, body }) => {
    const opened = read(payloads.HomeOpened, event, log)
    if (opened?.tab !== 'home' || limiter.refuse({ userId: opened.user }) !== undefined) return
    await inFlight.track(async () => (await seen.isNew(eventKey(body))) && onHomeOpened(opened.user, options))
  })
  const answer = async (question: payloads.AppMention, body: unknown, isDirect: boolean): Promise<void> => {
    const { user, bot_id: bot } = question
    // What programs say, the bot itself included, is no question.
    if (user === undefined || user === botUserId || user === SLACKBOT || bot !== undefined) return
    const origin: Origin = {
      userId: user,
      team: question.user_team ?? question.team,
      channelId: question.channel,
      threadTs: question.thread_ts,
      arrivedMs: clock.monotonicMs(),
    }
    const refusal = limiter.refuse(origin)
    const what = isDirect ? 'a direct message' : 'a mention'
    await serve({ what, origin, key: eventKey(body), ack }, options, async (delivery) => {
      if (!(await delivery.accept())) return
      if (refusal !== undefined) return replyRefusal(refusal, origin, options)
      await onQuestion(question, origin, isDirect, options)
    })
  }
  app.event('app_mention', async ({ event, body }) => {
    const mention = read(payloads.AppMention, event, log)
    if (mention !== undefined) await answer(mention, body, false)
  })
  app.event('message', async ({ event, body }) => {
    const message = read(payloads.ChannelMessage, event, log)
    // The channel that a reply is shown in as well is a subtype; all others are no words of a person.
    const isWritten = message?.subtype === undefined || message.subtype === 'thread_broadcast'
    if (message?.channel_type === 'im' && isWritten) await answer(message, body, true)
  })
  // Whatever else it says, that something changed is heard.
  const groupChanged = async ({ event }: { readonly event: unknown }): Promise<void> =>
    inFlight.track(() => people.groupChanged(payloads.GroupChanged.safeParse(event).data))
  app.event('subteam_members_changed', groupChanged)
  app.event('subteam_updated', groupChanged)
}

function eventKey(body: unknown): string | undefined {
  return payloads.EventEnvelope.safeParse(body).data?.event_id
}

/** The acknowledgement, and how long Slack waited for it. */
function timed<Answer extends unknown[]>(
  kind: string,
  ack: (...answer: Answer) => Promise<void>,
  { onAck, clock }: ListenerOptions,
): (...answer: Answer) => Promise<void> {
  const startedMs = clock.monotonicMs()
  return async (...answer) => {
    await ack(...answer)
    onAck(kind, clock.monotonicMs() - startedMs)
  }
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
