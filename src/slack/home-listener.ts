import type { Block, View } from '../block-kit/blocks.ts'
import { actions, button } from '../block-kit/buttons.ts'
import { code, dateTime, joinMd, md, mention } from '../block-kit/mrkdwn.ts'
import { context, divider, header, section } from '../block-kit/sections.ts'
import { home } from '../block-kit/view.ts'
import type { Executor } from '../execution/executor.ts'
import { countsFor } from '../execution/quorum.ts'
import { STATE_WORDS } from '../operations/changes/change-words.ts'
import { findOperation } from '../operations/find-operation.ts'
import type { CatalogEntry } from '../operations/operation.ts'
import { promptWords } from '../operations/prompt-words.ts'
import { type Actor, atLeast } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { Change } from '../store/change.ts'
import type { Reception, Visitor } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'

const MAX_CHANGES = 50
/** Of each, Slack may have to be asked who wanted it; more than these nobody decides in one go. */
const MAX_LOOKED_AT = 10

/** Somebody opened the app's Home page: it is drawn anew for them. */
export async function onHomeOpened(userId: string, reception: Reception): Promise<void> {
  const { executor, outbound } = reception.options
  const { clock, command, log } = executor.options
  try {
    const actor = await reception.actor({ userId })
    const openChanges = await unsettled(reception)
    const waiting = await waitingForThem(actor, openChanges ?? [], reception)
    const catalog = executor.catalog(actor, undefined)
    await outbound.publishHome(userId, homeView({ actor, catalog, openChanges, waiting, command, now: clock.now() }))
  } catch (error) {
    log.warn({ err: error }, 'a Home page could not be drawn')
  }
}

export async function onHomeAction(actionId: string, visitor: Visitor, reception: Reception): Promise<void> {
  if (actionId === HOME_REFRESH) return onHomeOpened(visitor.userId, reception)
  await openFormOf(actionId.slice(HOME_ACTION.length), visitor, reception)
}

async function unsettled(reception: Reception): Promise<readonly Change[] | undefined> {
  const { store, log } = reception.options.executor.options
  try {
    return await store.changes.list({ states: ['waiting', 'approved', 'sending', 'unknown'], limit: MAX_CHANGES })
  } catch (error) {
    log.warn({ err: error }, 'open changes could not be read')
    return undefined
  }
}

/** Nothing where it cannot be found out: the list of open changes says that they wait. */
async function waitingForThem(
  actor: Actor,
  changes: readonly Change[],
  { options: { executor } }: Reception,
): Promise<readonly Change[]> {
  try {
    return await waitingFor(actor, changes, executor)
  } catch (error) {
    executor.options.log.warn({ err: error }, 'what waits for somebody could not be found out')
    return []
  }
}

/**
 * The changes among these that wait for this person's word: others asked for them, it counts, and it was not given yet.
 * To be shown and not relied on; whether they may is asked again when they decide. Throws UserError and StoreError.
 */
async function waitingFor(actor: Actor, changes: readonly Change[], executor: Executor): Promise<readonly Change[]> {
  if (actor.writesBarred !== undefined) return []
  const others = changes.filter(({ state, requestedBy }) => state === 'waiting' && requestedBy !== actor.id)
  const looked = others.slice(0, MAX_LOOKED_AT)
  const theirs = await Promise.all(looked.map((change) => isFor(actor, change, executor)))
  return looked.filter((_, index) => theirs[index])
}

async function isFor(actor: Actor, change: Change, executor: Executor): Promise<boolean> {
  const { operations, people, store } = executor.options
  const check = await executor.check({ timeZone: 'UTC', changeId: change.id })
  const parsed = findOperation(operations, change.operation)?.parse(change.values, check)
  if (parsed?.ok !== true) return false
  const requester = await people.actor(change.requestedBy)
  const { quorums = [] } = executor.decide(requester, parsed.invocation, change.channelId)
  if (!quorums.some((quorum) => countsFor(quorum, actor))) return false
  const approvals = await store.approvals.of(change.id)
  return approvals.every(({ person }) => person !== actor.id)
}

/** The `callback_id` of a global shortcut names its operation, with a low line for the space: `dns_add`. */
export function operationOfShortcut(callbackId: string): string {
  return callbackId.replaceAll('_', ' ')
}

