import * as z from 'zod'
import type { AlertStateRecord } from '../store/alert-records.ts'
import { Reading, SEVERITIES } from './reading.ts'
import { type AlertState, INACTIVE } from './step.ts'

/** More than any timing asks for. */
const MAX_LOOKS = 1_000
const StateShape: z.ZodType<AlertState> = z.object({
  phase: z.enum(['inactive', 'firing']),
  sinceMs: z.number(),
  seenMs: z.number().optional(),
  severity: z.enum(SEVERITIES).optional(),
  clearSinceMs: z.number().optional(),
  milderSinceMs: z.number().optional(),
  begun: z.object({ atMs: z.number(), reading: Reading }).optional(),
  peak: z.number().optional(),
  remindedMs: z.number().optional(),
  begins: z.array(z.number()).max(MAX_LOOKS),
  heldUntilMs: z.number().optional(),
  last: z.object({ atMs: z.number(), reading: Reading }).optional(),
})

/** Where the life of an alert stands, as `step` left it; at its beginning when there is no record. Throws `z.ZodError` for anything else: a bug. */
export function readAlertState(record: AlertStateRecord | undefined): AlertState {
  return record === undefined ? INACTIVE : StateShape.parse(record.state)
}

/** A reading without numbers that JSON cannot hold: what divides by nothing leaves a number out, and never stops the alert. */
export function storable({ level, facts, seen }: Reading): Reading {
  return { level, facts: withoutHoles(facts), seen: seen && withoutHoles(seen) }
}

function withoutHoles<T extends object>(numbers: T): T {
  if (Object.values(numbers).every((value) => typeof value !== 'number' || Number.isFinite(value))) return numbers
  const held = Object.entries(numbers).filter(([, value]) => typeof value !== 'number' || Number.isFinite(value))
  // Every number of theirs may be left out.
  return Object.fromEntries(held) as T
}
