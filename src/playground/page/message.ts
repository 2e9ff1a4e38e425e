import { isBot } from '../slack/seed.ts'
import type { ShownFile, ShownMessage } from '../slack/shown.ts'
import { avatarHtml } from './avatar.ts'
import { blocksHtml } from './blocks/block.ts'
import { clockTime, exactTime } from './date-words.ts'
import { domId, fingerprint } from './dom-id.ts'
import { filePreviewHtml } from './file-preview.ts'
import { html, type Html } from './html.ts'
import { mrkdwn } from './mrkdwn.ts'
import type { Reader } from './reader.ts'

/** What is shown around a message's own content. */
export interface MessageFrame {
  /** Leaves out author and picture, where the message above is from the same person at about the same time. */
  readonly compact: boolean
  readonly files: readonly ShownFile[]
  readonly fileHref: (file: ShownFile) => string
  /** Where the thread opens, and how many answers it has; undefined where there can be no thread. */
  readonly thread: { readonly href: string; readonly replies: number } | undefined
  /** Of a reply that stands in both: which of the two is drawn here. */
  readonly inThread: boolean
}

/** A message as Slack shows it. `data-rev` changes with its content, so that an unchanged one is left alone. */
export function messageHtml(message: ShownMessage, frame: MessageFrame, reader: Reader): Html {
  const { channel, ts, ephemeral } = message
  const inner = contentHtml(message, frame, reader)
  const kind = `message${ephemeral ? ' ephemeral' : ''}${frame.compact ? ' compact' : ''}`
  return html`<article class="${kind}" id="${domId('message', ts)}" data-channel="${channel}" data-ts="${ts}" data-rev="${fingerprint(inner.toString())}" tabindex="-1">${inner}</article>`
}

/** When a message was written. */
export function writtenAt({ ts }: Pick<ShownMessage, 'ts'>): Date {
  return new Date(Number(ts) * 1_000)
}

function contentHtml(message: ShownMessage, frame: MessageFrame, reader: Reader): Html {
  const at = writtenAt(message)
  const author = reader.names.member(message.author)
  const time = html`<time datetime="${at.toISOString()}" title="${exactTime(at, reader.zone)}">${clockTime(at, reader.zone)}</time>`
  const isApp = author !== undefined && isBot(author)
  const head = html`<div class="message-head"><strong>${author?.realName ?? message.author}</strong>${isApp ? html`<span class="badge">APP</span>` : ''}${time}</div>`
  return html`${message.ephemeral ? html`<div class="only-you"><span aria-hidden="true">👁</span> Only visible to you</div>` : ''}<div class="message-row"><div class="message-gutter">${frame.compact ? time : avatarHtml(author)}</div><div class="message-body">${frame.compact ? html`<span class="unseen">${author?.realName ?? message.author}</span>` : head}${broadcastHtml(message, frame)}${bodyHtml(message, reader)}${message.edited ? html`<span class="edited">(edited)</span>` : ''}${frame.files.map((file) => filePreviewHtml(file, frame.fileHref(file)))}${threadHtml(frame)}</div></div>${
    frame.thread === undefined
      ? ''
      : html`<div class="message-tools"><a href="${frame.thread.href}" data-go aria-label="Reply in thread" title="Reply in thread">💬</a></div>`
  }`
}

/** What Slack writes above a reply that was sent to the channel as well. */
function broadcastHtml({ broadcast }: ShownMessage, { inThread, thread }: MessageFrame): Html | '' {
  if (!broadcast) return ''
  if (inThread || thread === undefined) return html`<div class="broadcast quiet">Also sent to the channel</div>`
  return html`<div class="broadcast quiet">replied to <a href="${thread.href}" data-go>a thread</a></div>`
}

function bodyHtml({ blocks, text, ts }: ShownMessage, reader: Reader): Html {
  if (blocks.length > 0) return blocksHtml(blocks, { reader, key: ts })
  return text === '' ? html`` : html`<div class="blocks"><div class="section">${mrkdwn(text, reader)}</div></div>`
}

function threadHtml({ thread }: MessageFrame): Html | '' {
  if (thread === undefined || thread.replies === 0) return ''
  return html`<a class="replies" href="${thread.href}" data-go>${thread.replies} ${thread.replies === 1 ? 'reply' : 'replies'}</a>`
}
