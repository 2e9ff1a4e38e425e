import { ChangeFeed } from '../../../src/playground/slack/state/change-feed.ts'
import { OLGA } from '../../../src/playground/slack/state/seed.ts'
import { Workspace } from '../../../src/playground/slack/state/workspace.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import type { Reader } from '../../../src/playground/page/reader.ts'

/** One tag of a page with its attributes, entities read. */
export interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const TAG = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*)\s*\/?>|<!doctype html>/g
const ATTRIBUTE = /([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g

/** Opening tags of markup. Throws where a `<` or `>` is not part of a tag: there, text has become markup. */
export function tagsOf(markup: { toString(): string }): readonly Tag[] {
  const text = markup.toString()
  const left = text.replace(TAG, '')
  if (/[<>]/.test(left)) throw new Error(`This is not clean markup: ${left.slice(0, 500)}`)
  return [...text.matchAll(TAG)]
    .filter(([, end, name]) => end === '' && name !== undefined)
    .map(([, , name = '', attributes = '']) => ({
      name,
      attributes: Object.fromEntries(
        [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, read(value)]),
      ),
    }))
}

/** What a reader sees: the text between the tags, entities read. */
export function textOf(markup: { toString(): string }): string {
  return read(markup.toString().replace(TAG, ''))
}

function read(text: string): string {
  return text.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)))
}

/** The names of the tags in order: what stands fixed however hostile the text is. */
export function shapeOf(markup: { toString(): string }): readonly string[] {
  return tagsOf(markup).map(({ name }) => name)
}

/** What nobody may bring onto the page by text alone. */
export function harmIn(markup: { toString(): string }): readonly Tag[] {
  return tagsOf(markup).filter(
    ({ name, attributes }) =>
      ['script', 'iframe', 'object', 'style', 'link', 'img', 'form', 'meta', 'base'].includes(name) ||
      Object.keys(attributes).some((key) => key.startsWith('on') || key === 'style') ||
      (attributes['href'] !== undefined && !/^(?:https?:\/\/|\/)/.test(attributes['href'])),
  )
}

/** Strings that mean mischief somewhere, each with a short name. */
export const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['a script', '<script>alert(1)</script>'],
  ['a picture that runs', '"><img src=x onerror=alert(1)>'],
  ['an attribute in single quotes', "' onmouseover='alert(1)"],
  ['the end of a field', '</textarea><script>alert(1)</script>'],
  ['entities of a script', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['a script as an address', '<javascript:alert(1)|click>'],
  ['an address that ends its attribute', '<https://example.net/" onclick="alert(1)|a>'],
  ['calls to everybody', '<!channel> <!here|<b>>'],
  ['text from right to left', '‮gpj.exe‬ مرحبا'],
  ['all markup at once', '*_~`<@U0OLGA0001|<script>>`~_*'],
  ['a word of 10,000 letters', 'w'.repeat(10_000)],
  ['control characters', '\u0000\u0008]]><!--'],
]

const workspace = new Workspace(new ChangeFeed(systemClock))

/** Olga, in New York, on a Friday afternoon. */
export const reader: Reader = {
  userId: OLGA,
  zone: 'America/New_York',
  now: new Date('2026-11-20T20:05:00Z'),
  workspace,
}
