/** Deeper nesting parses, and then overflows the stack of whatever walks it. No answer of the platform needs five. */
export const MAX_JSON_DEPTH = 32
/**
 * Values of one text, counted by what separates them. A page of 2,000 log lines has half as many; a body of 8 MB has
 * room for millions, which take seconds and hundreds of megabytes to walk.
 */
export const MAX_JSON_VALUES = 100_000

/** Not JSON, or JSON that is not safe to walk. The message holds none of the text. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem'
}

/** A whole number of 16 or more digits where a value may stand: the shortest that a double may not hold. */
const LONG_INTEGER = /[[:,\s]-?\d{16}/
const WHOLE = /^-?\d+$/

/**
 * Parses JSON without losing integers: those a double cannot hold arrive as bigint, all others as number.
 * Throws {@link JsonProblem} for text that is not JSON, is nested more than 32 deep, or has over 100,000 values.
 */
export function parseJson(text: string): unknown {
  const problem = shapeProblem(text)
  if (problem !== undefined) throw new JsonProblem(problem)
  try {
    // A reviver makes parsing several times slower, so it runs only where a number could need it.
    return LONG_INTEGER.test(text) || WHOLE.test(text) ? lossless.parse(text, keepInteger) : JSON.parse(text)
  } catch {
    throw new JsonProblem('Not JSON')
  }
}

/** Writes JSON in which a bigint is a plain number of any length. Undefined values are left out. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? lossless.rawJSON(String(item)) : item))
}

/** What the engine can do and TypeScript's library does not describe yet: source text in revivers, and raw JSON. */
interface LosslessJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

// The boundary to the engine: both parts are checked to be there by test/cdn/json.test.ts.
const lossless = JSON as unknown as LosslessJson

function keepInteger(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return source !== undefined && WHOLE.test(source) ? BigInt(source) : value
}

function shapeProblem(text: string): string | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) values += 1
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1
      values += 1
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
    if (depth > MAX_JSON_DEPTH) return `JSON nested more than ${MAX_JSON_DEPTH} deep`
    if (values > MAX_JSON_VALUES) return `JSON of more than ${MAX_JSON_VALUES} values`
  }
  return undefined
}

/** Where the string that starts at `start` ends; the end of the text when it never does. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at >= 0) {
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
  return text.length
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
