import { parse } from 'node:querystring'
import * as z from 'zod'
import { parseInstant } from '../../cdn/contract/dates.ts'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly body: object | undefined

  constructor(status: number, body: object | undefined) {
    super(`Refused with ${status}`)
    this.status = status
    this.body = body
  }
}

/** An error of the management interface. Its messages end in a stray carriage return, as real ones are seen to. */
export function refuseManagement(status: number, errorKey: string, field: string | null, message: string): Refusal {
  return new Refusal(status, { ErrorKey: errorKey, Field: field, Message: `${message}\r` })
}

export function invalidField(field: string, message: string): Refusal {
  return refuseManagement(400, 'validation_error', field, message)
}

/** An error of the logging interface; each status has its one code. */
export function refuseLogging(status: LoggingStatus, message: string, details?: readonly string[]): Refusal {
  const code = LOGGING_CODES[status]
  return new Refusal(status, { error: details === undefined ? { code, message } : { code, message, details } })
}

const LOGGING_CODES = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'logging_disabled',
  429: 'rate_limited',
  500: 'internal_error',
} as const
type LoggingStatus = keyof typeof LOGGING_CODES

export function refusedOnPurpose(base: 'management' | 'logging', status: number): Refusal {
  const isLogging = (code: number): code is LoggingStatus => base === 'logging' && code in LOGGING_CODES
  const message = 'Refused on purpose.'
  return isLogging(status) ? refuseLogging(status, message) : refuseManagement(status, `fault.${status}`, null, message)
}

function problemsOf({ issues }: z.ZodError) {
  return issues.flatMap((issue) => {
    const fields = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
    return fields.map((field) => ({ field, message: issue.message }))
  })
}

/**
 * Query parameters as strict schemas take them. An unknown or repeated one, which is a list, is refused too: the platform
 * would ignore it, but here it betrays a mistake of the caller.
 */
export const fieldsOf = (query: URLSearchParams): object => parse(query.toString())

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

/** What stands for a field that was not given, or given as null. */
export const or = <T>(type: z.ZodType<T>, otherwise: T) => type.nullish().transform((given) => given ?? otherwise)
