import * as z from 'zod'
import type { AlertStateRecord } from '../store/alert-records.ts'
import { FactsShape } from './incident-doc.ts'
import { type Reading, SEVERITIES } from './reading.ts'
import { type AlertState, INACTIVE } from './step.ts'

/** More than any timing asks for. */
const MAX_LOOKS = 1_000
const LevelShape = z.enum(['no data', 'clear', 'between', ...SEVERITIES])

const ReadingShape: z.ZodType<Reading> = z.object({
  level: LevelShape,
  fast: z.boolean().exactOptional(),
  facts: FactsShape,
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
  const { facts } = reading
  const { window, interval } = facts
  const numbers = Object.fromEntries(
    (['value', 'sample', 'threshold', 'baseline', 'covered'] as const).flatMap((name) => {
      const number = facts[name]
      return number !== undefined && Number.isFinite(number) ? [[name, number]] : []
    }),
  )
  return {
    level: reading.level,
    ...(reading.fast === undefined ? {} : { fast: reading.fast }),
    facts: {
      sentence: facts.sentence,
      ...numbers,
      ...(facts.unit === undefined ? {} : { unit: facts.unit }),
      ...(interval?.every(Number.isFinite) === true ? { interval } : {}),
      ...(window === undefined ? {} : { window }),
    },
  }
}
