/** One spelling of a secret. */
export interface Form {
  readonly text: string
  /** Its beginning, by which it is found: as much as is left where the rest was cut off. */
  readonly head: string
}

/** So many characters of a secret are taken for it; fewer would be part of too many words. */
const HEAD_CHARACTERS = 8

/**
 * How a secret may be spelt where it has no business to be: as it is, in JSON and in JSON that was put into JSON as
 * text, in an address once or twice, as hexadecimal digits, and in base64 at each of the three places where it may begin
 * among other bytes. Each spelling once.
 */
export function formsOf(value: string): readonly Form[] {
  const head = value.slice(0, headLength(value))
  const forms = new Map<string, Form>()
  for (const spell of SPELLINGS) {
    const text = spell(value)
    forms.set(text, { text, head: spell(head) })
  }
  return [...forms.values()]
}

/** Of an address, what comes before its own part does not count: its host, or who logs in. Surrogates stay together. */
function headLength(value: string): number {
  const length = (COMMON.exec(value)?.[0].length ?? 0) + HEAD_CHARACTERS
  return /[\uD800-\uDBFF]/.test(value.charAt(length - 1)) ? length + 1 : length
}

const COMMON = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@:]*:(?=[^/@]*@)|[^/]*\/?)/i

/** Each spells the beginning of a value as the beginning of what it makes of the whole. */
type Spelling = (value: string) => string

const inJson: Spelling = (value) => JSON.stringify(value).slice(1, -1)
/** As other programs write JSON: slashes escaped, or what means something in a page. */
const inJsonOfOthers: readonly Spelling[] = [
  (value) => inJson(value).replaceAll('/', String.raw`\/`),
  (value) => inJson(value).replaceAll(/[<>&]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`),
]
const inAddress: Spelling = (value) => encodeURIComponent(value.toWellFormed())
const inAddresses: readonly Spelling[] = [
  inAddress,
  (value) => inAddress(value).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  (value) => inAddress(inAddress(value)),
  (value) => encodeURI(value.toWellFormed()),
  (value) => new URLSearchParams([['', value]]).toString().slice(1),
]
const inHex: Spelling = (value) => Buffer.from(value).toString('hex')

const SPELLINGS: readonly Spelling[] = [
  (value) => value,
  inJson,
  (value) => inJson(inJson(value)),
  ...inJsonOfOthers,
  ...inAddresses,
  inHex,
  (value) => inHex(value).toUpperCase(),
  ...([0, 1, 2] as const).flatMap((before) => [
    (value: string) => inBase64(value, before, 'base64'),
    (value: string) => inBase64(value, before, 'base64url'),
  ]),
]

/** What of base64 depends on the value alone, when so many bytes of a group of three come before it. */
function inBase64(value: string, before: 0 | 1 | 2, alphabet: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
  const BITS = { ofByte: 8, ofCharacter: 6 }
  const from = Math.ceil((before * BITS.ofByte) / BITS.ofCharacter)
  return bytes.toString(alphabet).slice(from, Math.floor((bytes.length * BITS.ofByte) / BITS.ofCharacter))
}
