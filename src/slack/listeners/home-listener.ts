import { decideOperation, listCatalog } from '../../execution/policy/policy.ts'
import {
  type ChangeButton,
  CHANGE_BUTTONS,
  HOME_ACTION,
  changeButton,
} from '../../operations/changes/change-buttons.ts'
import { findOperation, requireOperation } from '../../operations/declaration/operation-names.ts'
import { type Actor, writesToBot, atLeast } from '../../operations/declaration/role.ts'
import { UserError } from '../../shared/errors.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { noticeView, resultView } from '../form/notice-views.ts'
import type { BlockActions } from '../gateway/payloads.ts'
import { InvalidDelivery } from '../gateway/invalid-delivery.ts'
import { type Delivery, type ListenerOptions, requestBy } from './delivery.ts'
import { drawPrompt } from './approval-listener.ts'
import { openView, showResult } from './show-result.ts'
import { Responder } from './responder.ts'
import {
  firingSince,
  numberWords,
  problemWords,
  shortName,
  sortBySeverity,
  symbolOf,
} from '../../alerts/incidents/incident-words.ts'
import { readIncidentDoc } from '../../alerts/state/incident.ts'
import type { Block } from '../../block-kit/blocks.ts'
import { actions, button } from '../../block-kit/buttons.ts'
import {
  code,
  dateTime,
  joinMd,
  linkMessage,
  md,
  mention,
  mentionChannel,
  type Mrkdwn,
} from '../../block-kit/mrkdwn.ts'
import { context, divider, header, section } from '../../block-kit/sections.ts'
import { home, type View } from '../../block-kit/view.ts'
import { findNamedZone, watchedZones } from '../../operations/alerts/watch-set.ts'
import { STATE_WORDS } from '../../operations/changes/change-states.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import type { Operation, OperationContext } from '../../operations/declaration/operation.ts'
import { ROLE_WORDS, roleSourceMd, sentenceStart, whomToAsk } from '../../operations/declaration/prompt-words.ts'
import { plainExample } from '../../operations/declaration/usage.ts'
import { visible } from '../../shared/untrusted.ts'
import type { AlertSubject, IncidentRecord } from '../../store/schema/alert-records.ts'
import type { Change } from '../../store/schema/change.ts'

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
    const view = homeView({ actor, admins, catalog, zones, board, command, now: clock.now() })
    await messageSender.publishHome(userId, view)
  } catch (error) {
    log.warn({ err: error }, 'a Home page could not be drawn')
  }
}

