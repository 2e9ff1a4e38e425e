import type { Block } from '../../block-kit/blocks.ts'
import { actions, button } from '../../block-kit/buttons.ts'
import { type Message, withBlocks, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, mentionGroup, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import type { Invocation } from '../../operations/declaration/operation.ts'
import { changeButton } from '../../operations/changes/change-buttons.ts'
import { STATE_WORDS } from '../../operations/changes/change-states.ts'
import { quorumsMd } from '../../operations/declaration/prompt-words.ts'
import type { Quorum } from '../../operations/declaration/role.ts'
import { shortId } from '../../shared/short-id.ts'
import type { Approval } from '../../store/changes/approvals.ts'
import { type Change, isFinal } from '../../store/schema/change.ts'
import { UNAPPROVABLE } from '../policy/approvers.ts'
import { isPerson } from './audit-text.ts'
import { graveBlocks } from './review-blocks.ts'

/** Ids of the buttons of a card. The value of each is the id of the change. */
export const CARD_ACTIONS = {
  approve: 'change:approve',
  decline: 'change:decline',
  cancel: 'change:cancel',
  exists: 'change:exists',
  absent: 'change:absent',
  again: 'change:again',
} as const
export type CardAction = keyof typeof CARD_ACTIONS

export interface CardFacts {
  readonly change: Change
  readonly approvals: readonly Approval[]
  /** What the change does while it waits; absent when its values do not read any more, or have been masked. */
  readonly invocation: Invocation | undefined
  /** What has to be met before it may be sent. Empty where nobody else has to be asked. */
  readonly quorums: readonly Quorum[]
  /**
   * Whom to name where no user group is said in what it takes, since Slack notifies whom a message mentions: the user groups
   * that give people who may approve their role, else one or two people.
   */
  readonly asked: { readonly groups: readonly string[]; readonly people: readonly string[] }
  /** What of these is still missing, as roles are now; undefined where that is not known. */
  readonly open?: readonly Quorum[] | undefined
  readonly lapsed?: readonly string[] | undefined
  /** What of these takes more people than are left who could approve it. */
  readonly short?: readonly Quorum[] | undefined
  readonly command: string
}

/**
 * The one message about a change, as it stands: who asked for what, who approved, and how it ended. Edited through the
 * change's life, so it depends on nothing else.
 */
export function cardOf(facts: CardFacts): Message {
  const body = bodyOf(facts)
  return withBlocks(body, signature(facts, body), ...buttonsOf(facts.change))
}

function bodyOf(facts: CardFacts): Message {
  const { change } = facts
  const kept = keptMessage(change.answer)
  // What a person found out since is newer than what was known when it ended.
  if (kept !== undefined && !isPerson(change.endedBy)) return kept
  const { icon, headline } = STATE_WORDS[change.state]
  const what = change.sentence ?? change.operation
  const by = isPerson(change.endedBy) ? md` (by ${mention(change.endedBy)})` : md``
  const lines = [
    md`${icon} *${headline}*${by}\n${what}`,
    ...(change.outcome === undefined ? [] : [md`${change.outcome}`]),
    ...(change.state === 'waiting' ? [askingLine(facts), ...shortageLines(facts)] : []),
  ]
  // What it costs and what cannot be undone; the rest is read before anybody approves.
  const { review, effect } = facts.invocation ?? {}
  const grave = review !== undefined && effect !== undefined ? graveBlocks(review, effect) : []
  return withBlocks(wordsMessage(lines), ...grave)
}

function askingLine({ quorums, asked: { groups, people }, change }: CardFacts): Mrkdwn {
  const named = [...groups.map(mentionGroup), ...people.map((person) => mention(person))]
  const whom = named.length === 0 ? md`` : md`${joinMd(named, ', ')}: `
  return md`${whom}${mention(change.requestedBy)} needs ${quorumsMd(quorums)} by ${dateTime(change.expiresAt)}, or nothing is sent`
}

/** Nothing is given up because of it: roles may be given again while it waits. */
function shortageLines({ short }: CardFacts): readonly Mrkdwn[] {
  if (short === undefined) return []
  return [md`:warning: *Too few are left who could approve this:* it takes ${quorumsMd(short)}. ${UNAPPROVABLE}`]
}

/** Small: who asked, where that is not said above, who approved, and the id by which it is found again. */
function signature({ change, approvals, quorums, open, lapsed, command }: CardFacts, { blocks }: Message): Block {
  const { requestedBy, breakGlass, id } = change
  const isSaid = JSON.stringify(blocks).includes(`<@${requestedBy}>`)
  return context(
    ...(isSaid ? [] : [md`Asked by ${mention(requestedBy)}`]),
    ...approvedWords(approvals, { lapsed, open, quorums }),
    ...(breakGlass === undefined ? [] : [md`Without approval, because: ${breakGlass}`]),
    md`${code(`${command} changes show ${shortId(id)}`)}`,
  )
}

function buttonsOf(change: Change): readonly Block[] {
  const { id, state } = change
  if (state === 'unknown') {
    const found = (['exists', 'absent'] as const).map((kind) => changeButton(kind, change, CARD_ACTIONS[kind]))
    return [actions('change', found)]
  }
  if (state !== 'waiting') return wayOn(change)
  return [
    actions('change', [
      button({ actionId: CARD_ACTIONS.approve, text: 'Approve …', value: id, style: 'primary' }),
      button({ actionId: CARD_ACTIONS.decline, text: 'Decline …', value: id }),
      // Slack would have everybody confirm it before most are told that it is not theirs.
      button({ actionId: CARD_ACTIONS.cancel, text: 'Cancel request', value: id }),
    ]),
  ]
}

/** Under what has come to nothing: the way back to its form. */
export function wayOn({ id, state }: Pick<Change, 'id' | 'state'>): readonly Block[] {
  return isFinal(state) && state !== 'done' ? [againButton(id)] : []
}

/** Opens the form filled in with what was asked for, wherever it stands. */
export function againButton(changeId: string): Block {
  return actions('again', [button({ actionId: CARD_ACTIONS.again, text: 'Back to the form', value: changeId })])
}

/** Written by this program when the change ended, and checked against Slack's limits again on its way out. */
function keptMessage(answer: unknown): Message | undefined {
  if (typeof answer !== 'object' || answer === null || !('text' in answer) || !('blocks' in answer)) return undefined
  return typeof answer.text === 'string' && Array.isArray(answer.blocks) ? (answer as Message) : undefined
}

/** Who has approved a change, and whose approval counts no longer; `open` is what of `quorums` is still missing. */
export function approvedWords(
  approvals: readonly Approval[],
  { lapsed = [], open, quorums = [] }: Partial<Pick<CardFacts, 'lapsed' | 'open' | 'quorums'>>,
): readonly Mrkdwn[] {
  const people = approvals.map(({ person }) => person)
  const standing = people.filter((person) => !lapsed.includes(person))
  const gone = people.filter((person) => lapsed.includes(person))
  const lines = [
    ...(standing.length === 0 ? [] : [md`Approved by ${mentions(standing)}`]),
    ...(gone.length === 0
      ? []
      : [md`The approval of ${mentions(gone)} no longer counts, as roles and user groups are now`]),
  ]
  const more = open?.reduce((sum, { count }) => sum + count, 0)
  const whose = open === undefined || open.length === 0 || quorums.length < 2 ? md`` : md`: ${quorumsMd(open)}`
  const needed = more === undefined ? md`` : md` (${more} more needed${whose})`
  return lines.map((line, index) => (index === 0 ? md`${line}${needed}` : line))
}

function mentions(people: readonly string[]): Mrkdwn {
  return joinMd(people.map(mention), ', ')
}
