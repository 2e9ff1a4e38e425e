/**
 * Deeper nesting parses, and then overflows the stack of whatever walks it. Slack's deepest payload, a view with formatted
 * text in it, has two thirds of this, and no answer of the platform needs five.
 */
export const MAX_JSON_DEPTH = 32
/**
 * Values of one text, counted by what separates them. A page of 2,000 log lines has half as many; a body of 8 MB has
 * room for millions, which take seconds and hundreds of megabytes to walk. Slack's largest, a view full of menus, has a fourth.
 */
export const MAX_JSON_VALUES = 100_000
/** Where a number that a double may not hold can begin: the shortest has 16 digits. Found in a text, it only costs time. */
const LONG_NUMBER = /(?:^|[\s:,[])-?\d{16}/
/** Of twice as many digits as int64 has at most: what is longer takes long to read, and is then refused by all. */
const WHOLE = /^-?\d{16,40}$/

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Not JSON, or JSON that is not safe to walk. The message holds none of the text. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem'
}

/** Looks at JSON before it is parsed. Throws {@link JsonProblem} where it is nested too deep or has too many values. */
export function checkJsonSize(bytes: Uint8Array): void {
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1
    } else if (byte === COMMA) {
      values += 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1
      values += 1
      if (depth > MAX_JSON_DEPTH) throw new JsonProblem(`JSON nested more than ${MAX_JSON_DEPTH} deep`)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1
    }
  }
  if (values > MAX_JSON_VALUES) throw new JsonProblem(`JSON of more than ${MAX_JSON_VALUES} values`)
}

/**
 * Parses JSON without losing integers: those a double cannot hold arrive as bigint, all others as number. Throws
 * {@link JsonProblem}.
 */
export function parseJson(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) ? lossless.parse(text, keepInteger) : JSON.parse(text)
  } catch {
    throw new JsonProblem('Not JSON')
  }
}

/** What a text of JSON says, or undefined where it is none. Integers that a double cannot hold are rounded. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes JSON in which a bigint is a plain number of any length. Undefined values are left out. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? lossless.rawJSON(String(item)) : item))
}

function keepInteger(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return source !== undefined && WHOLE.test(source) ? BigInt(source) : value
}

/** What the engine can do and TypeScript's library does not describe yet: source text in revivers, and raw JSON. */
interface LosslessJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

// The boundary to the engine: both parts are checked to be there by test/shared/json.test.ts.
const lossless = JSON as unknown as LosslessJson
