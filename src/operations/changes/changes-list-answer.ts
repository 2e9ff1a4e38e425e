import { type Message, message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, plainOf, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Approval } from '../../store/approvals.ts'
import type { Change } from '../../store/change.ts'
import { counted } from '../counted.ts'
import { STATE_WORDS } from './change-words.ts'

/** A change, and who has approved it while that matters. */
export interface ListedChange {
  readonly change: Change
  readonly approvals: readonly Approval[]
}

export interface ListContext {
  /** Whether only some of the changes were asked for. */
  readonly filtered: boolean
  readonly now: Date
  readonly command: string
}

const MAX_SENTENCE_CHARACTERS = 250
/** Who approved, by name; more than this any policy rarely asks for. */
const MAX_NAMED = 5

/** Changes as lines of a message: what was asked for, what became of it, by whom, and the id to ask on with. */
export function listAnswer(changes: readonly ListedChange[], { filtered, now, command }: ListContext): Message {
  if (changes.length === 0) {
    const said = filtered ? 'No change fits.' : 'Nothing has been asked for yet.'
    return message({ text: said, blocks: [section(md`${said}`)] })
  }
  const title = md`*${changes.length === 1 ? 'One change' : `${changes.length} changes`}*, the newest first, as of ${dateTime(now)}`
  const lines = changes.map(lineOf)
  const hint = md`All about one of them: ${code(`${command} changes show <id>`)}`
  return message({
    text: [title, ...lines, hint].map(plainOf).join('\n'),
    blocks: [section(title), ...lines.map((line) => section(line)), context(hint)],
  })
}

function lineOf({ change, approvals }: ListedChange): Mrkdwn {
  const { id, state, operation, sentence, requestedBy, createdAt, expiresAt } = change
  const { icon, label } = STATE_WORDS[state]
  const what = visible(sentence ?? operation, MAX_SENTENCE_CHARACTERS)
  const facts = [
    md`asked by ${mention(requestedBy)}`,
    dateTime(createdAt),
    ...(state === 'waiting' && approvals.length === 0 ? [md`no approval so far`] : []),
    ...(approvals.length === 0 ? [] : [approvedBy(approvals)]),
    ...(state === 'waiting' ? [md`until ${dateTime(expiresAt)}`] : []),
    code(id),
  ]
  return md`${icon} *${label}*: ${what}\n${joinMd(facts, ' · ')}`
}

function approvedBy(approvals: readonly Approval[]): Mrkdwn {
  const named = approvals.slice(0, MAX_NAMED).map(({ person }) => mention(person))
  const rest = approvals.length - named.length
  return md`${counted(approvals.length, 'approval')}: ${joinMd(named, ', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
