import type { Block, View } from '../block-kit/blocks.ts'
import { actions, button } from '../block-kit/buttons.ts'
import { code, dateTime, joinMd, md, mention } from '../block-kit/mrkdwn.ts'
import { context, divider, header, section } from '../block-kit/sections.ts'
import { home } from '../block-kit/view.ts'
import { STATE_WORDS } from '../operations/changes/change-words.ts'
import type { CatalogEntry } from '../operations/operation.ts'
import { promptWords } from '../operations/prompt-words.ts'
import { type Actor, atLeast } from '../operations/role.ts'
import type { Change } from '../store/change.ts'

/** The start of the `action_id` of a button on Home; the name of an operation follows. */
export const HOME_ACTION = 'home:'
/** The `action_id` of the button on Home that reads everything again. */
export const HOME_REFRESH = `${HOME_ACTION}refresh`

/** What Home shows one person, as of `now`; `command` is the slash command, with its slash. */
export interface HomeContent {
  readonly actor: Actor
  readonly catalog: readonly CatalogEntry[]
  /** Changes that are not settled, newest first; undefined when the store did not answer. */
  readonly openChanges: readonly Change[] | undefined
  /** Of these, what waits for this person's approval. */
  readonly waiting: readonly Change[]
  readonly command: string
  readonly now: Date
}

const MAX_CHANGES = 10
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
  const lines = waiting.slice(0, MAX_CHANGES).map(changeLine)
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
  const lines = openChanges.slice(0, MAX_CHANGES).map(changeLine)
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
