import type { EdgeRequest } from './traffic.ts'

/** How lines come into a log: some time after their request, a few of them much later, and a few of them twice. */
export interface LogLag {
  /** What every line takes at least. */
  readonly leastMs: number
  /** The mean of what it takes on top, which is short for most and long for some. */
  readonly spreadMs: number
  /** The share of lines that take `lateMs` more, 0 to 1. */
  readonly lateShare: number
  readonly lateMs: number
  /** The share of lines that stand in the log a second time, with the same request id. */
  readonly twiceShare: number
}

/** About 20 s, 99 lines of 100 within a minute, as an edge log commonly is. */
export const USUAL_LOG_LAG: LogLag = {
  leastMs: 12_000,
  spreadMs: 8_000,
  lateShare: 0.005,
  lateMs: 240_000,
  twiceShare: 0.01,
}

/** Requests of one minute as far as the log shows them at a moment, in their order, doubles right behind each other. */
export function appearedBy(nowMs: number, requests: readonly EdgeRequest[], lag: LogLag): readonly EdgeRequest[] {
  return requests.flatMap((request) => {
    if (request.atMs + lagOf(request, lag) > nowMs) return []
    return fraction(request, TWICE_AT) < lag.twiceShare ? [request, request] : [request]
  })
}

/** Milliseconds from the request to its line: always the same for the same request. */
export function lagOf(
  request: Pick<EdgeRequest, 'requestId'>,
  { leastMs, spreadMs, lateShare, lateMs }: LogLag,
): number {
  const usual = leastMs - spreadMs * Math.log(1 - fraction(request, USUAL_AT))
  return Math.round(fraction(request, LATE_AT) < lateShare ? usual + lateMs : usual)
}

/** Where in a request id the digits stand that decide each thing; ids are random, 32 digits of 16. */
const USUAL_AT = 0
const LATE_AT = 8
const TWICE_AT = 16
const DIGITS = 8

/** From 0 up to but not 1. */
function fraction({ requestId }: Pick<EdgeRequest, 'requestId'>, at: number): number {
  return Number.parseInt(requestId.slice(at, at + DIGITS), 16) / 16 ** DIGITS
}
