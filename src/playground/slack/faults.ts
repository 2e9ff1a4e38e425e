import type { Parts } from './parts.ts'

/**
 * How a call shall fail: Slack's own error, any text with status 200, a bare HTTP status, no answer, or a broken connection,
 * the last two after it was carried out if so said; or that it is carried out at once, and its answer comes late.
 */
export type Fault =
  | { readonly error: string; readonly times?: number }
  | { readonly text: string; readonly times?: number }
  | { readonly status: number; readonly retryAfterS?: number; readonly times?: number }
  | { readonly hang: true; readonly carriedOut?: boolean; readonly times?: number }
  | { readonly reset: true; readonly carriedOut?: boolean; readonly times?: number }
  | { readonly delayMs: number; readonly times?: number }

export function isSilent(fault: Fault): fault is Extract<Fault, { hang: true } | { reset: true }> {
  return 'hang' in fault || 'reset' in fault
}

export function standingFault(method: string, { down, refusePosts }: Parts['switches']): Fault | undefined {
  if (down) return { status: 503 }
  return refusePosts && method === 'chat.postMessage' ? { status: 429, retryAfterS: 5 } : undefined
}

/** Failures that a test or the page asked for, by Web API method; `response_url` and `upload` count as methods. */
export class Faults {
  readonly #planned = new Map<string, { readonly fault: Fault; left: number }>()

  /** The next `times` calls of `method` fail, one if not said. A later plan takes the place of an earlier one. */
  failNext(method: string, fault: Fault): void {
    this.#planned.set(method, { fault, left: fault.times ?? 1 })
  }

  take(method: string): Fault | undefined {
    const planned = this.#planned.get(method)
    if (planned === undefined || planned.left <= 0) return undefined
    planned.left -= 1
    return planned.fault
  }
}
