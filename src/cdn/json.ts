import { type JsonShape, shapeOf } from './json-shape.ts'

/** Not JSON, or JSON that is not safe to walk. The message holds none of the text. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem'
}

const WHOLE = /^-?\d+$/
/** Whole numbers of 16 or more digits, and what looks like one inside of a string; of the longest their beginning. */
const LONG_INTEGERS = /-?\d{16,41}/g
/** The same behind the name of a field; and numbers there that are written in another way than integers are. */
const LONG_FIELDS = /"\s*:\s*(-?\d{16,41})/g
const FRACTION_FIELD = /"\s*:\s*-?\d+[.eE]/
/**
 * Twice the longest integer of the contract, since ids of 32 hexadecimal digits often have more than twenty decimal ones in
 * a row; and more than any page has of them. What goes beyond is digits in somebody's text.
 */
const MAX_EXACT_LENGTH = 40
const MAX_EXACT = 10_000

/**
 * Parses JSON without losing integers: those a double cannot hold arrive as bigint, all others as number. Whoever has
 * looked at its shape already gives it. Throws {@link JsonProblem} for text that is not JSON, is nested more than 32 deep,
 * or has over 100,000 values.
 */
export function parseJson(text: string, shape: JsonShape = shapeOf(Buffer.from(text))): unknown {
  if (shape.problem !== undefined) throw new JsonProblem(shape.problem)
  try {
    return shape.hasLongNumbers ? parseLossless(text, shape) : JSON.parse(text)
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

/**
 * A reviver makes parsing ten times slower. So as long as each double stands for one long integer of the text only, the
 * text is parsed as it is, and those doubles are replaced.
 */
function parseLossless(text: string, { hasFractions }: JsonShape): unknown {
  const exact = hasFractions ? undefined : exactIntegers(text, LONG_INTEGERS)
  return exact === undefined ? lossless.parse(text, keepInteger) : restored(JSON.parse(text), exact)
}

function keepInteger(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return source !== undefined && WHOLE.test(source) ? BigInt(source) : value
}

/**
 * What each double that is too large to be exact stands for; undefined when one of them stands for several integers, or
 * when finding out would cost more than a reviver: whoever visits a site can write any number of digits into its log.
 */
function exactIntegers(text: string, pattern: RegExp): ReadonlyMap<number, bigint> | undefined {
  const exact = new Map<number, bigint>()
  let last: string | undefined
  for (const match of text.matchAll(pattern)) {
    const digits = match.at(-1)
    if (digits === undefined || digits === last) continue
    last = digits
    if (digits.length > MAX_EXACT_LENGTH) return undefined
    const rounded = Number(digits)
    if (Number.isSafeInteger(rounded)) continue
    const integer = BigInt(digits)
    if ((exact.get(rounded) ?? integer) !== integer || exact.size === MAX_EXACT) return undefined
    exact.set(rounded, integer)
  }
  return exact
}

/**
 * The same of the fields of objects in a valid text, without a look at each byte before. What else there is of long integers,
 * in lists for instance, is not in it.
 */
export function exactFields(text: string): ReadonlyMap<number, bigint> | undefined {
  return FRACTION_FIELD.test(text) ? undefined : exactIntegers(text, LONG_FIELDS)
}

/** Replaces in place. Goes no deeper than the shape allows; `__proto__` is a field of its own in what the engine parsed. */
function restored(value: unknown, exact: ReadonlyMap<number, bigint>): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : (exact.get(value) ?? value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index]
      if (typeof item === 'object' || typeof item === 'number') value[index] = restored(item, exact)
    }
    return value
  }
  const fields = value as Record<string, unknown>
  for (const name of Object.keys(fields)) {
    const field = fields[name]
    if (typeof field === 'object' || (typeof field === 'number' && !Number.isSafeInteger(field))) {
      fields[name] = restored(field, exact)
    }
  }
  return value
}
