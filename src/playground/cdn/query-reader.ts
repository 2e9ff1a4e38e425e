import * as z from 'zod'
import { parseInstant } from '../../cdn/contract/dates.ts'
import { invalidField, refuseLogging } from './refusal.ts'

/**
 * Reads query parameters strictly. An unknown or repeated one is refused too: the platform would ignore it, but here it
 * betrays a mistake of the caller.
 */
function parseQuery<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams) {
  const given = [...new Set(query.keys())].map((name) => {
    const values = query.getAll(name)
    return [name, values.length === 1 ? values[0] : values]
  })
  const read = schema.safeParse(Object.fromEntries(given))
  const problems = (read.error?.issues ?? []).flatMap((issue) => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    return names.map((field) => ({ field, message: `${field} is not valid: ${issue.message}` }))
  })
  return { data: read.data, problems }
}

/** The management interface names the first thing wrong. */
export function readManagementQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: URLSearchParams,
): z.output<Schema> {
  const { data, problems } = parseQuery(schema, query)
  if (data !== undefined) return data
  throw invalidField(problems[0]?.field ?? '', problems[0]?.message ?? '')
}

export function readLoggingQuery<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const { data, problems } = parseQuery(schema, query)
  if (data !== undefined) return data
  const details = problems.map(({ message }) => message)
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
