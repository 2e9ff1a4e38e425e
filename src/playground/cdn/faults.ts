import type { EndpointName } from '../../cdn/contract/endpoints.ts'
import type { Clock } from '../../shared/clock.ts'
import type { WireAnswer } from './wire.ts'

/** A way in which the platform, or the network before it, can fail. */
export type Fault =
  /** An answer with another status and the error body of the interface. `retryAfter` is sent whatever it says. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'reset'; readonly carriedOut: boolean }
  | { readonly kind: 'hang'; readonly carriedOut: boolean }
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** What a test makes of the right answer, or of an empty one where nothing was carried out. */
  | {
      readonly kind: 'spoiled'
      readonly name: string
      readonly carriedOut: boolean
      readonly spoil: (answer: WireAnswer, clock: Clock, gone: AbortSignal) => WireAnswer
    }

/** Whether a write takes effect although it is answered wrongly or not at all. */
export function carriesOut(fault: Fault | undefined): boolean {
  return fault === undefined || fault.kind === 'slow' || (fault.kind !== 'status' && fault.carriedOut)
}

export class FaultPlan {
  readonly #planned = new Map<EndpointName | 'all', { readonly fault: Fault; left: number }>()

  /** Replaces what was set for the same target. Applies to the next `times` calls, or until cleared. */
  set(target: EndpointName | 'all', fault: Fault, { times = Number.POSITIVE_INFINITY }: { times?: number } = {}): void {
    this.#planned.set(target, { fault, left: times })
  }

  clear(target?: EndpointName | 'all'): void {
    if (target === undefined) this.#planned.clear()
    else this.#planned.delete(target)
  }

  planned(target: EndpointName | 'all'): Fault | undefined {
    return this.#planned.get(target)?.fault
  }

  /** The fault for a call that has just arrived, using it up. One set for the endpoint comes before one for all. */
  take(endpoint: EndpointName): Fault | undefined {
    const target = this.#planned.has(endpoint) ? endpoint : 'all'
    const planned = this.#planned.get(target)
    if (planned === undefined) return undefined
    planned.left -= 1
    if (planned.left <= 0) this.#planned.delete(target)
    return planned.fault
  }
}
