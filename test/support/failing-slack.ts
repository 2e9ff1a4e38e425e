import type { SlackEmulator } from '../../src/playground/slack/emulator.ts'
import type { Answer, Parts } from '../../src/playground/slack/wire/parts.ts'

/**
 * How a call shall fail: Slack's own error, any text with status 200, a bare HTTP status, no answer, or a broken connection,
 * the last two after it was carried out if so said; or that it is carried out at once, and its answer comes late.
 */
export type Fault = (
  | { readonly error: string }
  | { readonly text: string }
  | { readonly status: number; readonly retryAfterS?: number }
  | { readonly hang: true; readonly carriedOut?: boolean }
  | { readonly reset: true; readonly carriedOut?: boolean }
  | { readonly delayMs: number }
) & { readonly times?: number }

interface Planned {
  readonly fault: Fault
  left: number
}

const PLANS = new WeakMap<Parts, Map<string, Planned>>()

/**
 * The next `times` calls of `method` fail, one if not said; `response_url` and `upload` count as methods. A later plan
 * takes the place of an earlier one.
 */
export function failNext({ parts }: Pick<SlackEmulator, 'parts'>, method: string, fault: Fault): void {
  const plans = PLANS.get(parts) ?? new Map<string, Planned>()
  PLANS.set(parts, plans.set(method, { fault, left: fault.times ?? 1 }))
  parts.hooks.around = (called, answer) => {
    const planned = plans.get(called)
    if (planned === undefined || planned.left <= 0) return undefined
    planned.left -= 1
    return failed(planned.fault, answer)
  }
}

function failed(fault: Fault, answer: () => Answer): Answer | 'hang' | 'reset' {
  if ('delayMs' in fault) return { ...answer(), delayMs: fault.delayMs }
  if ('text' in fault) return { status: 200, body: fault.text }
  if ('error' in fault) return { status: 200, body: { ok: false, error: fault.error } }
  if ('status' in fault) {
    const { status, retryAfterS } = fault
    return {
      status,
      ...(retryAfterS !== undefined && { headers: { 'retry-after': String(retryAfterS) } }),
      body: { ok: false, error: status === 429 ? 'ratelimited' : 'fatal_error' },
    }
  }
  if (fault.carriedOut === true) answer()
  return 'hang' in fault ? 'hang' : 'reset'
}
