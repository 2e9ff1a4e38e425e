import { exactTime, formattedDate } from './date-words.ts'
import { html, type Html } from './html.ts'
import type { Reader } from './reader.ts'

const BROADCASTS = new Set(['channel', 'here', 'everyone'])

/**
 * What stands between angle brackets in mrkdwn: a person, a channel, a group, a time or a link. Whatever is none of
 * these, `javascript:` addresses for one, comes back as the text it is.
 */
export function controlSequence(inner: string, reader: Reader): Html {
  const [target = '', ...rest] = inner.split('|')
  const label = rest.length === 0 ? undefined : decoded(rest.join('|'))
  if (target.startsWith('@')) return personMention(target.slice(1), reader)
  if (target.startsWith('#')) return mentionOf(`#${reader.names.channel(target.slice(1))}`)
  if (target.startsWith('!date^')) return dateMention(target, label, reader)
  if (target.startsWith('!subteam^')) return mentionOf(`@${reader.names.group(target.slice('!subteam^'.length))}`)
  if (target.startsWith('!') && BROADCASTS.has(target.slice(1))) {
    return html`<span class="mention mention-all">@${target.slice(1)}</span>`
  }
  const address = safeAddress(decoded(target))
  return address === undefined ? html`&lt;${decoded(inner)}&gt;` : linkTo(address, label ?? decoded(target))
}

/** A person under their current name; their own mentions stand out. */
function personMention(userId: string, reader: Reader): Html {
  const own = userId === reader.userId ? html` mention-me` : ''
  return html`<span class="mention${own}" title="${reader.names.member(userId)?.realName ?? userId}">@${reader.names.handle(userId)}</span>`
}

/** A link that opens beside the page and tells the other side nothing about it. */
function linkTo(address: string, label: string): Html {
  return html`<a href="${address}" target="_blank" rel="noopener noreferrer">${label}</a>`
}

/** An address a link may lead to: http and https only. */
function safeAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}

/** A moment in the reader's zone. */
function momentOf(at: Date, words: string, reader: Reader): Html {
  return html`<time datetime="${at.toISOString()}" title="${exactTime(at, reader.zone)}">${words}</time>`
}

/** Slack's three entities as the characters they stand for. */
export function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** `!date^1700000000^{date} at {time}^https://optional.link|what old clients show` */
function dateMention(target: string, fallback: string | undefined, reader: Reader): Html {
  const [, seconds = '', format = '', link] = target.split('^')
  const at = new Date(Number(seconds) * 1_000)
  const words = /^\d{1,12}$/.test(seconds) ? formattedDate(decoded(format), at, reader.now, reader.zone) : undefined
  if (words === undefined) return html`${fallback ?? target}`
  const address = link === undefined ? undefined : safeAddress(decoded(link))
  return address === undefined ? momentOf(at, words, reader) : linkTo(address, words)
}

function mentionOf(words: string): Html {
  return html`<span class="mention">${words}</span>`
}
