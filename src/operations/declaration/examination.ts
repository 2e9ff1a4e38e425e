/** What is wrong with how CDN Ops is set up, a sentence each. */
export interface Finding {
  /** Stays the same as long as the cause does: what was told of it once is not told again. */
  readonly cause: string
  /** Whether something that is configured does not work because of it; else it is good to know. */
  readonly stops: boolean
  readonly happened: string
  readonly remedy: string
}

export interface Checked {
  readonly check: string
  /** What was seen where nothing is wrong, or why it could not be looked at; without a full stop. */
  readonly seen: string
  readonly isUnknown: boolean
  readonly findings: readonly Finding[]
}

/** Looks whether everything that CDN Ops needs is there: Slack, the CDN, the store, the clock. Carried out above. */
export interface Doctor {
  /** Never throws but for the signal. `onCheck` is told which check comes next. */
  examine(signal: AbortSignal, onCheck?: (check: string) => void): Promise<readonly Checked[]>
}
