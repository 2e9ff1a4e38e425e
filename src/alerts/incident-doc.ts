import * as z from 'zod'
import { type IncidentAlert, type IncidentDoc, MAX_INCIDENT_ALERTS } from './incident.ts'
import { type Facts, SEVERITIES, type Unit } from './reading.ts'
import { MAX_RUNBOOK_CHARACTERS } from './runbook.ts'

/** More than the evaluation ever writes; what is longer was not written by it. */
const MAX_SENTENCE_CHARACTERS = 4_000
const MAX_POINTS = 100
const MAX_SAMPLES = 20

const UNITS = [
  'share',
  'lines a minute',
  'minutes',
  'bytes',
  'files',
  'days',
  'keys',
] as const satisfies readonly Unit[]

/** The numbers behind a level with their words, as they are kept. */
export const NUMBERS_SHAPE = {
  sentence: z.string().max(MAX_SENTENCE_CHARACTERS),
  value: z.number().optional(),
  unit: z.enum(UNITS).optional(),
  sample: z.number().optional(),
  threshold: z.number().optional(),
  baseline: z.number().optional(),
  window: z.object({ fromMs: z.number(), untilMs: z.number() }).optional(),
  covered: z.number().optional(),
} as const
const FactsShape: z.ZodType<Facts> = z.object(NUMBERS_SHAPE)

/** One alert of an incident, as it is kept. */
export const IncidentAlertShape: z.ZodType<IncidentAlert> = z.object({
  ruleId: z.string(),
  kind: z.string(),
  subject: z.string(),
  severity: z.enum(SEVERITIES),
  firedMs: z.number(),
  endedMs: z.number().optional(),
  facts: FactsShape,
  peak: z.number().optional(),
  unit: z.enum(UNITS).optional(),
  flapping: z.literal(true).optional(),
  runbook: z.string().max(MAX_RUNBOOK_CHARACTERS).optional(),
})

const Doc: z.ZodType<IncidentDoc> = z.object({
  alerts: z.array(IncidentAlertShape).max(MAX_INCIDENT_ALERTS),
  nature: z.enum(['incident', 'event']),
  cycle: z.number().int().min(1),
  mention: z.string().optional(),
  criticalMs: z.number().optional(),
  asOfMs: z.number().optional(),
  toldMs: z.number().optional(),
  nagged: z.literal(true).optional(),
  samples: z
    .array(
      z.object({
        atMs: z.number(),
        cacheStatus: z.string().optional(),
        statusCode: z.number().optional(),
        host: z.string().optional(),
        path: z.string().optional(),
        edgeLocation: z.string().optional(),
      }),
    )
    .max(MAX_SAMPLES),
  trend: z.array(z.object({ atMs: z.number(), value: z.number() })).max(MAX_POINTS),
})

/** What the store keeps of an incident, as the evaluation wrote it. Throws `z.ZodError` for anything else: a bug. */
export function readIncidentDoc(doc: unknown): IncidentDoc {
  return Doc.parse(doc)
}
