import * as z from 'zod'
import { parseInstant } from '../../cdn/contract/dates.ts'
import { invalidField, refuseLogging } from './refusal.ts'

/**
 * Query parameters as strict schemas take them. An unknown or repeated one is refused too: the platform would ignore it,
 * but here it betrays a mistake of the caller.
 */
export function fieldsOf(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const names = [...new Set(query.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

function problemsOf({ issues }: z.ZodError) {
  return issues.flatMap((issue) => {
    const fields = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    return fields.map((field) => ({ field, message: issue.message }))
  })
}

/** Reads a body or a query, or throws the refusal the management interface gives: the first problem, by its field. */
export function readManagement<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const [first] = problemsOf(read.error)
  throw invalidField(first?.field ?? '', first?.message ?? '')
}

/** Reads a query, or throws the refusal the logging interface gives, with a detail for each thing wrong. */
export function readLogging<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const read = schema.safeParse(fieldsOf(query))
  if (read.success) return read.data
  const details = problemsOf(read.error).map(({ field, message }) => `${field} is not valid: ${message}`)
  throw refuseLogging(400, 'One or more query parameters are not valid.', details)
}

export const instant = z
  .string()
  .transform((text) => parseInstant(text))
  .refine((date) => date !== undefined, 'It must be a date-time.')

export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
