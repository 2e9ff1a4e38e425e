import { decideOperation, listCatalog } from '../../execution/policy/policy.ts'
import { type ChangeButton, CHANGE_BUTTONS, HOME_ACTION } from '../../operations/changes/change-buttons.ts'
import { findOperation, requireOperation } from '../../operations/declaration/find-operation.ts'
import { type Actor, writesToBot } from '../../operations/declaration/role.ts'
import { UserError } from '../../shared/errors.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { noticeView, resultView } from '../form/notice-views.ts'
import type { BlockActions } from '../gateway/payloads.ts'
import { InvalidDelivery } from '../gateway/invalid-delivery.ts'
import { type Accept, ACK_BUDGET_MS, type Origin, type ListenerOptions } from './delivery.ts'
import { drawPrompt } from './approval-listener.ts'
import { type Board, HOME_REFRESH, homeView } from './home-view.ts'
import { openView, showResult } from './show-result.ts'
import { SlackConversation } from './slack-conversation.ts'

const MAX_CHANGES = 50
const MAX_INCIDENTS = 50

/** Somebody opened the app's Home page: it is drawn anew for them. */
export async function onHomeOpened(userId: string, options: ListenerOptions): Promise<void> {
  const { people, operations, policy, inputs, messageSender, clock, command, log } = options
  try {
    const actor = await people.actor(userId)
    const [zones, board] = await Promise.all([inputs.zones(), readBoard(actor, options)])
    const catalog = listCatalog(operations, policy(), actor, undefined)
    const admins = people.admins()
    await messageSender.publishHome(
      userId,
      homeView({ actor, admins, catalog, zones, board, command, now: clock.now() }),
    )
  } catch (error) {
    log.warn({ err: error }, 'a Home page could not be drawn')
  }
}

/** Undefined when the store does not answer. */
async function readBoard(actor: Actor, options: ListenerOptions): Promise<Board | undefined> {
  const { store, approvals, log } = options
  try {
    const [incidents, rules, openChanges] = await Promise.all([
      store.alerts.incidents({ open: true, limit: MAX_INCIDENTS }),
      store.alertRules.list(),
      store.changes.list({ states: ['waiting', 'approved', 'sending', 'unknown'], limit: MAX_CHANGES }),
    ])
    return { incidents, rules, openChanges, waiting: await approvals.listWaitingFor(actor, openChanges) }
  } catch (error) {
    log.warn({ err: error }, 'what Home shows could not be read')
    return undefined
  }
}

// The keys are those of the table.
const KINDS = Object.keys(CHANGE_BUTTONS) as ChangeButton[]

/** A click on Home: its effect shows there, or in a view on top of it. */
export async function onHomeAction(
  { action_id: actionId, value }: BlockActions['actions'][number],
  origin: Origin,
  accept: Accept,
  options: ListenerOptions,
): Promise<void> {
  const what = actionId.slice(HOME_ACTION.length)
  const kind = KINDS.find((each) => each === what)
  const isSettling = kind === 'exists' || kind === 'absent'
  // What settles a change is committed before Slack hears of the click.
  if (!isSettling && !(await accept())) return
  if (what === HOME_REFRESH) return onHomeOpened(origin.userId, options)
  if (kind === undefined) return openOperation(what, origin, options)
  if (value === undefined || value === null) throw new InvalidDelivery('It is a button without the id of its change.')
  if (kind === 'open') return showAnswer('changes show', { id: value }, 'Change', origin, options)
  if (kind === 'exists') return settle(value, 'happened', origin, accept, options)
  if (kind === 'absent') return settle(value, 'not-happened', origin, accept, options)
  const actor = await options.people.actor(origin.userId, origin)
  const onHome = origin.channelId === undefined
  await openView(origin, options, () => drawPrompt('approve', value, actor, undefined, options, onHome))
}

