import { hidesSomething } from '../shared/untrusted.ts'
import type { Message } from './message.ts'

/** Every form of control sequence that `mrkdwn.ts` makes. */
const OURS = new RegExp(
  [
    String.raw`<[@#][A-Z0-9]{3,21}>`,
    String.raw`<!subteam\^S[A-Z0-9]{2,20}>`,
    String.raw`<!date\^\d{1,12}\^[^<>|^&]{1,100}\|[^<>|]{1,40}>`,
    String.raw`<https?://[^\s<>|]+\|[^<>|]+>`,
  ].join('|'),
  'g',
)
const BARE = /[<>]|&(?!(?:amp|lt|gt);)/

/**
 * Where a message holds what no builder makes: a hidden character, one of Slack's three special characters unescaped,
 * or a control sequence of another form than ours. Such a text came around the builders, as one may that somebody else
 * stored. A JSON pointer, `/text` for the plain words, which Slack reads as markup too; undefined when all is ours.
 */
export function findStrayInMessage({ text, blocks }: Message): string | undefined {
  return BARE.test(text) || hidesSomething(text) ? '/text' : findStray({ blocks })
}

/** The same of any part of a message or view. */
export function findStray(part: unknown): string | undefined {
  if (typeof part === 'string') return hidesSomething(part) ? '' : undefined
  if (typeof part !== 'object' || part === null) return undefined
  const isMarkup = 'type' in part && part.type === 'mrkdwn' && 'text' in part
  if (isMarkup && BARE.test(String(part.text).replaceAll(OURS, ''))) return '/text'
  for (const key in part) {
    const found = findStray(part[key as keyof typeof part])
    if (found !== undefined) return `/${key}${found}`
  }
  return undefined
}
