import { inspect } from 'node:util'

/** At least this many characters must stay hidden for the last four to be shown. */
const HIDDEN_AT_LEAST = 12
const SHOWN = 4

/**
 * A value that must not reach a log, a message or the store. Printed in any way it shows its redacted form: its last
 * four characters when at least twelve others stay hidden, else none of it.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The only way out: searching for `reveal` lists every place that handles the real value. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return redact(this.#value)
  }

  toJSON(): string {
    return redact(this.#value)
  }

  [inspect.custom](): string {
    return `Secret(${redact(this.#value)})`
  }
}

/** The form of a secret that may be shown: `…a1b2`, or `…` when it is too short to hide the rest. */
export function redact(value: string): string {
  return `…${value.slice(value.length - shownLength(value.length))}`
}

/** How many characters at the end of a secret of some length may be shown. */
export function shownLength(length: number): number {
  return length >= SHOWN + HIDDEN_AT_LEAST ? SHOWN : 0
}
