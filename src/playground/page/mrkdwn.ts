import { DAY_MS } from '../../shared/durations.ts'
import type { TextObject } from '../slack/blocks/blocks.ts'
import { html, type Html, NOTHING } from './html.ts'
import type { Reader } from './reader.ts'

/** A style that is not closed within this many characters is none: text from outside cannot make the search long. */
const INLINE =
  /`(?<code>[^`\n]+)`|<(?<control>[^<>\n]+)>|(?<![\p{L}\p{N}])(?<mark>[*_~])(?=\S)(?<styled>[^\n]{0,2000}?[^\s])\k<mark>(?![\p{L}\p{N}])|:(?<emoji>[a-z0-9_+-]{1,40}):/gu
const FENCE = /```(?:\n)?([\s\S]*?)```/g
const QUOTED_LINES = /((?:^(?:>|&gt;).*(?:\n|$))+)/m
const QUOTE = /^(?:>|&gt;)[^\S\n]?/gm

export function textHtml(text: TextObject | undefined, reader: Reader): Html {
  if (text === undefined) return NOTHING
  return text.type === 'mrkdwn' ? mrkdwn(text.text, reader) : html`${text.text}`
}

/** Text in Slack's markup. Nothing in it can become markup of the page; what is not understood is shown as text. */
export function mrkdwn(text: string, reader: Reader): Html {
  const parts: Html[] = []
  let end = 0
  for (const fenced of text.matchAll(FENCE)) {
    parts.push(
      paragraphs(text.slice(end, fenced.index), reader),
      html`<pre class="code">${decoded(fenced[1] ?? '')}</pre>`,
    )
    end = fenced.index + fenced[0].length
  }
  parts.push(paragraphs(text.slice(end), reader))
  return html`${parts}`
}

/** Lines outside of code: those that begin with > stand in a quote. */
function paragraphs(text: string, reader: Reader): Html {
  const parts = text.split(QUOTED_LINES).filter((part) => part !== '')
  return html`${parts.map((part) =>
    part.search(QUOTE) === 0
      ? html`<blockquote>${inline(part.replaceAll(QUOTE, '').trimEnd(), reader)}</blockquote>`
      : inline(part, reader),
  )}`
}

function inline(text: string, reader: Reader): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    parts.push(decoded(text.slice(end, match.index)), inlinePart(match, reader))
    end = match.index + match[0].length
  }
  parts.push(decoded(text.slice(end)))
  return html`${parts}`
}

function inlinePart(match: RegExpMatchArray, reader: Reader): Html {
  const { code, control, mark, styled, emoji } = match.groups ?? {}
  if (code !== undefined) return html`<code>${decoded(code)}</code>`
  if (control !== undefined) return controlSequence(control, reader)
  if (emoji !== undefined) return html`${emojiPicture(emoji) ?? match[0]}`
  const inner = inline(styled ?? '', reader)
  if (mark === '*') return html`<strong>${inner}</strong>`
  return mark === '_' ? html`<em>${inner}</em>` : html`<s>${inner}</s>`
}

const BROADCASTS = new Set(['!channel', '!here', '!everyone'])

/**
 * What stands between angle brackets in mrkdwn: a person, a channel, a group, a time or a link. Whatever is none of
 * these, `javascript:` addresses for one, comes back as the text it is.
 */
function controlSequence(inner: string, reader: Reader): Html {
  const [target = '', ...rest] = inner.split('|')
  const label = rest.length === 0 ? undefined : decoded(rest.join('|'))
  if (target.startsWith('@')) return personMention(target.slice(1), reader)
  if (target.startsWith('#'))
    return mentionOf(`#${reader.workspace.findChannel(target.slice(1))?.name ?? target.slice(1)}`)
  if (target.startsWith('!date^')) return dateMention(target, label, reader)
  if (target.startsWith('!subteam^')) return groupMention(target.slice('!subteam^'.length), reader)
  if (BROADCASTS.has(target)) return mentionOf(`@${target.slice(1)}`)
  const address = safeAddress(decoded(target))
  if (address === undefined) return html`${`<${decoded(inner)}>`}`
  // It opens beside the page and tells the other side nothing about it.
  return html`<a href="${address}" target="_blank" rel="noopener noreferrer">${label ?? decoded(target)}</a>`
}

