import type { ShownFile, ShownMessage } from '../slack/person.ts'
import type { Member } from '../slack/state/seed.ts'
import { blocksHtml } from './blocks.ts'
import { domId, fingerprint, html, type Html, NOTHING } from './html.ts'
import { clockHtml, dayHeading, isoDay, mrkdwn } from './mrkdwn.ts'
import type { Reader } from './reader.ts'
import { hrefOf, type Viewpoint } from './viewpoint.ts'

/** The newest of a conversation; older ones are said to be there. */
const MAX_MESSAGES = 120
const MAX_PREVIEW_CHARACTERS = 600

export interface Talk {
  readonly messages: readonly ShownMessage[]
  readonly files: readonly ShownFile[]
  readonly viewpoint: Viewpoint
  readonly reader: Reader
}

type Surface = 'channel' | 'thread'

/** From the oldest message to the newest. Answers in threads stay there, but for those that were sent to the channel too. */
export function messageListHtml(talk: Talk): Html {
  const { messages, reader } = talk
  const own = messages.filter(({ threadTs, ts, broadcast }) => threadTs === undefined || threadTs === ts || broadcast)
  const shown = own.slice(-MAX_MESSAGES)
  return html`${shown.length < own.length ? html`<p class="quiet divider">${own.length - shown.length} older messages are not shown.</p>` : ''}${shown.map(
    (message, index) => html`${dayLine(shown[index - 1], message, reader)}${messageHtml(message, talk, 'channel')}`,
  )}`
}

export function threadListHtml(talk: Talk, ts: string): Html | undefined {
  const { messages } = talk
  const parent = messages.find((message) => message.ts === ts)
  if (parent === undefined) return undefined
  const answers = messages.filter((message) => message.threadTs === ts && message.ts !== ts).slice(-MAX_MESSAGES)
  return html`${messageHtml(parent, talk, 'thread')}<div class="divider quiet small">${repliesWords(answers.length)}</div>${answers.map((message) => messageHtml(message, talk, 'thread'))}`
}

/** A message as Slack shows it. `data-rev` changes with its content, so that an unchanged one is left alone. */
function messageHtml(message: ShownMessage, talk: Talk, surface: Surface): Html {
  const { channel, ts, ephemeral } = message
  const inner = contentHtml(message, talk, surface)
  const kind = `message${ephemeral ? ' ephemeral' : ''}${message.byBot ? ' by-app' : ''}`
  return html`<article class="${kind}" id="${domId(surface, ts)}" data-channel="${channel}" data-ts="${ts}" data-rev="${fingerprint(inner.toString())}" tabindex="-1">${inner}</article>`
}

function contentHtml(message: ShownMessage, talk: Talk, surface: Surface): Html {
  const { reader } = talk
  const author = reader.workspace.findMember(message.author)
  const files = message.files.flatMap((id) => talk.files.find((file) => file.id === id) ?? [])
  const name = author?.realName ?? message.author
  const badge = author?.kind === 'bot' ? html`<span class="badge">APP</span>` : ''
  const head = html`<div class="row"><strong>${name}</strong>${badge}${clockHtml(writtenAt(message), reader.zone)}</div>`
  const only = html`<div class="quiet small"><span aria-hidden="true">👁</span> Only visible to you</div>`
  return html`<div class="flex">${avatarHtml(author)}<div class="message-body grow">${message.ephemeral ? only : ''}${head}${broadcastHtml(message, talk, surface)}${bodyHtml(message, talk, surface)}${files.map((file) => fileHtml(file, talk.viewpoint))}${surface === 'channel' ? repliesHtml(message, talk) : ''}</div></div>${surface === 'thread' || message.ephemeral ? '' : replyHtml(message, talk)}`
}

function replyHtml({ ts, threadTs }: ShownMessage, { viewpoint }: Talk): Html {
  return html`<a class="message-tools card" href="${hrefOf(viewpoint, { thread: threadTs ?? ts })}" data-go aria-label="Reply in thread" title="Reply in thread">💬</a>`
}

