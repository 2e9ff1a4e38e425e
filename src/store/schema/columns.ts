import * as z from 'zod'
import { type RawValues, RawValuesSchema } from '../../shared/raw-values.ts'

/** What columns hold, both ways: decoded when a row is read, encoded when it is written. Both engines hold the same bytes. */

/** An instant, kept as whole milliseconds since 1970. */
export const Instant = z.codec(z.int(), z.date(), {
  decode: (milliseconds) => new Date(milliseconds),
  encode: (date) => date.getTime(),
})

/** A column that may be NULL: absent outside the database. */
export function optional<Output, Input>(column: z.ZodType<Output, Input>): z.ZodType<Output | undefined, Input | null> {
  // By its default a record may leave it out; a row has every column, so its type is without that.
  const orNull = z.nullable(column).default(null) as unknown as z.ZodType<Output | null, Input | null>
  return z.codec(orNull, z.custom<Output | undefined>(), {
    decode: (value) => value ?? undefined,
    encode: (value) => (value === undefined ? null : value),
  })
}

/** JSON text. Text that is no JSON is an issue; writing more than `maxBytes` in UTF-8 throws a RangeError that names `what`. */
export function json(what: string, maxBytes: number): z.ZodType<unknown, string> {
  return z.codec(z.string(), z.unknown(), {
    decode(text, context): unknown {
      try {
        return JSON.parse(text)
      } catch {
        context.issues.push({ code: 'custom', message: 'Not JSON', input: text })
        return z.NEVER
      }
    },
    encode(value) {
      const text = JSON.stringify(value) ?? 'null'
      if (Buffer.byteLength(text) > maxBytes) throw new RangeError(`${what} is larger than ${maxBytes} bytes`)
      return text
    },
  })
}

export function values(what: string, maxBytes: number): z.ZodType<RawValues, string> {
  return json(what, maxBytes).pipe(RawValuesSchema)
}

/** Text that is written as `storable` gives it. */
export const Text = z.codec(z.string(), z.string(), { decode: (text) => text, encode: storable })

export const OptionalText = optional(Text)
export const OptionalInstant = optional(Instant)

/** Of a text that a person has typed about an alert, in UTF-16 units. */
const MAX_TYPED_CHARACTERS = 2_000

/** The same; writing throws RangeError when it is longer than 2,000 characters. */
export function typedText(what: string): z.ZodType<string, string> {
  return z.codec(z.string(), z.string(), {
    decode: (text) => text,
    encode(text) {
      if (text.length > MAX_TYPED_CHARACTERS)
        throw new RangeError(`${what} is longer than ${MAX_TYPED_CHARACTERS} characters`)
      return storable(text)
    },
  })
}

/**
 * Text as both engines can hold it and give it back unchanged: PostgreSQL takes no NUL, and half of a surrogate pair
 * does not survive UTF-8. A hash over anything else would not match after reading.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}')
}

type AbsentIn<Row> = { [Name in keyof Row]-?: undefined extends Row[Name] ? Name : never }[keyof Row]

/** A record as it is outside the database: what is NULL there may be left out. */
export type Stored<Schema extends z.ZodType, Row = z.output<Schema>> = Readonly<
  Omit<Row, AbsentIn<Row>> & { [Name in AbsentIn<Row>]?: Row[Name] }
>