function personMention(userId: string, reader: Reader): Html {
  const own = userId === reader.userId ? html` mention-me` : ''
  const member = reader.workspace.findMember(userId)
  return html`<span class="mention${own}" title="${member?.realName ?? userId}">@${member?.name ?? userId}</span>`
}

function groupMention(id: string, { workspace }: Reader): Html {
  return mentionOf(`@${workspace.groups.find((group) => group.id === id)?.handle ?? id}`)
}

/** An address a link may lead to: http and https only. */
function safeAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}

function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** `!date^1700000000^{date_short_pretty} {time}|what old clients show`, with no other tokens: those that the bot sends. */
function dateMention(target: string, fallback: string | undefined, { now, zone }: Reader): Html {
  const [, seconds = '', format = ''] = target.split('^')
  if (!/^\d{1,12}$/.test(seconds)) return html`${fallback ?? target}`
  const at = new Date(Number(seconds) * 1_000)
  const day = relativeDay(at, now, zone)?.toLowerCase() ?? words(at, zone, DAY)
  const shown = decoded(format)
    .replace('{date_short_pretty}', day)
    .replace('{time}', words(at, zone, TIME))
  return timeHtml(at, zone, shown)
}

function mentionOf(words: string): Html {
  return html`<span class="mention">${words}</span>`
}

/** The pictures that stand for names in mrkdwn: those the bot's code can send. A test compares. */
const PICTURES: Readonly<Record<string, string>> = {
  arrow_forward: '▶️',
  busts_in_silhouette: '👥',
  grey_question: '❔',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  moneybag: '💰',
  no_entry: '⛔',
  pencil2: '✏️',
  rotating_light: '🚨',
  warning: '⚠️',
  white_check_mark: '✅',
  x: '❌',
}

/** The picture of a name without its colons; undefined for a name that is not known, which is then shown as written. */
export function emojiPicture(name: string): string | undefined {
  return Object.hasOwn(PICTURES, name) ? PICTURES[name] : undefined
}

const LOCALE = 'en-US'
const TIME = { hour: 'numeric', minute: '2-digit' } as const
const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const

/* Times as Slack's client words them, in the zone of whoever looks. */

/** `Friday, November 20th` as the line between days, or Today and Yesterday. */
export function dayHeading(at: Date, now: Date, zone: string): string {
  return relativeDay(at, now, zone) ?? words(at, zone, { weekday: 'long', month: 'long', day: 'numeric' })
}

/** A time in these words, with `Nov 20, 2026, 3:05:09 PM EST` for whoever wants to know exactly. */
function timeHtml(at: Date, zone: string, shown: string): Html {
  const exactly = words(at, zone, { dateStyle: 'medium', timeStyle: 'long' })
  return html`<time datetime="${at.toISOString()}" title="${exactly}">${shown}</time>`
}

/** The same on its own, as `3:05 PM`. */
export function clockHtml(at: Date, zone: string): Html {
  return html`<small>${timeHtml(at, zone, words(at, zone, TIME))}</small>`
}

export function isoDay(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)
}

function relativeDay(at: Date, now: Date, zone: string): string | undefined {
  const day = isoDay(at, zone)
  if (day === isoDay(now, zone)) return 'Today'
  if (day === isoDay(new Date(now.getTime() - DAY_MS), zone)) return 'Yesterday'
  return day === isoDay(new Date(now.getTime() + DAY_MS), zone) ? 'Tomorrow' : undefined
}

function words(at: Date, zone: string, options: Intl.DateTimeFormatOptions): string {
  // Some versions put a narrow no-break space before AM and PM.
  return new Intl.DateTimeFormat(LOCALE, { timeZone: zone, ...options }).format(at).replaceAll('\u202f', ' ')
}
