import * as z from 'zod'
import { Facts, SEVERITIES, Unit } from './reading.ts'
import { MAX_RUNBOOK_CHARACTERS } from './runbook.ts'

export const MAX_SAMPLE_LINES = 3
/** So many alerts of one incident are kept by themselves; the oldest that have ended make room. */
export const MAX_INCIDENT_ALERTS = 20
/** More than the evaluation ever writes; what is longer was not written by it. */
const [MAX_KEPT_POINTS, MAX_KEPT_SAMPLES] = [100, 20]

/** One alert within an incident: what fires, or fired, under one rule for one subject. Times in milliseconds since 1970. */
export const IncidentAlert = z.object({
  ruleId: z.string(),
  kind: z.string(),
  subject: z.string(),
  severity: z.enum(SEVERITIES),
  firedMs: z.number(),
  endedMs: z.number().optional(),
  /** As it was read last: the present numbers while it fires, those at the end afterwards. */
  facts: Facts,
  peak: z.number().optional(),
  unit: Unit.optional(),
  flapping: z.literal(true).optional(),
  runbook: z.string().max(MAX_RUNBOOK_CHARACTERS).optional(),
})
export type IncidentAlert = Readonly<z.output<typeof IncidentAlert>>

/** A line that shows what is wrong. Its text is foreign, its addresses are masked, and it has no client address. */
const SampleLine = z.object({
  atMs: z.number(),
  cacheStatus: z.string().optional(),
  statusCode: z.number().optional(),
  host: z.string().optional(),
  path: z.string().optional(),
  edgeLocation: z.string().optional(),
})
export type SampleLine = Readonly<z.output<typeof SampleLine>>

/** What the evaluation knows of an incident, kept as JSON: the message about it is made from this alone. */
const IncidentDoc = z.object({
  alerts: z.array(IncidentAlert).max(MAX_INCIDENT_ALERTS).readonly(),
  /** An event is told once and does not end; an incident does. */
  nature: z.enum(['incident', 'event']),
  /** 1 for the first time, one more each time it begins again within six hours of its end. */
  cycle: z.int().min(1),
  mention: z.string().optional(),
  /** Since when something of it is critical without a break. */
  criticalMs: z.number().optional(),
  asOfMs: z.number().optional(),
  /** When something was last told of it, if only in its thread. */
  toldMs: z.number().optional(),
  nagged: z.literal(true).optional(),
  samples: z.array(SampleLine).max(MAX_KEPT_SAMPLES).readonly(),
  /** What the chart shows: the value of the first alert over the last minutes, oldest first, at most 20 points. */
  trend: z
    .array(z.object({ atMs: z.number(), value: z.number() }))
    .max(MAX_KEPT_POINTS)
    .readonly(),
})
export type IncidentDoc = Readonly<z.output<typeof IncidentDoc>>

/** What the store keeps of an incident, as the evaluation wrote it. Throws `z.ZodError` for anything else: a bug. */
export function readIncidentDoc(doc: unknown): IncidentDoc {
  return IncidentDoc.parse(doc)
}

/** Later than this, an incident of the same subject is another one. */
export const SAME_INCIDENT_MS = 6 * 3_600_000
/** What waited longer is not told by itself any more: the one message shows the present state. */
export const STALE_POST_MS = 30 * 60_000
/** How long a critical one waits to be acknowledged before it is said once more. */
export const NAG_AFTER_MS = 15 * 60_000
