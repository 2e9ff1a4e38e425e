import type { EndpointName } from '../../cdn/endpoints.ts'
import { faultById, faultByName, type Fault } from './fault.ts'

/** What goes wrong with which calls: set for an endpoint or for all, or asked for by the call itself. */
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

  /** What is set for a target, without using it up. */
  planned(target: EndpointName | 'all'): Fault | undefined {
    return this.#planned.get(target)?.fault
  }

  /** The fault for a call that has just arrived, using it up. One set for the endpoint comes before one for all. */
  take(endpoint: EndpointName): Fault | undefined {
    for (const target of [endpoint, 'all'] as const) {
      const planned = this.#planned.get(target)
      if (planned === undefined) continue
      planned.left -= 1
      if (planned.left <= 0) this.#planned.delete(target)
      return planned.fault
    }
    return undefined
  }
}

/** The parts of a call in which a person can ask for a fault by hand. */
export interface Askable {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
}

/** Ids of the world that stand in for an id that asked for a fault, so that the right answer can still be made. */
const STAND_INS: Readonly<Record<string, string>> = { id: '101', zoneId: '201', pullZoneId: '301', page: '1' }

/** The fault a call asks for by one of its ids or by its name, and the call as it is served. */
export function askedFault(call: Askable): { readonly fault: Fault | undefined; readonly call: Askable } {
  const params = { ...call.params }
  const query = new URLSearchParams(call.query)
  let fault = faultByName(nameIn(call.body))
  for (const [name, standIn] of Object.entries(STAND_INS)) {
    const given = params[name] ?? query.get(name)
    const asked = given !== null && /^\d{1,19}$/.test(given) ? faultById(BigInt(given)) : undefined
    if (asked === undefined) continue
    fault = asked
    if (name in params) params[name] = standIn
    else query.set(name, standIn)
  }
  return { fault, call: { params, query, body: call.body } }
}

function nameIn(body: unknown): string {
  const hasName = typeof body === 'object' && body !== null && 'Name' in body && typeof body.Name === 'string'
  return hasName ? String(body.Name) : ''
}
