import type { PlainJson } from './plain-json.ts'
import { MAX_LIST_ITEMS } from './wire-fields.ts'

/** So that a page of a thousand different lists is not compared with itself. */
const MAX_ALIKE = 8
/** Far above any list of roles there is. */
const MAX_BYTES = 4_096
/** The engine holds no more in a number without an object of its own. */
const HASH_BITS = 0x3fffffff
const NO_BYTES = Buffer.alloc(0)
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Where a list stands in the page, and what it is. */
interface Known {
  readonly start: number
  readonly end: number
  readonly hash: number
  readonly roles: readonly string[]
}

/** Keys by the thousand have a few lists of roles between them: each is made once, and frozen, as the schema does it. */
export class RoleLists {
  readonly #json: PlainJson
  #bytes: Buffer = NO_BYTES
  #known: Known[] = []

  constructor(json: PlainJson) {
    this.#json = json
  }

  /** Begins with another page, or with none. */
  begin(bytes: Buffer = NO_BYTES): void {
    this.#bytes = bytes
    this.#known = []
  }

  /**
   * The list that comes next, as the engine reads it; undefined where none does, or where not all of it is text. What may have
   * fields, and so keys, is never made into text: neither an object, nor a field that a list has by mistake.
   */
  next(): readonly string[] | undefined {
    const bytes = this.#bytes
    const { at: start } = this.#json
    if (bytes[start] !== OPEN_BRACKET) return undefined
    let hash = 0
    let end = start
    for (let byte = 0; byte !== CLOSE_BRACKET; end += 1) {
      byte = bytes[end] ?? OPEN_BRACE
      if (byte === OPEN_BRACE || byte === COLON) return undefined
      hash = (Math.imul(hash, 31) + byte) & HASH_BITS
    }
    this.#json.goTo(end)
    for (const known of this.#known) if (known.hash === hash && this.#isSame(known, start, end)) return known.roles
    const roles = end - start > MAX_BYTES ? undefined : rolesIn(bytes.toString('utf8', start, end))
    if (roles !== undefined && this.#known.length < MAX_ALIKE) this.#known.push(known(start, end, hash, roles))
    return roles
  }

  #isSame({ start: first, end: last }: Known, start: number, end: number): boolean {
    if (last - first !== end - start) return false
    for (let at = start; at < end; at += 1) if (this.#bytes[first + at - start] !== this.#bytes[at]) return false
    return true
  }
}

function rolesIn(text: string): readonly string[] | undefined {
  try {
    const roles = JSON.parse(text) as unknown[]
    return roles.length <= MAX_LIST_ITEMS && roles.every(isText) ? Object.freeze(roles) : undefined
  } catch {
    return undefined
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function known(start: number, end: number, hash: number, roles: readonly string[]): Known {
  return { start, end, hash, roles }
}
