import * as z from 'zod'
import { Secret } from '../../shared/secret.ts'
import { formatInstant, parseInstant } from './dates.ts'

/**
 * The kinds of field the platform's answers and requests are made of. Answers are read leniently: a field may be
 * missing or null (`maybe`), and comes out as undefined either way. A field of another type makes an answer malformed.
 */

/** Ids and amounts are int64: none is larger. */
export const INT64_MAX = 9_223_372_036_854_775_807n
const INT64_MIN = -9_223_372_036_854_775_808n
/** Pages, ports and times to live are int32. */
export const INT32_MAX = 2_147_483_647
const INT32_MIN = -2_147_483_648

/** Lists in answers: far above anything the interface states, so that only nonsense is refused. */
export const MAX_LIST_ITEMS = 10_000

/** int64 as it arrives: small ones as numbers, large ones as bigint (see `json.ts`). */
export const sentInt64 = z.custom<number | bigint>(isInt64, 'must be a whole number of 64 bits')

/** int64 without loss: always a bigint afterwards. */
export const int64 = sentInt64.transform(BigInt)

function isInt64(value: unknown): boolean {
  return Number.isSafeInteger(value) || (typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX)
}

export const int32 = z.int().min(INT32_MIN).max(INT32_MAX)

/** A decimal number or double. An integer too long for a double arrives as bigint and is rounded, as a double would. */
export const decimal = z.union([z.number(), z.bigint()]).transform(Number)

export const text = z.string()
export const flag = z.boolean()
export const texts = z.array(z.string()).max(MAX_LIST_ITEMS).readonly()

/** A date-time in any form the platform writes; text that is no date becomes undefined rather than an error. */
export const instant = z.string().transform(parseInstant)

/** A key: held so that it cannot be printed by accident. */
export const secret = z.string().transform((value) => new Secret(value))

/** A field that may be missing or null, which is the same to us. */
export function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined)
}

const ID_RULE = 'An id is a whole number above 0 that fits into 64 bits.'

export const Int64Id = z.bigint(ID_RULE).min(1n, ID_RULE).max(INT64_MAX, ID_RULE)

export const idInPath = z.codec(z.string().regex(/^\d{1,19}$/), Int64Id, { decode: BigInt, encode: String })

/** A whole number in a query, between two bounds that the refusal names. */
export function int32InQuery(minimum: number, maximum: number) {
  const rule = `A whole number from ${minimum} to ${maximum} is needed.`
  const whole = z.int(rule).min(minimum, rule).max(maximum, rule)
  return z.codec(z.string().regex(/^-?\d{1,10}$/, rule), whole, { decode: Number, encode: String })
}

/** An amount of 64 bits in a query, zero included, without loss. */
export const int64InQuery = z.codec(z.string().regex(/^\d{1,19}$/), z.bigint().min(0n).max(INT64_MAX), {
  decode: BigInt,
  encode: String,
})

export const flagInQuery = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })

export const listInQuery = z.codec(z.string(), z.array(z.string().regex(/^[^,]+$/)).readonly(), {
  decode: (value) => value.split(','),
  encode: (values) => values.join(','),
})

/** A date-time in a query; always sent in UTC with `Z`. */
export const instantInQuery = z.codec(z.string(), z.date(), {
  decode(value, context) {
    const instant = parseInstant(value)
    if (instant !== undefined) return instant
    context.issues.push({ code: 'custom', message: 'must be a date-time', input: value })
    return z.NEVER
  },
  encode: formatInstant,
})
