import * as z from 'zod'
import { MINUTE_MS } from '../../shared/durations.ts'
import type { IncidentRecord } from '../../store/schema/alert-records.ts'
import { compareSeverity, Facts, SEVERITIES, Unit } from './reading.ts'

/** Longer addresses are pasted by mistake: they carry a session or a whole search. */
export const MAX_RUNBOOK_CHARACTERS = 500
export const MAX_SAMPLE_LINES = 3
/** So many alerts of one incident are kept by themselves; what has ended, and is mildest, makes room. */
export const MAX_INCIDENT_ALERTS = 20
/** So many times that an incident was over and began again are known; the oldest make room. */
const MAX_PAST_CYCLES = 200
/** Of each of those times so many of its alerts. */
const MAX_PAST_ALERTS = 5

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
  /** What is wrong, or right again; the number that shows it; and what that compares with. Events have only a title. */
  title: z.string().optional(),
  number: z.string().optional(),
  beside: z.string().optional(),
  /** It ended with its rule: nobody knows whether it is over. */
  unwatched: z.literal(true).optional(),
  /** It ended because it is what is usual now. */
  lasted: z.literal(true).optional(),
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

/** Errors before all else, and of equals the newest first. */
export function sortSamples(lines: readonly SampleLine[]): readonly SampleLine[] {
  const isError = ({ statusCode = 0 }: SampleLine): number => Number(statusCode >= 500)
  return lines.toSorted((one, other) => isError(other) - isError(one) || other.atMs - one.atMs)
}

const Point = z.object({ atMs: z.number(), value: z.number() })
const PastCycle = z.object({
  fromMs: z.number(),
  untilMs: z.number(),
  alerts: z
    .array(IncidentAlert.pick({ ruleId: true, kind: true }))
    .max(MAX_PAST_ALERTS)
    .optional(),
})

/** What the evaluation knows of an incident, kept as JSON: the message about it is made from this alone. */
const IncidentDoc = z.object({
  alerts: z.array(IncidentAlert).max(MAX_INCIDENT_ALERTS).readonly(),
  /** An event is told once and does not end; an incident does. */
  nature: z.enum(['incident', 'event']),
  /** 1 for the first time, one more each time it begins again within six hours of its end. */
  cycle: z.int().min(1),
  /** When this time began, and from when to when it was open before that, oldest first. */
  begunMs: z.number().optional(),
  past: z.array(PastCycle).max(MAX_PAST_CYCLES).readonly().optional(),
  /** The worst of those times. */
  worst: IncidentAlert.optional(),
  mention: z.string().optional(),
  /** Until when it is silenced, as far as a look knows. */
  silencedUntilMs: z.number().optional(),
  /** Since when something of it is critical without a break. */
  criticalMs: z.number().optional(),
  asOfMs: z.number().optional(),
  /** When it notified last, if only in its thread. */
  toldMs: z.number().optional(),
  nagged: z.literal(true).optional(),
  /** Whoever is called next has been, since it began or its acknowledgement was taken back. */
  escalated: z.literal(true).optional(),
  samples: z.array(SampleLine).readonly(),
  /** What the chart shows: the value of the first alert over the last minutes, oldest first, at most 20 points. */
  trend: z.array(Point).readonly(),
})
export type IncidentDoc = Readonly<z.output<typeof IncidentDoc>>

/** What the store keeps of an incident, as the evaluation wrote it. Throws `z.ZodError` for anything else: a bug. */
export function readIncidentDoc(doc: unknown): IncidentDoc {
  return IncidentDoc.parse(doc)
}

export function listFiring({ doc }: Pick<IncidentRecord, 'doc'>): readonly IncidentAlert[] {
  return readIncidentDoc(doc).alerts.filter(({ endedMs }) => endedMs === undefined)
}

/** A stretch of time in milliseconds since 1970. It has no end while it lasts. */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number | undefined
  /** What fired then. */
  readonly alerts: readonly Pick<IncidentAlert, 'ruleId' | 'kind'>[]
}

/** When an incident was open, oldest first. Of a time of which no alerts were noted, those of the last one are taken. */
export function listSpans(
  { openedAt, endedAt }: Pick<IncidentRecord, 'openedAt' | 'endedAt'>,
  { alerts, begunMs, past = [] }: IncidentDoc,
): readonly Span[] {
  const last = { fromMs: begunMs ?? openedAt.getTime(), untilMs: endedAt?.getTime(), alerts }
  return [...past.map((span) => ({ ...span, alerts: span.alerts ?? alerts })), last]
}

/** What is kept of the times before, once an incident that was over begins again. */
export function keepPast(
  record: Pick<IncidentRecord, 'openedAt' | 'endedAt'>,
  doc: IncidentDoc,
): Pick<IncidentDoc, 'past' | 'worst'> {
  const past = listSpans(record, doc).flatMap(({ fromMs, untilMs, alerts }) => {
    const kept = alerts.slice(0, MAX_PAST_ALERTS).map(({ ruleId, kind }) => ({ ruleId, kind }))
    return untilMs === undefined ? [] : [{ fromMs, untilMs, alerts: kept }]
  })
  return { past: past.slice(-MAX_PAST_CYCLES), worst: findWorst(doc) }
}

/** The severest alert of all times; of several of the same kind the one whose worst value lies furthest. */
export function findWorst({ alerts, worst }: Pick<IncidentDoc, 'alerts' | 'worst'>): IncidentAlert | undefined {
  return alerts.reduce((one, other) => (one === undefined || isWorse(other, one) ? other : one), worst)
}

function isWorse(one: IncidentAlert, other: IncidentAlert): boolean {
  const more = compareSeverity(one.severity, other.severity)
  if (more !== 0 || one.kind !== other.kind) return more > 0
  const [{ peak: mine = 0, facts }, { peak: its = 0 }] = [one, other]
  // Which way is worse shows on which side of its threshold a bad value is.
  return mine < (facts.threshold ?? Number.NEGATIVE_INFINITY) ? mine < its : Math.abs(mine) > Math.abs(its)
}

/** What waited longer is not told as it was: the one message shows the present state, and so does what a webhook gets. */
export const STALE_POST_MS = 30 * MINUTE_MS
/** How long a critical one waits to be acknowledged before it notifies once more. */
export const UNACKNOWLEDGED_MS = 15 * MINUTE_MS

/** What is wrong with the address of a runbook; undefined when nothing is. Completes the sentence "Runbook …". */
export function runbookProblem(text: string): string | undefined {
  if (text.length > MAX_RUNBOOK_CHARACTERS)
    return `has ${text.length} characters; at most ${MAX_RUNBOOK_CHARACTERS} are allowed`
  if (/[^\x21-\x7e]/.test(text)) return 'holds white space, or letters beyond ASCII'
  const url = URL.parse(text)
  if (url === null || !/^https:\/\/[a-z0-9[]/i.test(text) || /[\\<>|]/.test(text))
    return 'is not an https address such as https://wiki.example.com/runbook'
  // A password alone would begin with a colon, which is refused above.
  return url.username === '' ? undefined : 'holds a user name or password: take it out'
}

/** The address as it is linked; undefined where there is none, or none that a message may link. */
export function runbookUrl(text: string | undefined): URL | undefined {
  return text === undefined || runbookProblem(text) !== undefined ? undefined : new URL(text)
}
