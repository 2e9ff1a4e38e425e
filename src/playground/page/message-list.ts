import type { ShownFile, ShownMessage } from '../slack/shown.ts'
import { dayHeading, isoDay, clockTime, exactTime } from './date-words.ts'
import { domId, fingerprint } from './dom-id.ts'
import { html, type Html } from './html.ts'
import type { Reader } from './reader.ts'
import { isBot } from '../slack/seed.ts'
import { avatarHtml } from './avatar.ts'
import { blocksHtml } from './blocks/block.ts'
import { mrkdwn } from './mrkdwn.ts'

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

/** What is shown around a message's own content. */
interface MessageFrame {
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
function messageHtml(message: ShownMessage, frame: MessageFrame, reader: Reader): Html {
  const { channel, ts, ephemeral } = message
  const inner = contentHtml(message, frame, reader)
  const kind = `message${ephemeral ? ' ephemeral' : ''}${frame.compact ? ' compact' : ''}`
  return html`<article class="${kind}" id="${domId('message', ts)}" data-channel="${channel}" data-ts="${ts}" data-rev="${fingerprint(inner.toString())}" tabindex="-1">${inner}</article>`
}

/** When a message was written. */
function writtenAt({ ts }: Pick<ShownMessage, 'ts'>): Date {
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

const MAX_TEXT_CHARACTERS = 600

/** A shared file: its name and size, a look into it, and a link to have it. `href` leads to its bytes. */
function filePreviewHtml(file: ShownFile, href: string): Html {
  return html`<figure class="file"><figcaption><span class="file-sign" aria-hidden="true">${extensionOf(file.name)}</span><span><a href="${href}" download="${file.name}">${file.title}</a><small class="quiet">${file.name} · ${sizeOf(file.content)}</small></span></figcaption>${file.name.endsWith('.csv') ? csvHtml(file) : textHtml(file)}</figure>`
}

function csvHtml({ content, name }: ShownFile): Html {
  const { rows, isCut } = csvPreview(content)
  const [header = [], ...body] = rows
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label="Preview of ${name}"><table><thead><tr>${header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${body.map(
    (row) => html`<tr>${row.map((cell) => html`<td><span class="cell">${cell}</span></td>`)}</tr>`,
  )}</tbody></table></div>${isCut ? html`<small class="quiet">The first ${body.length} rows.</small>` : ''}`
}

function textHtml({ content }: ShownFile): Html {
  const beginning = content.slice(0, MAX_TEXT_CHARACTERS)
  return html`<pre class="code" tabindex="0">${beginning}${beginning.length < content.length ? '…' : ''}</pre>`
}

function extensionOf(name: string): string {
  return (/\.(\w{1,4})$/.exec(name)?.[1] ?? 'file').toUpperCase()
}

function sizeOf(content: string): string {
  const bytes = Buffer.byteLength(content)
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`
}

/** The first rows of a file of comma-separated values, as far as a preview shows them. */
interface CsvPreview {
  readonly rows: readonly (readonly string[])[]
  /** True when the file has more than is shown. */
  readonly isCut: boolean
}

const MAX_ROWS = 6
const MAX_COLUMNS = 8
const MAX_CELL_CHARACTERS = 60
/** No preview needs more of a file than this. */
const MAX_READ_CHARACTERS = 40_000

/** Reads the beginning of a file with quotes as RFC 4180 has them. */
export function csvPreview(content: string): CsvPreview {
  const rows = rowsOf(content.replace(/^\uFEFF/, '').slice(0, MAX_READ_CHARACTERS), MAX_ROWS + 1)
  const shown = rows.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS).map(cell))
  const isCut = rows.length > MAX_ROWS || rows.some((row) => row.length > MAX_COLUMNS)
  return { rows: shown, isCut }
}

function rowsOf(text: string, most: number): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
  for (let match = cells.exec(text); match !== null && rows.length < most; match = cells.exec(text)) {
    const [whole, quoted, plain, end] = match
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end !== ',') {
      if (row.length > 1 || row[0] !== '') rows.push(row)
      row = []
    }
    if (whole === '' || (end === '' && cells.lastIndex >= text.length)) break
  }
  return rows
}

function cell(text: string): string {
  return text.length <= MAX_CELL_CHARACTERS ? text : `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…`
}
