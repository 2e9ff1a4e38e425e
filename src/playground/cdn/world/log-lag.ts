import type { EdgeRequest } from './traffic.ts'

/** About 20 s, 99 lines of 100 within a minute, as an edge log commonly is. */
const LEAST_MS = 12_000
const SPREAD_MS = 8_000
const LATE_SHARE = 0.005
const LATE_MS = 240_000
const TWICE_SHARE = 0.01

/** Requests of one minute as far as the log shows them at a moment, in their order, doubles right behind each other. */
export function appearedBy(nowMs: number, requests: readonly EdgeRequest[]): readonly EdgeRequest[] {
  return requests.flatMap((request) => {
    if (request.atMs + lagOf(request) > nowMs) return []
    return fraction(request, TWICE_AT) < TWICE_SHARE ? [request, request] : [request]
  })
}

/** Milliseconds from the request to its line: always the same for the same request. */
export function lagOf(request: EdgeRequest): number {
  const usual = LEAST_MS - SPREAD_MS * Math.log(1 - fraction(request, USUAL_AT))
  return Math.round(fraction(request, LATE_AT) < LATE_SHARE ? usual + LATE_MS : usual)
}

/** Where in a request id the digits stand that decide each thing; ids are random, 32 digits of 16. */
const USUAL_AT = 0
const LATE_AT = 8
const TWICE_AT = 16
const DIGITS = 8

function fraction({ requestId }: EdgeRequest, at: number): number {
  return Number.parseInt(requestId.slice(at, at + DIGITS), 16) / 16 ** DIGITS
}
