export class SlackError extends Error {
  override readonly name = 'SlackError'
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: string, details: Readonly<Record<string, unknown>> = {}) {
    super(code)
    this.code = code
    this.details = details
  }

  body(): Readonly<Record<string, unknown>> {
    return { ok: false, error: this.code, ...this.details }
  }
}
