/** Why nothing new is known of a pull zone's traffic. None of these is "no traffic". */
export const READ_FAILURES = [
  'logging off or no such zone', // 404
  'key refused or zone suspended', // 401, 403
  'limited', // 429, or no slot of ours came free
  'platform error', // 5xx, unreachable, unreadable
] as const
export type ReadFailure = (typeof READ_FAILURES)[number]

/** How well the log of a pull zone is being read, as of one moment. Times are milliseconds since 1970. */
export interface TrafficTrust {
  /** Undefined while reading works. */
  readonly failure?: { readonly cause: ReadFailure; readonly sinceMs: number } | undefined
  /** How long after a request its line can be relied on to be there: what readings wait for. */
  readonly lagMs: number
  /** Minutes that should have been read by now and were not. */
  readonly behindMinutes: number
  /** Share of the last half hour that was read, 0 to 1. */
  readonly covered: number
  /** When lines were lost for good, because nobody read them before they were deleted. */
  readonly gap?: { readonly fromMs: number; readonly untilMs: number } | undefined
}