/** What is settled is gone from Home; anything else is said, and all of it where the button stood in a message. */
async function settle(
  id: string,
  found: 'happened' | 'not-happened',
  origin: Origin,
  accept: Accept,
  options: ListenerOptions,
): Promise<void> {
  const { operations, people, requests } = options
  const operation = requireOperation(operations, 'changes settle')
  const { channelId, triggerId, arrivedMs } = origin
  const actor = await people.actor(origin.userId, { ...origin, fresh: true })
  const conversation = new SlackConversation(origin, options)
  const { progress } = conversation
  const once = { key: `settle:${id}:${triggerId ?? actor.id}`, notAfterMs: arrivedMs + ACK_BUDGET_MS }
  const result = await requests.handle({ operation, values: { id, found }, actor, channelId, once, accept, progress })
  if (result.kind !== 'answered' || channelId !== undefined)
    await showResult(result, operation, origin, conversation, options)
  if (channelId === undefined) await onHomeOpened(origin.userId, options)
}

/** The form of an operation, or the answer of one that Home shows and that has none; what is about a channel is typed there. */
async function openOperation(name: string, origin: Origin, options: ListenerOptions): Promise<void> {
  const operation = findOperation(options.operations, name)
  const { question, form, summary, baseEffect = 'read' } = operation ?? {}
  if (question === undefined || (form !== undefined && !writesToBot(baseEffect)))
    return openFormOf(name, origin, options)
  if (form === undefined) return showAnswer(name, {}, question, origin, options)
  const { people, operations, policy, command } = options
  const decision = decideOperation(
    policy(),
    await people.actor(origin.userId, origin),
    requireOperation(operations, name),
    undefined,
  )
  if (decision.kind === 'deny') return openFormOf(name, origin, options)
  const typed = `Type ${command} ${name} in the channel that it is for.`
  await openView(origin, options, async () => noticeView(form[0]?.title ?? name, `${summary}.`, typed))
}

/** An answer where the click was made: in a view, in which its buttons would do nothing. A refusal is a message, as everywhere. */
async function showAnswer(
  name: string,
  values: RawValues,
  title: string,
  origin: Origin,
  options: ListenerOptions,
): Promise<void> {
  const { operations, people, requests } = options
  const operation = requireOperation(operations, name)
  const actor = await people.actor(origin.userId, origin)
  const { channelId } = origin
  const conversation = new SlackConversation(origin, options)
  const { progress } = conversation
  const result = await requests.handle({ operation, values, actor, channelId, progress })
  if (result.kind !== 'answered') return showResult(result, operation, origin, conversation, options)
  const blocks = result.message.blocks.filter(({ type }) => type !== 'actions')
  await openView(origin, options, async () => resultView(title, { ...result.message, blocks }))
}

/** The `callback_id` of a global shortcut names its operation, with a low line for the space: `dns_add`. */
export function operationOfShortcut(callbackId: string): string {
  return callbackId.replaceAll('_', ' ')
}

/** Opens the empty form of an operation for somebody who may use it, and tells anybody else why not. */
export async function openFormOf(name: string, origin: Origin, options: ListenerOptions): Promise<void> {
  const { operations, command, people, requests } = options
  const operation = findOperation(operations, name)
  if (operation === undefined) throw new InvalidDelivery('It is a button or shortcut of no operation.')
  if (operation.form === undefined)
    throw new UserError(
      'expired',
      `${operation.name} has no form. Nothing was done.`,
      `Type it instead: ${command} ${operation.name}.`,
    )
  const actor = await people.actor(origin.userId, origin)
  const conversation = new SlackConversation(origin, options)
  const { progress } = conversation
  const { channelId } = origin
  const result = await requests.handle({ operation, values: {}, wantsForm: true, actor, channelId, progress })
  // An empty form needs no word of what is missing.
  const shown = result.kind === 'form' ? { ...result, issues: [] } : result
  await showResult(shown, operation, origin, conversation, options)
}
