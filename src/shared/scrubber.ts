/** Secrets of the settings are few; a bound keeps a mistake from making every log line slow. */
const MAX_VALUES = 200
/** Shorter values would hide ordinary words. */
const MIN_LENGTH = 8

/**
 * The last gate before a log line leaves: replaces every registered secret value, also as JSON, URLs, base64 and
 * hexadecimal digits spell it.
 */
export class Scrubber {
  readonly #values = new Set<string>()
  /** Longest first, so that no part of a secret is left because another is the beginning of it. */
  #forms: readonly string[] = []

  /** Throws RangeError when more than 200 values are registered. Values under 8 characters are left alone. */
  register(value: string): void {
    if (value.length < MIN_LENGTH || this.#values.has(value)) return
    if (this.#values.size >= MAX_VALUES) throw new RangeError(`More than ${MAX_VALUES} secrets to scrub`)
    this.#values.add(value)
    const forms = new Set([...this.#forms, ...spellings(value)])
    this.#forms = [...forms].toSorted((a, b) => b.length - a.length)
  }

  scrub(text: string): string {
    let clean = text
    for (const form of this.#forms) clean = clean.replaceAll(form, '[secret]')
    return clean
  }
}

function spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value)
  const inJson = JSON.stringify(value).slice(1, -1)
  return [
    value,
    inJson,
    // JSON that was put into a line of JSON as text.
    JSON.stringify(inJson).slice(1, -1),
    encodeURIComponent(value),
    // Without its padding, which is missing where more was encoded together with it.
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]
}
