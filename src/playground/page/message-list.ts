import type { ShownFile, ShownMessage } from '../slack/shown.ts'
import { dayHeading, isoDay } from './date-words.ts'
import { domId } from './dom-id.ts'
import { html, type Html } from './html.ts'
import { messageHtml, writtenAt } from './message.ts'
import type { Reader } from './reader.ts'

/** The newest of a conversation; older ones are said to be there. */
const MAX_MESSAGES = 120
/** Messages of one person that follow each other within this time stand under one name. */
const GROUP_MS = 5 * 60_000

/** What a list of messages needs to know beyond them. */
export interface ListLinks {
  readonly files: readonly ShownFile[]
  readonly fileHref: (file: ShownFile) => string
  /** The address that opens a message's thread. */
  readonly threadHref: (ts: string) => string
}

/**
 * A conversation from its oldest message to its newest, with a line where a day begins. Answers in threads stay there,
 * but for those that were sent to the channel too.
 */
export function messageListHtml(messages: readonly ShownMessage[], links: ListLinks, reader: Reader): Html {
  const own = messages.filter(({ threadTs, ts, broadcast }) => threadTs === undefined || threadTs === ts || broadcast)
  const shown = own.slice(-MAX_MESSAGES)
  const replies = (ts: string): number => messages.filter((each) => each.threadTs === ts && each.ts !== ts).length
  return html`${shown.length < own.length ? html`<p class="quiet older">${own.length - shown.length} older messages are not shown.</p>` : ''}${shown.map(
    (message, index) => {
      const before = shown[index - 1]
      const thread = message.ephemeral
        ? undefined
        : { href: links.threadHref(message.threadTs ?? message.ts), replies: replies(message.ts) }
      return html`${dayLine(before, message, reader)}${messageHtml(message, { compact: follows(before, message, reader), files: filesOf(message, links), fileHref: links.fileHref, thread, inThread: false }, reader)}`
    },
  )}`
}

/** A message and the answers to it, from oldest to newest. */
export function threadListHtml(
  messages: readonly ShownMessage[],
  ts: string,
  links: ListLinks,
  reader: Reader,
): Html | undefined {
  const parent = messages.find((message) => message.ts === ts)
  if (parent === undefined) return undefined
  const answers = messages.filter((message) => message.threadTs === ts && message.ts !== ts).slice(-MAX_MESSAGES)
  const show = (message: ShownMessage, compact: boolean): Html =>
    messageHtml(
      message,
      { compact, files: filesOf(message, links), fileHref: links.fileHref, thread: undefined, inThread: true },
      { ...reader },
    )
  return html`${show(parent, false)}<div class="thread-count">${answers.length} ${answers.length === 1 ? 'reply' : 'replies'}</div>${answers.map(
    (message, index) => show(message, follows(answers[index - 1], message, reader)),
  )}`
}

function filesOf({ files }: ShownMessage, links: ListLinks): readonly ShownFile[] {
  return files.flatMap((id) => links.files.find((file) => file.id === id) ?? [])
}

function dayLine(before: ShownMessage | undefined, message: ShownMessage, { zone, now }: Reader): Html | '' {
  const at = writtenAt(message)
  const day = isoDay(at, zone)
  if (before !== undefined && isoDay(writtenAt(before), zone) === day) return ''
  return html`<div class="day" id="${domId('day', day)}" role="separator"><span>${dayHeading(at, now, zone)}</span></div>`
}

function follows(before: ShownMessage | undefined, message: ShownMessage, { zone }: Reader): boolean {
  if (before === undefined || before.author !== message.author || before.ephemeral !== message.ephemeral) return false
  const [from, to] = [writtenAt(before), writtenAt(message)]
  return to.getTime() - from.getTime() < GROUP_MS && isoDay(from, zone) === isoDay(to, zone)
}
