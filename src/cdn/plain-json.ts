/**
 * Reads JSON token by token from its bytes, which are known to be UTF-8, for answers of one well-known form: no more of it
 * becomes text than the caller makes. White space may stand between tokens. What it does not know it refuses, and the
 * caller then leaves the whole of the text to the engine.
 */
export class PlainJson {
  /** Where the next token begins. */
  at = 0
  #bytes: Uint8Array = NOTHING

  /** Begins with another text, or with none, so that the one before is let go. */
  begin(bytes: Uint8Array = NOTHING): void {
    this.#bytes = bytes
    this.goTo(0)
  }

  /** Takes a brace, a bracket or a comma, if it is what comes next. */
  takes(byte: number): boolean {
    if (this.#bytes[this.at] !== byte) return false
    this.at += 1
    this.#skipSpace()
    return true
  }

  /** Takes `null`, if it is what comes next. */
  takesNull(): boolean {
    return this.#bytes[this.at] === LETTER_N && this.#takesAll(NULL)
  }

  /** True or false; undefined for what is neither. */
  flag(): boolean | undefined {
    if (this.#takesAll(TRUE)) return true
    return this.#takesAll(FALSE) ? false : undefined
  }

  /** The place, among some names, of the name that comes next with its colon; -1 for another one or none. */
  name(names: readonly Uint8Array[]): number {
    const bytes = this.#bytes
    const start = this.at + 1
    if (bytes[this.at] !== QUOTE) return -1
    for (let place = 0; place < names.length; place += 1) {
      const name = names[place]
      if (name === undefined || bytes[start] !== name[0] || bytes[start + name.length] !== QUOTE) continue
      if (!isThere(bytes, start, name)) continue
      this.at = start + name.length + 1
      this.#skipSpace()
      return this.takes(COLON) ? place : -1
    }
    return -1
  }

  /** A whole number of up to 19 digits, which is a bigint where a double may not hold it; undefined for anything else. */
  integer(): number | bigint | undefined {
    const bytes = this.#bytes
    const isNegative = bytes[this.at] === MINUS
    const start = isNegative ? this.at + 1 : this.at
    let at = start
    let number = 0
    for (; ; at += 1) {
      const digit = (bytes[at] ?? 0) - DIGIT_0
      if (digit < 0 || digit > 9) break
      number = number * 10 + digit
    }
    const digits = at - start
    if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && bytes[start] === DIGIT_0)) return undefined
    const text = digits > EXACT_DIGITS ? String.fromCharCode(...bytes.subarray(this.at, at)) : undefined
    this.at = at
    this.#skipSpace()
    if (text !== undefined) return BigInt(text)
    return isNegative ? -number : number
  }

  /**
   * Takes a text in which each byte is a character of its own, as it stands there: ASCII without escapes. Returns where its
   * closing quote is, the opening one being where `at` was; -1 for anything else.
   */
  plainText(): number {
    const bytes = this.#bytes
    if (bytes[this.at] !== QUOTE) return -1
    let end = this.at + 1
    while (PLAIN[bytes[end] ?? 0] === 1) end += 1
    if (bytes[end] !== QUOTE) return -1
    this.at = end + 1
    this.#skipSpace()
    return end
  }

  /** Whether nothing comes next. */
  isAtEnd(): boolean {
    return this.at === this.#bytes.length
  }

  /** Goes on behind what the caller has read by itself. */
  goTo(at: number): void {
    this.at = at
    this.#skipSpace()
  }

  #takesAll(word: Uint8Array): boolean {
    if (!isThere(this.#bytes, this.at, word)) return false
    this.goTo(this.at + word.length)
    return true
  }

  #skipSpace(): void {
    const bytes = this.#bytes
    let at = this.at
    // Nearly always there is none.
    while ((bytes[at] ?? LETTER_N) <= SPACE && WHITE_SPACE.has(bytes[at] ?? 0)) at += 1
    this.at = at
  }
}

/** A double holds every integer of so many digits; int64 has four more. */
const EXACT_DIGITS = 15
const MAX_DIGITS = 19

const NOTHING = new Uint8Array(0)
const NULL = Buffer.from('null')
const TRUE = Buffer.from('true')
const FALSE = Buffer.from('false')
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const MINUS = 0x2d
const DIGIT_0 = 0x30
const LETTER_N = 0x6e
const SPACE = 0x20
const WHITE_SPACE: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'))
const PLAIN = new Uint8Array(256).fill(1, SPACE, 0x7f)
PLAIN[QUOTE] = 0
PLAIN[BACKSLASH] = 0

function isThere(bytes: Uint8Array, start: number, word: Uint8Array): boolean {
  for (let at = 0; at < word.length; at += 1) if (bytes[start + at] !== word[at]) return false
  return true
}
