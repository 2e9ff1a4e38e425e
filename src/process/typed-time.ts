import * as z from 'zod'

const Time = z
  .union([z.iso.date(), z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })])
  .transform((text) => new Date(text))

/** A day, its beginning in UTC, or a time with its zone, as it is typed in a terminal; undefined for anything else. */
export function typedTime(text: string): Date | undefined {
  const time = Time.safeParse(text)
  return time.success ? time.data : undefined
}