function broadcastHtml({ broadcast, threadTs }: ShownMessage, { viewpoint }: Talk, surface: Surface): Html {
  if (!broadcast) return NOTHING
  if (surface !== 'channel') return html`<div class="quiet small">Also sent to the channel</div>`
  return html`<div class="quiet small">replied to <a href="${hrefOf(viewpoint, { thread: threadTs })}" data-go>a thread</a></div>`
}

function bodyHtml({ blocks, text, ts }: ShownMessage, { reader }: Talk, surface: Surface): Html {
  if (blocks.length > 0) return blocksHtml(blocks, { reader, key: `${surface} ${ts}` })
  return text === '' ? NOTHING : html`<div class="blocks"><div>${mrkdwn(text, reader)}</div></div>`
}

function repliesHtml({ ts, ephemeral }: ShownMessage, { messages, viewpoint }: Talk): Html {
  const count = messages.filter((each) => each.threadTs === ts && each.ts !== ts).length
  if (ephemeral || count === 0) return NOTHING
  return html`<a class="small" href="${hrefOf(viewpoint, { thread: ts })}" data-go>${repliesWords(count)}</a>`
}

function repliesWords(count: number): string {
  return `${count} ${count === 1 ? 'reply' : 'replies'}`
}

function dayLine(before: ShownMessage | undefined, message: ShownMessage, { zone, now }: Reader): Html {
  const at = writtenAt(message)
  const day = isoDay(at, zone)
  if (before !== undefined && isoDay(writtenAt(before), zone) === day) return NOTHING
  return html`<div class="divider small" id="${domId('day', day)}" role="separator">${dayHeading(at, now, zone)}</div>`
}

function writtenAt({ ts }: Pick<ShownMessage, 'ts'>): Date {
  return new Date(Number(ts) * 1_000)
}

function fileHtml({ id, name, title, content }: ShownFile, { who }: Viewpoint): Html {
  const href = `/file?${new URLSearchParams({ who, id }).toString()}`
  const beginning = content.replace(/^\uFEFF/, '').slice(0, MAX_PREVIEW_CHARACTERS)
  const bytes = Buffer.byteLength(content)
  const size = bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`
  return html`<figure class="file frame card"><figcaption><a href="${href}" download="${name}">${title}</a> <small>${name} · ${size}</small></figcaption><pre class="code" tabindex="0">${beginning}${bytes > beginning.length ? '…' : ''}</pre></figure>`
}

const TONES = ['#7a3e9d', '#1f6fb5', '#a8471a', '#16785c', '#b03346', '#4d4fb0', '#0d6f7c', '#80600a']

/** A person's initials on their own colour; the app has a sign of its own. */
export function avatarHtml(member: Member | undefined, size = 36): Html {
  if (member?.kind === 'bot') {
    return html`<svg class="avatar" width="${size}" height="${size}" viewBox="0 0 36 36" aria-hidden="true"><rect width="36" height="36" rx="8" fill="#1d4b5f"/><circle cx="18" cy="18" r="4" fill="#ffffff"/><path stroke="#ffffff" stroke-width="2.4" stroke-linecap="round" d="M18 14V8M18 28v-6M14 18H8M28 18h-6M15 15l-4-4M25 25l-4-4M21 15l4-4M11 25l4-4"/></svg>`
  }
  const initials = (member?.realName ?? '?').split(/\s+/).map((word) => word.charAt(0))
  const tone = Array.from(member?.id ?? '').reduce((sum, character) => sum * 3 + (character.codePointAt(0) ?? 0), 7)
  return html`<svg class="avatar" width="${size}" height="${size}" viewBox="0 0 36 36" aria-hidden="true"><rect width="36" height="36" rx="8" fill="${TONES[tone % TONES.length]}"/><text x="18" y="23" text-anchor="middle" font-size="15" font-weight="700" fill="#ffffff">${initials.slice(0, 2).join('')}</text></svg>`
}
