import * as z from 'zod'
import type { AlertStateRecord } from '../store/alert-records.ts'
import { NUMBERS_SHAPE } from './incident-doc.ts'
import { type Reading, type Seen, SEVERITIES } from './reading.ts'
import { type AlertState, INACTIVE } from './step.ts'

/** More than any timing asks for. */
const MAX_LOOKS = 1_000
const LevelShape = z.enum(['no data', 'clear', 'between', ...SEVERITIES])

const ReadingShape: z.ZodType<Reading> = z.object({
  level: LevelShape,
  fast: z.boolean().optional(),
  facts: z.object({ ...NUMBERS_SHAPE, sentence: NUMBERS_SHAPE.sentence.optional() }),
  seen: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
})

const StateShape: z.ZodType<AlertState> = z.object({
  phase: z.enum(['inactive', 'pending', 'firing']),
  sinceMs: z.number(),
  seenMs: z.number().optional(),
  severity: z.enum(SEVERITIES).optional(),
  clearSinceMs: z.number().optional(),
  milderSinceMs: z.number().optional(),
  looks: z.array(z.object({ atMs: z.number(), level: LevelShape })).max(MAX_LOOKS),
  fastMs: z.number().optional(),
  baseline: z.number().optional(),
  peak: z.number().optional(),
  remindedMs: z.number().optional(),
  begins: z.array(z.number()).max(MAX_LOOKS),
  heldUntilMs: z.number().optional(),
  last: z.object({ atMs: z.number(), reading: ReadingShape }).optional(),
})

/** Where the life of an alert stands, as `step` left it; at its beginning when there is no record. Throws `z.ZodError` for anything else: a bug. */
export function readAlertState(record: AlertStateRecord | undefined): AlertState {
  return record === undefined ? INACTIVE : StateShape.parse(record.state)
}

/** A reading without numbers that JSON cannot hold: what divides by nothing leaves a number out, and never stops the alert. */
export function storable(reading: Reading): Reading {
  const { facts, seen } = reading
  const { value, sample, threshold, baseline, covered, interval } = facts
  const isWhole =
    isHeld(value) && isHeld(sample) && isHeld(threshold) && isHeld(baseline) && isHeld(covered) && isSeen(seen)
  if (isWhole && (interval === undefined || interval.every(isHeld))) return reading
  return {
    ...reading,
    facts: {
      ...facts,
      value: isHeld(value) ? value : undefined,
      sample: isHeld(sample) ? sample : undefined,
      threshold: isHeld(threshold) ? threshold : undefined,
      baseline: isHeld(baseline) ? baseline : undefined,
      covered: isHeld(covered) ? covered : undefined,
      interval: interval?.every(isHeld) === true ? interval : undefined,
    },
    seen: seen && Object.fromEntries(Object.entries(seen).filter(([, each]) => isHeld(each))),
  }
}

function isSeen(seen: Seen | undefined): boolean {
  for (const name in seen) if (!isHeld(seen[name])) return false
  return true
}

function isHeld(value: number | string | undefined): boolean {
  return typeof value !== 'number' || Number.isFinite(value)
}
