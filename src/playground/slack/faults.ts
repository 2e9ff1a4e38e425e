/** How a call shall fail: Slack's own error, a bare HTTP status, no answer at all, or a broken connection. */
export type Fault =
  | { readonly error: string; readonly times?: number }
  | { readonly status: number; readonly retryAfterS?: number; readonly times?: number }
  | { readonly hang: true; readonly times?: number }
  | { readonly reset: true; readonly times?: number }

/** Failures that a test or the page asked for, by Web API method; `response_url` and `upload` count as methods. */
export class Faults {
  readonly #planned = new Map<string, { readonly fault: Fault; left: number }>()

  /** The next `times` calls of `method` fail, one if not said. A later plan takes the place of an earlier one. */
  failNext(method: string, fault: Fault): void {
    this.#planned.set(method, { fault, left: fault.times ?? 1 })
  }

  /** The failure of this call, counting it. */
  take(method: string): Fault | undefined {
    const planned = this.#planned.get(method)
    if (planned === undefined || planned.left <= 0) return undefined
    planned.left -= 1
    return planned.fault
  }

  clear(): void {
    this.#planned.clear()
  }
}