/** Open incidents and changes that are not settled, newest first. Undefined when the store does not answer. */
async function readBoard(actor: Actor, options: ListenerOptions) {
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
const NO_CHANGE = 'It is a button without the id of its change.'

/** A click on Home: its effect shows there, or in a view on top of it. */
export async function onHomeAction(
  { action_id: actionId, value }: BlockActions['actions'][number],
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const what = actionId.slice(HOME_ACTION.length)
  const kind = KINDS.find((each) => each === what)
  const isSettling = kind === 'exists' || kind === 'absent'
  // What settles a change is committed before Slack hears of the click.
  if (!isSettling && !(await delivery.accept())) return
  if (what === HOME_REFRESH) return onHomeOpened(delivery.userId, options)
  if (kind === undefined) return openOperation(what, delivery, options)
  if (value === undefined || value === null) throw new InvalidDelivery(NO_CHANGE)
  if (kind === 'open') return showAnswer('changes show', { id: value }, 'Change', delivery, options)
  if (kind === 'exists') return settle(value, 'happened', delivery, options)
  if (kind === 'absent') return settle(value, 'not-happened', delivery, options)
  const actor = await options.people.actor(delivery.userId, delivery)
  const onHome = delivery.channelId === undefined
  await openView(delivery, options, () => drawPrompt('approve', value, actor, undefined, options, onHome))
}

/** What is settled is gone from Home; anything else is said, and all of it where the button stood in a message. */
async function settle(
  id: string,
  found: 'happened' | 'not-happened',
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const { operations, people, requests } = options
  const operation = requireOperation(operations, 'changes settle')
  const { channelId, triggerId } = delivery
  const actor = await people.actor(delivery.userId, { ...delivery, fresh: true })
  const responder = new Responder(delivery, options)
  const { progress } = responder
  const by = requestBy(delivery, `settle:${id}:${triggerId ?? actor.id}`)
  const result = await requests.handle({ ...by, operation, values: { id, found }, actor, progress })
  if (result.kind !== 'answered' || channelId !== undefined)
    await showResult(result, operation, delivery, responder, options)
  if (channelId === undefined) await onHomeOpened(delivery.userId, options)
}

/** The form of an operation, or the answer of one that Home shows and that has none; what is about a channel is typed there. */
async function openOperation(name: string, delivery: Delivery, options: ListenerOptions): Promise<void> {
  const operation = findOperation(options.operations, name)
  const { question, form, summary, baseEffect = 'read' } = operation ?? {}
  if (question === undefined || (form !== undefined && !writesToBot(baseEffect)))
    return openFormOf(name, delivery, options)
  // A view has room for 24 characters above it, and the mark would be the 25th.
  if (form === undefined) return showAnswer(name, {}, question.replace('?', ''), delivery, options)
  const { people, operations, policy, command } = options
  const actor = await people.actor(delivery.userId, delivery)
  const decision = decideOperation(policy(), actor, requireOperation(operations, name), undefined)
  if (decision.kind === 'deny') return openFormOf(name, delivery, options)
  const typed = `Type ${command} ${name} in the channel that it is for.`
  await openView(delivery, options, async () => noticeView(form[0]?.title ?? name, `${summary}.`, typed))
}

/** An answer where the click was made: in a view, in which its buttons would do nothing. It may take longer than a trigger lives. */
async function showAnswer(
  name: string,
  values: RawValues,
  title: string,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const { operations, people, requests } = options
  const operation = requireOperation(operations, name)
  await openView(delivery, options, async () => {
    const actor = await people.actor(delivery.userId, delivery)
    const progress = (): void => undefined
    const result = await requests.handle({ ...requestBy(delivery), operation, values, actor, progress })
    if (result.kind === 'denied') return resultView('Nothing was done', result.message)
    if (result.kind !== 'answered' && result.kind !== 'failed') throw new InvalidDelivery(NO_CHANGE)
    const blocks = result.message.blocks.filter(({ type }) => type !== 'actions')
    return resultView(title, { ...result.message, blocks })
  })
}

/** The `callback_id` of a global shortcut names its operation, with a low line for the space: `dns_add`. */
export function operationOfShortcut(callbackId: string): string {
  return callbackId.replaceAll('_', ' ')
}

/** Opens the empty form of an operation for somebody who may use it, and tells anybody else why not. */
export async function openFormOf(name: string, delivery: Delivery, options: ListenerOptions): Promise<void> {
  const { operations, command, people, requests } = options
  const operation = findOperation(operations, name)
  if (operation === undefined) throw new InvalidDelivery('It is a button or shortcut of no operation.')
  if (operation.form === undefined)
    throw new UserError('expired', `${name} has no form. Nothing was done.`, `Type it instead: ${command} ${name}.`)
  const actor = await people.actor(delivery.userId, delivery)
  const responder = new Responder(delivery, options)
  const { progress } = responder
  const by = requestBy(delivery)
  const result = await requests.handle({ ...by, operation, values: {}, wantsForm: true, actor, progress })
  // An empty form needs no word of what is missing.
  const shown = result.kind === 'form' ? { ...result, issues: [] } : result
  await showResult(shown, operation, delivery, responder, options)
}

const HOME_REFRESH = 'refresh'

export type Board = NonNullable<Awaited<ReturnType<typeof readBoard>>>

/** What Home shows one person, as of `now`. */
export interface HomeContent extends Pick<
  OperationContext,
  'actor' | 'admins' | 'catalog' | 'zones' | 'command' | 'now'
> {
  /** Undefined when the store did not answer. */
  readonly board: Board | undefined
}

/** Of each kind. More are counted: nobody works through them here. */
const MAX_LISTED = 5
const MAX_ZONES = 30
const MAX_SENTENCE_CHARACTERS = 200

/** The app's Home page of one person: what fires, what waits for them, what is watched; then what they can ask for. */
export function homeView(content: HomeContent): View {
  const { actor, board } = content
  if (!atLeast(actor.role, 'viewer')) return home({ blocks: [header('CDN Ops'), ...wordRole(content)] })
  return home({
    blocks: [
      ...(board === undefined
        ? [header('CDN Ops'), section('What is going on could not be read. Refresh in a minute.')]
        : [...listFiring(board, content), ...listWaiting(board, content), ...listWatched(board, content)]),
      divider(),
      ...drawButtons(content),
      ...wordRole(content),
    ],
  })
}

function listFiring({ incidents, rules }: Board, content: HomeContent): readonly Block[] {
  if (incidents.length === 0) return [header(rules.length === 0 ? 'Nothing is watched yet' : '🟢 No alerts now')]
  const shown = incidents.slice(0, MAX_LISTED).map((incident) => section(describeIncident(incident, content)))
  const title = header(incidents.length === 1 ? '🔴 1 alert fires' : `🔴 ${incidents.length} alerts fire`)
  return [title, ...shown, ...countRest(incidents, `${content.command} alerts list --all`)]
}

function describeIncident(incident: IncidentRecord, { zones, actor: { team } }: HomeContent): Mrkdwn {
  const { doc, subject, channelId, messageTs, acknowledgedBy } = incident
  const [worst] = sortBySeverity(readIncidentDoc(doc).alerts)
  const problem =
    worst && md`${symbolOf(worst)} *${nameOf(subject, zones)}: ${problemWords(worst)}* · ${numberWords(worst)}`
  const who =
    acknowledgedBy === undefined ? md`nobody has acknowledged it` : md`looked after by ${mention(acknowledgedBy)}`
  const open = linkMessage({ team, channel: channelId, ts: messageTs }, 'Open')
  return joinMd(
    [problem, md`since ${dateTime(firingSince(incident))} · ${mentionChannel(channelId)} · ${who} · ${open}`],
    '\n',
  )
}

function nameOf(subject: AlertSubject, zones: readonly NamedZone[]): string {
  return shortName(subject, { zoneName: (each) => findNamedZone(each, zones)?.name })
}

/** What somebody asks of them, what nobody knows the end of, and what they asked for themselves. */
function listWaiting({ openChanges, waiting }: Board, content: HomeContent): readonly Block[] {
  const { actor, command } = content
  const maySettle = findAllowed('changes settle', content) !== undefined
  const isOwn = ({ requestedBy }: Change): boolean => requestedBy === actor.id
  const unknown = openChanges.filter((change) => change.state === 'unknown' && (maySettle || isOwn(change)))
  const own = openChanges.filter((change) => change.state !== 'unknown' && isOwn(change))
  const known = new Set([...waiting, ...unknown, ...own].map(({ id }) => id))
  const others = openChanges.filter(({ id }) => !known.has(id)).length
  const more = code(`${command} changes list`)
  return [
    section(waiting.length + unknown.length === 0 ? 'Nothing waits for you.' : md`*Waits for you*`),
    ...listChanges(waiting, ['approve', 'open'], content),
    ...listChanges(unknown, maySettle ? ['exists', 'absent', 'open'] : ['open'], content),
    ...(own.length === 0 ? [] : [section(md`*You asked for*`)]),
    ...listChanges(own, ['open'], content),
    ...(others === 0 ? [] : [context(md`${others} more for others: ${more}`)]),
  ]
}

function findAllowed(name: string, { catalog }: HomeContent): Operation | undefined {
  return catalog.find(({ operation, decision }) => operation.name === name && decision.kind !== 'deny')?.operation
}

function listChanges(
  changes: readonly Change[],
  offered: readonly ChangeButton[],
  { command }: HomeContent,
): readonly Block[] {
  const shown = changes.slice(0, MAX_LISTED).flatMap((change) => {
    const { id, state, sentence, operation, requestedBy, createdAt, expiresAt } = change
    const { icon, label } = STATE_WORDS[state]
    const what = visible(sentence ?? operation, MAX_SENTENCE_CHARACTERS)
    const when = state === 'waiting' ? md`until ${dateTime(expiresAt)}` : dateTime(createdAt)
    const small = md`${sentenceStart(label)} · ${mention(requestedBy)} · ${when}`
    const buttons = offered.map((each) => changeButton(each, change))
    return [section(md`${icon} *${what}*\n${small}`), actions(`home:${offered.join('-')}:${id}`, buttons)]
  })
  return [...shown, ...countRest(changes, `${command} changes list`)]
}

/** Each zone with what it is like; where there is none, how one begins. */
function listWatched({ rules, incidents }: Board, content: HomeContent): readonly Block[] {
  const { zones, command } = content
  const subjects = watchedZones(rules)
  if (subjects.length === 0) {
    const watch = findAllowed('alerts watch', content)
    if (watch === undefined) return [section('An operator can have a zone watched.')]
    const typed = code(`${command} ${plainExample(watch, zones)}`)
    return [section(md`Watch a zone first: type ${typed} in the channel that should hear of trouble.`)]
  }
  const states = subjects.slice(0, MAX_ZONES).map((subject) => {
    const fires = incidents.some((incident) => incident.subject === subject)
    const isPaused = rules.every((rule) => rule.subject !== subject || rule.pausedWhy !== undefined)
    return md`${fires ? '🔴' : isPaused ? '⏸️' : '🟢'} ${nameOf(subject, zones)}${isPaused ? ' (alerts paused)' : ''}`
  })
  const rest = subjects.length - states.length
  return [section(md`*Watched*: ${joinMd(states, ' · ')}${rest > 0 ? ` · and ${rest} more` : ''}`)]
}

/** The same few as in the help, in its order. */
function drawButtons(content: HomeContent): readonly Block[] {
  const buttons = content.catalog.flatMap(({ operation: { name, question, form, summary } }) => {
    if (question === undefined || findAllowed(name, content) === undefined) return []
    const text = form?.[0]?.title ?? question
    // Whoever speaks to their computer says the words they see, so these come first.
    return [button({ actionId: `${HOME_ACTION}${name}`, text, accessibilityLabel: `${text}: ${summary}` })]
  })
  return buttons.length === 0 ? [] : [actions('home', buttons)]
}

function wordRole({ actor, admins, command, now }: HomeContent): readonly Block[] {
  const refresh = actions('home_foot', [button({ actionId: `${HOME_ACTION}${HOME_REFRESH}`, text: 'Refresh' })])
  const source = roleSourceMd(actor)
  if (actor.role === 'none')
    return [section(md`*You have no role here*: ${source}.`), context(whomToAsk({ actor, admins })), refresh]
  const typed = md`Everything can be typed, too: ${code(`${command} help`)} · As of ${dateTime(now)}`
  return [context(md`You are ${ROLE_WORDS[actor.role]}, ${source}. ${typed}`), refresh]
}

function countRest(all: readonly unknown[], list: string): readonly Block[] {
  const rest = all.length - MAX_LISTED
  return rest > 0 ? [context(md`and ${rest} more: ${code(list)}`)] : []
}
