import { type Untrusted, visible } from '../shared/untrusted.ts'
import { TEXT_CHARACTERS } from './limits.ts'

/** Shown where there is nothing to show: Slack refuses empty text. */
export const NOTHING = '–'

/**
 * A plain text object of at most `limit` characters. Hidden characters are spelled out; nothing in it is markup, and `:name:`
 * does not turn into a picture.
 */
export function plainText(text: Untrusted, limit = TEXT_CHARACTERS) {
  return { type: 'plain_text', text: oneLine(text, limit), emoji: false } as const
}

/** Text for a place that has one line: visible, never empty, at most `limit` characters, cut between code points. */
export function oneLine(text: Untrusted, limit: number): string {
  const flat = visible(text, limit).replace(/\s+/gu, ' ').trim()
  return flat === '' ? NOTHING : cut(flat, limit)
}

/** The beginning of a text, with … in place of the rest. `limit` counts UTF-16 units; no code point is split. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${beginning(text, limit - 1)}…`
}

/** Begin and end of a text, with … between them. `limit` counts code points. */
export function cutMiddle(text: string, limit: number): string {
  const points = Array.from(text)
  if (points.length <= limit) return text
  const end = Math.floor((limit - 1) / 2)
  return `${points.slice(0, limit - 1 - end).join('')}…${points.slice(points.length - end).join('')}`
}

/** As many whole code points from the start as fit into `limit` UTF-16 units. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(limit))
  return text.slice(0, Math.max(splits ? limit - 1 : limit, 0))
}

/** The first of a list in words, and how many more there are: `a, b and 3 more`. */
export function listFew(words: readonly string[], most: number): string {
  const rest = words.length - most
  return `${words.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** An identifier as it is. Throws RangeError when it is empty or too long: a cut identifier would name something else. */
export function identifier(id: string, what: string, limit: number): string {
  if (id === '' || id.length > limit) throw new RangeError(`${what} must have 1 to ${limit} characters`)
  return id
}
