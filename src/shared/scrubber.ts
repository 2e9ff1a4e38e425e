import { type Form, formsOf } from './secret-forms.ts'

/** Secrets of the settings are few; a bound keeps a mistake from making every log line slow. */
const MAX_VALUES = 200
/** Shorter values would hide ordinary words. */
const MIN_LENGTH = 8
const MASK = '[secret]'

/**
 * The last gate before text leaves: replaces every registered secret value, also as JSON, addresses, base64 and
 * hexadecimal digits spell it, and what is left of one that was cut off behind its first characters.
 */
export class Scrubber {
  readonly #values = new Set<string>()
  #forms: readonly Form[] = []
  #longest = 0

  /** Throws RangeError when more than 200 values are registered. Values under 8 characters are left alone. */
  register(value: string): void {
    if (value.length < MIN_LENGTH || this.#values.has(value)) return
    if (this.#values.size >= MAX_VALUES) throw new RangeError(`More than ${MAX_VALUES} secrets to scrub`)
    this.#values.add(value)
    const known = new Set(this.#forms.map(({ text }) => text))
    this.#forms = [...this.#forms, ...formsOf(value).filter(({ text }) => !known.has(text))]
    this.#longest = Math.max(...this.#forms.map(({ text }) => text.length))
  }

  /** How many characters the longest spelling of a secret has: what is cut further apart cannot be one. */
  get longest(): number {
    return this.#longest
  }

  scrub(text: string): string {
    const spans = this.spans(text)
    if (spans.length === 0) return text
    let clean = ''
    let from = 0
    for (const { start, end } of spans) {
      clean += text.slice(from, start) + MASK
      from = end
    }
    return clean + text.slice(from)
  }

  /** Whether there is anything to replace. */
  finds(text: string): boolean {
    return this.#forms.some(({ head }) => text.includes(head))
  }

  /** Where secrets stand, in order; those that overlap are one. */
  spans(text: string): readonly Span[] {
    const found: Span[] = []
    for (const { text: form, head } of this.#forms) {
      for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, start + 1)) {
        let length = head.length
        while (length < form.length && text.charCodeAt(start + length) === form.charCodeAt(length)) length += 1
        found.push({ start, end: start + length })
      }
    }
    return merged(found)
  }
}

/** From `start` to before `end`, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

function merged(spans: readonly Span[]): readonly Span[] {
  const apart: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1)
    if (last === undefined || span.start >= last.end) apart.push(span)
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
  }
  return apart
}
