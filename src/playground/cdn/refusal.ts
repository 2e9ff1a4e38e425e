/** Thrown by whatever serves a call to answer it with an error of the interface it belongs to. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** Undefined for an answer without a body. */
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

/** A request body or parameter of the management interface that breaks a rule. */
export function invalidField(field: string, message: string): Refusal {
  return refuseManagement(400, 'validation_error', field, message)
}

/** An error of the logging interface; each status has its one code. */
export function refuseLogging(status: LoggingStatus, message: string, details?: readonly string[]): Refusal {
  const code = LOGGING_CODES[status]
  return new Refusal(status, { error: details === undefined ? { code, message } : { code, message, details } })
}

/** The codes the contract states for the logging interface. */
const LOGGING_CODES = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'logging_disabled',
  429: 'rate_limited',
  500: 'internal_error',
} as const
type LoggingStatus = keyof typeof LOGGING_CODES

/** Whether the contract has a code of the logging interface for this status. */
export function isLoggingStatus(status: number): status is LoggingStatus {
  return status in LOGGING_CODES
}
