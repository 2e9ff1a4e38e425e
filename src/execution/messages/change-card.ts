import type { Block } from '../../block-kit/blocks.ts'
import { actions, button } from '../../block-kit/buttons.ts'
import { type Message, message, withBlocks } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, mentionGroup, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import type { Invocation } from '../../operations/declaration/operation.ts'
import { quorumsMd } from '../../operations/declaration/prompt-words.ts'
import type { Quorum } from '../../operations/declaration/role.ts'
import { shortId } from '../../shared/short-id.ts'
import type { Approval } from '../../store/changes/approvals.ts'
import { type Change, type ChangeState, isFinal } from '../../store/schema/change.ts'
import { type Shortage, UNAPPROVABLE } from '../policy/approvers.ts'
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
  /** Set when it waits, and there are not enough people left who could approve it. */
  readonly short?: Shortage | undefined
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
  const { icon, headline } = CARD_STATES[change.state]
  const what = change.sentence ?? change.operation
  const by = isPerson(change.endedBy) ? md` (by ${mention(change.endedBy)})` : md``
  const outcome = change.outcome === undefined ? [] : [md`${change.outcome}`]
  const isWaiting = change.state === 'waiting'
  const short = shortageLines(facts)
  const asking = isWaiting ? [askingLine(facts), ...short] : []
  const { review, effect } = facts.invocation ?? {}
  return message({
    // A notification cannot show names of people.
    text: [md`${headline}. ${what}.`, ...outcome, ...short].map(plainOf).join(' '),
    blocks: [
      section(md`${icon} *${headline}*${by}\n${what}`),
      ...outcome.map((line) => section(line)),
      ...asking.map((line) => section(line)),
      // What it costs and what cannot be undone; the rest is read before anybody approves.
      ...(review !== undefined && effect !== undefined ? graveBlocks(review, effect) : []),
    ],
  })
}

function askingLine({ quorums, asked: { groups, people }, change }: CardFacts): Mrkdwn {
  const named = [...groups.map(mentionGroup), ...people.map((person) => mention(person))]
  const whom = named.length === 0 ? md`` : md`${joinMd(named, ', ')}: `
  return md`${whom}${mention(change.requestedBy)} needs ${quorumsMd(quorums)} by ${dateTime(change.expiresAt)}, or nothing is sent`
}

/** Nothing is given up because of it: roles may be given again while it waits. */
function shortageLines({ short }: CardFacts): readonly Mrkdwn[] {
  if (short === undefined) return []
  const who = short.found === 0 ? 'Nobody is left who could approve this' : 'Too few are left who could approve this'
  return [md`:warning: *${who}:* it takes ${quorumsMd(short.quorums)}. ${UNAPPROVABLE}`]
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

function buttonsOf({ id, state, sentence, operation }: Change): readonly Block[] {
  const what = sentence ?? operation
  const make = (action: CardAction, text: string, more: Partial<Parameters<typeof button>[0]> = {}) =>
    button({ actionId: CARD_ACTIONS[action], text, value: id, ...more })
  switch (state) {
    case 'waiting':
      return [
        actions('change', [
          make('approve', 'Approve …', { style: 'primary' }),
          make('decline', 'Decline …'),
          // Slack would have everybody confirm it before most are told that it is not theirs.
          make('cancel', 'Cancel request'),
        ]),
      ]
    case 'unknown':
      return [
        actions('change', [
          make('exists', 'It exists', {
            confirm: {
              title: 'Does it exist?',
              text: `You looked and found it: ${what}. It will be listed as done.`,
              confirm: 'It exists',
              deny: 'Look again',
            },
          }),
          make('absent', 'It does not exist', {
            confirm: {
              title: 'Does it not exist?',
              text: `You looked and it is not there: ${what}. Then it can be asked for anew.`,
              confirm: 'It does not exist',
              deny: 'Look again',
            },
          }),
        ]),
      ]
    default:
      return wayOn({ id, state })
  }
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

/** How each state of a change is called where people see it: never by an icon alone. */
export const CARD_STATES: Readonly<Record<ChangeState, { readonly icon: Mrkdwn; readonly headline: string }>> = {
  draft: { icon: md`:pencil2:`, headline: 'Being filled in' },
  waiting: { icon: md`:hourglass_flowing_sand:`, headline: 'Waiting for approval' },
  approved: { icon: md`:arrow_forward:`, headline: 'Going to be sent' },
  sending: { icon: md`:arrow_forward:`, headline: 'Being sent' },
  done: { icon: md`:white_check_mark:`, headline: 'Done' },
  rejected: { icon: md`:x:`, headline: 'Refused by the CDN: nothing was changed' },
  not_sent: { icon: md`:x:`, headline: 'Not sent: nothing was changed' },
  unknown: { icon: md`:grey_question:`, headline: 'Unknown: it may or may not have happened' },
  not_done: { icon: md`:x:`, headline: 'It did not happen' },
  denied: { icon: md`:no_entry:`, headline: 'Declined: nothing was sent' },
  cancelled: { icon: md`:no_entry:`, headline: 'Cancelled: nothing was sent' },
  expired: { icon: md`:hourglass:`, headline: 'Expired: nothing was sent' },
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
