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
