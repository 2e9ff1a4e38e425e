/** Text as the person typed it, with what Slack told about the mentions in it. */
export interface TypedText {
  readonly text: string
  readonly mentions: readonly Mention[]
}

/** Where a person, group or channel is mentioned in the text, and its id: names are not unique, ids are. */
interface Mention {
  readonly start: number
  readonly end: number
  readonly id: string
}

/**
 * Takes back what Slack does to the text of a command: `<http://shop.example|shop.example>` becomes
 * `shop.example`, `<@U012AB|ann>` becomes `@ann` with a mention at its place, `&lt;` becomes `<`. Each escape is read
 * once, so `&amp;lt;` is the four characters `&lt;`. Anything else in angle brackets stays as it is: with escaping
 * switched off in the app's settings, people's own brackets arrive bare.
 */
export function unescapeSlack(escaped: string): TypedText {
  const mentions: Mention[] = []
  let text = ''
  let copied = 0
  for (const match of escaped.matchAll(ESCAPE)) {
    text += escaped.slice(copied, match.index)
    const { typed, id } = readEscape(match)
    if (id !== undefined) mentions.push({ start: text.length, end: text.length + typed.length, id })
    text += typed
    copied = match.index + match[0].length
  }
  return { text: text + escaped.slice(copied), mentions }
}

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The same text with some parts in other words, and its mentions where they stand then. Edits go from left to right. */
export function editText({ text, mentions }: TypedText, edits: readonly Edit[]): TypedText {
  const moved = (offset: number): number =>
    edits.reduce((at, edit) => (edit.end <= offset ? at + edit.text.length - (edit.end - edit.start) : at), offset)
  const ends = [0, ...edits.map(({ end }) => end)]
  const parts = edits.map((edit, index) => `${text.slice(ends[index], edit.start)}${edit.text}`)
  return {
    text: `${parts.join('')}${text.slice(ends.at(-1))}`,
    mentions: mentions.map(({ start, end, id }) => ({ start: moved(start), end: moved(end), id })),
  }
}

/** A link, a mention, a broadcast or group, an entity. Slack leaves no bare `<`, `>` or `|` inside the first three. */
const ESCAPE = new RegExp(
  [
    String.raw`<(?<link>(?:https?|ftp|mailto|tel|sips?):[^<>|\s]*)(?:\|(?<label>[^<>|]*))?>`,
    String.raw`<(?<sigil>[@#])(?<id>[A-Z][A-Z0-9]{1,20})(?:\|(?<name>[^<>|]*))?>`,
    String.raw`<!(?:subteam\^(?<group>S[A-Z0-9]{1,20})|(?<broadcast>here|channel|everyone))(?:\|(?<said>[^<>|]*))?>`,
    '&(?<entity>amp|lt|gt);',
  ].join('|'),
  'g',
)

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

function readEscape(match: RegExpExecArray): { readonly typed: string; readonly id?: string } {
  const { link, label, sigil, id, name, group, broadcast, said, entity } = match.groups ?? {}
  if (entity !== undefined) return { typed: ENTITIES[entity] ?? match[0] }
  if (link !== undefined) return { typed: unescapeEntities(label ?? link.replace(/^(mailto|tel):/, '')) }
  if (id !== undefined) return { typed: `${sigil}${unescapeEntities(name ?? '') || id}`, id }
  const shown = unescapeEntities(said ?? '').replace(/^@/, '')
  if (group !== undefined) return { typed: `@${shown || group}`, id: group }
  return { typed: `@${shown || broadcast}` }
}

function unescapeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}
