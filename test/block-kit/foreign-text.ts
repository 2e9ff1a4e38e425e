import fc from 'fast-check'

/** Pieces of text that have done harm somewhere: control sequences, markup, hidden characters, broken surrogates. */
const NASTY = [
  '<!channel>',
  '<!here|x>',
  '<@U0123ABC>',
  '<#C0123ABC|ops>',
  '<http://evil.example|Deploy ok>',
  '<https://evil.example>',
  '<mailto:a@b.c|d>',
  '&lt;!channel&gt;',
  '&amp;',
  '&',
  '*bold*',
  '_it_',
  '~gone~',
  '`code`',
  '```\nfence\n```',
  '> quote',
  ':white_check_mark:',
  ':x::fire:a:+1:',
  ':fire',
  ':',
  'fire:',
  ':100:',
  '2001:db8:a:1::12:30:45',
  '\u202Etxt.exe',
  '\u200B',
  '\uFEFF',
  '\u0000',
  '\u001B[31m',
  '\u2028',
  '\uD83D',
  '\uDE00',
  '😀',
  '👨‍👩‍👧',
  '\n',
  '\t',
  ' ',
  '',
] as const

/** Whichever there is, halves of a pair included. The unit that fast-check has for it takes seconds to be made. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10_ffff }).map((point) => String.fromCodePoint(point))

/** Any text a stranger could send, well-formed or not, short or far too long. */
export const foreignText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom(...NASTY, 'a', 'ab '), fc.integer({ min: 0, max: 3_000 }))
    .map(([part, times]) => part.repeat(times).slice(0, 12_000)),
)

/** Control sequences of Slack's markup: an unescaped < that is followed by what makes one. */
export const CONTROL = /<(?:[!@#]|[a-z][a-z0-9+.-]*:)[^>]*>?/giu

/** Characters that hide or reorder text, other than line feed and tab. */
export const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

/**
 * What Slack draws as a picture outside of code: a name between colons. Numbers that are no picture's name, and groups of
 * four hexadecimal digits, stand in times and addresses; some of those are names all the same.
 */
const PICTURE = /:(?!\d+:|[0-9a-f]{1,4}:)[a-z0-9_+'-]+:|:(?:100|1234|a|b|ab|abc|abcd|bed|bee|cd|de):/

/** Whether Slack would draw a picture somewhere in markup, or in the twin of a message, which it reads as markup too. */
export function drawsPicture(markup: string): boolean {
  return PICTURE.test(markup.replaceAll(/`[^`\n]*`|<[^>]*\|/g, ' '))
}

/** Every string of a payload with the object it stands in. */
export function stringsOf(value: unknown, key = '', holder: object = {}): readonly StringAt[] {
  if (typeof value === 'string') return [{ key, text: value, holder }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => stringsOf(part, name, Array.isArray(value) ? holder : value))
}

export interface StringAt {
  readonly key: string
  readonly text: string
  readonly holder: object
}

/** The strings that Slack reads as markup: texts of mrkdwn objects. */
export function markupOf(value: unknown): readonly string[] {
  return stringsOf(value)
    .filter(({ key, holder }) => key === 'text' && 'type' in holder && holder.type === 'mrkdwn')
    .map(({ text }) => text)
}