/** Opens the empty form of an operation for somebody who may use it, and tells anybody else why not. */
export async function openFormOf(name: string, visitor: Visitor, reception: Reception): Promise<void> {
  await reception.serve(visitor, 'a shortcut', async () => {
    const { executor } = reception.options
    const operation = findOperation(executor.options.operations, name)
    if (operation === undefined) throw new UnfitDelivery('It is a button or shortcut of no operation.')
    if (operation.form === undefined)
      throw new UserError(
        'expired',
        `${operation.name} has no form. Nothing was done.`,
        `Type it instead: ${executor.options.command} ${operation.name}.`,
      )
    const actor = await reception.actor(visitor)
    if (await reception.refuseBare(operation, actor, visitor)) return
    await reception.openForm(operation, {}, [], actor, visitor)
  })
}

export const HOME_ACTION = 'home:'
const HOME_REFRESH = `${HOME_ACTION}refresh`

/** What Home shows one person, as of `now`; `command` is the slash command, with its slash. */
export interface HomeContent {
  readonly actor: Actor
  readonly catalog: readonly CatalogEntry[]
  /** Changes that are not settled, newest first; undefined when the store did not answer. */
  readonly openChanges: readonly Change[] | undefined
  readonly waiting: readonly Change[]
  readonly command: string
  readonly now: Date
}

const MAX_LISTED = 10
const MAX_SENTENCE_CHARACTERS = 200

/** The app's Home page of one person: what they may do, with a button for each form, and what is not settled yet. */
export function homeView(content: HomeContent): View {
  return home({
    blocks: [
      ...greeting(content),
      ...waitingBlocks(content),
      ...formBlocks(content),
      divider(),
      ...changeBlocks(content),
      ...restBlocks(content),
    ],
  })
}

function greeting({ actor, command }: HomeContent): readonly Block[] {
  const role =
    actor.role === 'none'
      ? md`You have no role here: ${actor.roleSource}. Your id is ${code(actor.id)}.`
      : md`Your role is *${actor.role}*: ${actor.roleSource}.`
  return [header('CDN Ops'), section(md`Everything here can also be typed: ${code(`${command} help`)}`), context(role)]
}

/** First of all, since others wait for it. The buttons stand under the message alone: there it says what exactly. */
function waitingBlocks({ waiting }: HomeContent): readonly Block[] {
  if (waiting.length === 0) return []
  const lines = waiting.slice(0, MAX_LISTED).map(changeLine)
  return [
    section(md`:busts_in_silhouette: *Waiting for your approval*`),
    section(joinMd(lines, '\n')),
    context('Approve or decline each under its message, where approvals are asked for.'),
    divider(),
  ]
}

function formBlocks({ catalog }: HomeContent): readonly Block[] {
  const offered = catalog.filter(({ operation, decision }) => operation.form !== undefined && decision.kind !== 'deny')
  if (offered.length === 0) return []
  const buttons = offered.map(({ operation }) => {
    const text = operation.form?.[0]?.title ?? operation.name
    // Whoever speaks to their computer says the words they see, so these come first.
    const accessibilityLabel = `${text}: ${operation.summary}`
    return button({ actionId: `${HOME_ACTION}${operation.name}`, text, accessibilityLabel })
  })
  const lines = offered.map(
    (entry) => md`• *${entry.operation.name}*: ${entry.operation.summary}; ${promptWords(entry)}`,
  )
  return [section(joinMd(lines, '\n')), actions('home', buttons)]
}

/** For those who may list changes, too. */
function changeBlocks({ actor, openChanges, now }: HomeContent): readonly Block[] {
  if (!atLeast(actor.role, 'viewer')) return []
  const title = section(md`*Open changes*`)
  if (openChanges === undefined) return [title, context('They could not be read: the store does not answer.')]
  if (openChanges.length === 0) return [title, context(md`None, as of ${dateTime(now)}.`)]
  const lines = openChanges.slice(0, MAX_LISTED).map(changeLine)
  const rest = openChanges.length - lines.length
  return [
    title,
    section(joinMd(lines, '\n')),
    ...(rest > 0 ? [context(`and ${rest} more`)] : []),
    context(md`As of ${dateTime(now)}.`),
  ]
}

function changeLine(change: Change): ReturnType<typeof md> {
  const sentence = (change.sentence ?? change.operation).slice(0, MAX_SENTENCE_CHARACTERS)
  return md`• *${STATE_WORDS[change.state].label}*: ${sentence} · ${mention(change.requestedBy)} · ${dateTime(change.createdAt)} · ${code(change.id)}`
}

function restBlocks({ catalog, command }: HomeContent): readonly Block[] {
  const typed = catalog.filter(({ operation, decision }) => operation.form === undefined && decision.kind !== 'deny')
  return [
    divider(),
    context(
      md`Also yours, typed: ${joinMd(
        typed.map(({ operation }) => code(`${command} ${operation.name}`)),
        ' ',
      )}`,
    ),
    actions('home_foot', [button({ actionId: HOME_REFRESH, text: 'Refresh' })]),
  ]
}
