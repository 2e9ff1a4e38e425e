/** Shorter values would hide ordinary words. */
const MIN_LENGTH = 8
/** So many characters of a secret are taken for it; fewer would be part of too many words. */
const HEAD_CHARACTERS = 8
const MASK = '[secret]'

/**
 * The last gate before text leaves: replaces every registered secret value, also as JSON, addresses and base64 spell it,
 * and what is left of one that was cut off behind its first characters.
 */
export class Scrubber {
  /** By each spelling of a secret the same spelling of its beginning, by which it is found. */
  readonly #heads = new Map<string, string>()

  /** Values under 8 characters are left alone. */
  register(value: string): void {
    if (value.length < MIN_LENGTH) return
    const head = value.slice(0, headLength(value))
    for (const spell of SPELLINGS) this.#heads.set(spell(value), spell(head))
  }

  scrub(text: string): string {
    let clean = ''
    let from = 0
    for (const { start, end } of this.#spansIn(text)) {
      // Secrets that overlap become one mask.
      if (start >= from) clean += text.slice(from, start) + MASK
      from = Math.max(from, end)
    }
    return clean + text.slice(from)
  }

  finds(text: string): boolean {
    return this.#heads.values().some((head) => text.includes(head))
  }

  /** Where secrets stand, in the order of their starts: from `start` to before `end`, in UTF-16 units. */
  #spansIn(text: string) {
    const spans: { readonly start: number; readonly end: number }[] = []
    for (const [spelling, head] of this.#heads) {
      for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, start + 1)) {
        let length = head.length
        while (length < spelling.length && text.charCodeAt(start + length) === spelling.charCodeAt(length)) length += 1
        spans.push({ start, end: start + length })
      }
    }
    return spans.sort((a, b) => a.start - b.start)
  }
}

/** Of an address, what comes before its own part does not count: its host, or who logs in. Surrogates stay together. */
function headLength(value: string): number {
  const length = (COMMON.exec(value)?.[0].length ?? 0) + HEAD_CHARACTERS
  return /[\uD800-\uDBFF]/.test(value.charAt(length - 1)) ? length + 1 : length
}

const COMMON = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@:]*:(?=[^/@]*@)|[^/]*\/?)/i

/** Each spells the beginning of a value as the beginning of what it makes of the whole. */
type Spelling = (value: string) => string

const SPELLINGS: readonly Spelling[] = [
  (value) => value,
  (value) => JSON.stringify(value).slice(1, -1),
  (value) => encodeURIComponent(value.toWellFormed()),
  // A password in an Authorization header is encoded together with the name before it.
  (value) => inBase64(value, 0),
  (value) => inBase64(value, 1),
  (value) => inBase64(value, 2),
]

const BITS = { ofByte: 8, ofCharacter: 6 }

/** What of base64 depends on the value alone, when so many bytes of a group of three come before it. */
function inBase64(value: string, before: 0 | 1 | 2): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
  const from = Math.ceil((before * BITS.ofByte) / BITS.ofCharacter)
  return bytes.toString('base64').slice(from, Math.floor((bytes.length * BITS.ofByte) / BITS.ofCharacter))
}
