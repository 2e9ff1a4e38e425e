/** Secrets of the settings are few; a bound keeps a mistake from making every log line slow. */
const MAX_VALUES = 200
/** Shorter values would hide ordinary words. */
const MIN_LENGTH = 8

/** The last gate before a log line leaves: replaces every registered secret value, also as JSON and URL spell it. */
export class Scrubber {
  readonly #forms = new Set<string>()

  /** Throws RangeError when more than 200 values are registered. */
  register(value: string): void {
    if (value.length < MIN_LENGTH) return
    if (this.#forms.size >= MAX_VALUES) throw new RangeError(`More than ${MAX_VALUES} secrets to scrub`)
    for (const form of [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      Buffer.from(value).toString('base64'),
    ]) {
      this.#forms.add(form)
    }
  }

  scrub(text: string): string {
    let clean = text
    for (const form of this.#forms) clean = clean.replaceAll(form, '[secret]')
    return clean
  }
}
