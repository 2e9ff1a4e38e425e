import * as z from 'zod'

/** What is wrong with how CDN Ops is set up, a sentence each. */
const Finding = z.object({
  /** Stays the same as long as the cause does: what was told of it once is not told again. */
  cause: z.string(),
  /** Whether something that is configured does not work because of it; else it is good to know. */
  stops: z.boolean(),
  happened: z.string(),
  remedy: z.string(),
})
export type Finding = Readonly<z.output<typeof Finding>>

export const Checked = z.object({
  check: z.string(),
  /** What was seen where nothing is wrong, or why it could not be looked at; without a full stop. */
  seen: z.string(),
  isUnknown: z.boolean(),
  findings: z.array(Finding).readonly(),
})
export type Checked = Readonly<z.output<typeof Checked>>

/** Looks whether everything that CDN Ops needs is there: Slack, the CDN, the store, the clock. Carried out above. */
export interface Doctor {
  /** Never throws but for the signal. `onCheck` is told which check comes next. */
  examine(signal: AbortSignal, onCheck?: (check: string) => void): Promise<readonly Checked[]>
}
