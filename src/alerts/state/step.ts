import * as z from 'zod'
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { AlertStateRecord } from '../../store/schema/alert-records.ts'
import { compareSeverity, isSevere, Reading, SEVERITIES, type Severity } from './reading.ts'

/** Times in milliseconds. */
export interface AlertTiming {
  /** It has to be clear for this long, looks that say nothing not counted: keep firing for. */
  readonly clearForMs: number
  /** From one look that says something to the next, where that is more than ten minutes: so much of it counts. */
  readonly apartMs?: number
}

/** How often a critical alert notifies again while it fires. */
const REMINDER_MS = 4 * HOUR_MS
/** So many beginnings within an hour are flapping: that notifies once, and nothing else for half an hour. */
const FLAP_CYCLES = 3
export const FLAP_HOLD_MS = 30 * MINUTE_MS
/** Between two looks at most this counts as clear, or `apartMs` if that is more: nobody looked in the rest of it. */
const CLEAR_STEP_MS = 10 * MINUTE_MS
/** While something goes on, a look that is earlier than the one before by more than this: the clock was put back. */
const PUT_BACK_MS = 10 * MINUTE_MS

/** Where the life of one alert stands. Times are milliseconds since 1970; it is kept as JSON. */
const AlertState = z.object({
  phase: z.enum(['inactive', 'firing']),
  sinceMs: z.number(),
  /** When it was looked at last, whatever the look said. */
  seenMs: z.number().optional(),
  /** The present one while it fires; a milder one is present once nothing as severe was read for `clearForMs`. */
  severity: z.enum(SEVERITIES).optional(),
  /** While it fires, since when everything is clear. Moves on with each look that says nothing: that is a pause. */
  clearSinceMs: z.number().optional(),
  /** While it fires, since when nothing as severe as `severity` was read. Moves on likewise. */
  milderSinceMs: z.number().optional(),
  begun: z.object({ atMs: z.number(), reading: Reading }).optional(),
  /** The worst value since it fires, in the unit of the kind. */
  peak: z.number().optional(),
  /** When it became critical, or notified again since. */
  remindedMs: z.number().optional(),
  /** When it began to fire, the last hour's worth. */
  begins: z.array(z.number()).readonly(),
  /** Until when notifications are held because it flaps. */
  heldUntilMs: z.number().optional(),
  /** The newest reading that was not `no data`, for whoever asks. */
  last: z.object({ atMs: z.number(), reading: Reading }).optional(),
})
export type AlertState = Readonly<z.output<typeof AlertState>>

/** What happened to an alert in one step. While it flaps, only `escalated` does. */
export type AlertEvent = 'fired' | 'escalated' | 'de-escalated' | 'reminder' | 'flapping' | 'resolved'

export interface Stepped {
  readonly state: AlertState
  readonly event?: AlertEvent | undefined
}

export const INACTIVE: AlertState = { phase: 'inactive', sinceMs: 0, begins: [] }

/** What `step` left in the store; at its beginning when there is no record. Throws `z.ZodError` for anything else: a bug. */
export function readAlertState(record: AlertStateRecord | undefined): AlertState {
  return record === undefined ? INACTIVE : AlertState.parse(record.state)
}

/**
 * One look in the life of an alert, at `nowMs`. A look that is not later than the one before changes nothing, unless the clock
 * was put back: far, or while nothing goes on. `no data` and `between` pause what runs: they neither fire nor clear, and the time up to them counts for
 * nothing.
 */
export function step(known: AlertState, reading: Reading, timing: AlertTiming, nowMs: number): Stepped {
  const state = followClock(known, nowMs)
  if (state === known && state.seenMs !== undefined && nowMs <= state.seenMs) return { state }
  const passedMs = nowMs - (state.seenMs ?? nowMs)
  const isHeld = state.heldUntilMs !== undefined && nowMs < state.heldUntilMs
  const seen: AlertState = {
    ...state,
    seenMs: nowMs,
    begins: state.begins.filter((atMs) => nowMs - atMs < HOUR_MS),
    heldUntilMs: isHeld ? state.heldUntilMs : undefined,
    last: reading.level === 'no data' ? state.last : { atMs: nowMs, reading },
  }
  const begun: Stepped = isSevere(reading.level) ? fire(seen, reading.level, reading, nowMs) : { state: seen }
  const stepped = state.phase === 'firing' ? stepFiring(seen, reading, timing, nowMs, passedMs) : begun
  const { event } = stepped
  if (isHeld) return event === 'escalated' ? stepped : { state: stepped.state }
  if (state.heldUntilMs === undefined) return stepped
  // The hold is over: what it kept back notifies now. What begins with this look has notified as flapping, and goes on.
  if (event === 'fired' || event === 'flapping') {
    const isMoreSevere = compareSeverity(stepped.state.severity, state.severity) > 0
    return { state: stepped.state, event: isMoreSevere ? 'escalated' : undefined }
  }
  if (stepped.state.phase === 'firing' || event !== undefined) return stepped
  return { state: { ...stepped.state, severity: undefined, peak: undefined }, event: 'resolved' }
}

function fire(state: AlertState, severity: Severity, reading: Reading, nowMs: number): Stepped {
  const { heldUntilMs } = state
  const begins = [...state.begins, nowMs].slice(-FLAP_CYCLES)
  const isFlapping = heldUntilMs === undefined && begins.length >= FLAP_CYCLES
  // What is held shows the severest of all its beginnings.
  const isMoreSevere = compareSeverity(severity, state.severity) > 0
  const firing: AlertState = {
    ...state,
    phase: 'firing',
    sinceMs: nowMs,
    severity: isMoreSevere ? severity : state.severity,
    clearSinceMs: undefined,
    milderSinceMs: isMoreSevere ? undefined : nowMs,
    begun: { atMs: nowMs, reading },
    peak: pickPeak(state, reading),
    remindedMs: nowMs,
    begins,
    heldUntilMs: isFlapping ? nowMs + FLAP_HOLD_MS : heldUntilMs,
  }
  if (heldUntilMs !== undefined) return { state: firing, event: isMoreSevere ? 'escalated' : undefined }
  return { state: firing, event: isFlapping ? 'flapping' : 'fired' }
}

/** `passedMs`: since the look before. */
function stepFiring(
  state: AlertState,
  reading: Reading,
  { apartMs = 0, clearForMs }: AlertTiming,
  nowMs: number,
  passedMs: number,
): Stepped {
  const { level } = reading
  const saysSomething = level === 'clear' || isSevere(level)
  // What nobody looked at, and what said nothing, is not counted: the beginnings move on by it.
  const idleMs = saysSomething ? Math.max(0, passedMs - Math.max(apartMs, CLEAR_STEP_MS)) : passedMs
  const clearSinceMs = shift(state.clearSinceMs, idleMs)
  const milderSinceMs = shift(state.milderSinceMs, idleMs)
  if (level === 'clear') {
    const since = clearSinceMs ?? nowMs
    if (nowMs - since >= clearForMs) return resolve(state, nowMs)
    return { state: { ...state, clearSinceMs: since, milderSinceMs: milderSinceMs ?? nowMs } }
  }
  if (!isSevere(level)) return remindWhenDue({ ...state, clearSinceMs, milderSinceMs }, nowMs)
  const firing: AlertState = { ...state, clearSinceMs: undefined, peak: pickPeak(state, reading) }
  const change = compareSeverity(level, state.severity)
  const now = { severity: level, milderSinceMs: undefined }
  if (change > 0) return { state: { ...firing, ...now, remindedMs: nowMs }, event: 'escalated' }
  if (change === 0) return remindWhenDue({ ...firing, ...now }, nowMs)
  const since = milderSinceMs ?? nowMs
  if (nowMs - since >= clearForMs) return { state: { ...firing, ...now }, event: 'de-escalated' }
  return remindWhenDue({ ...firing, milderSinceMs: since }, nowMs)
}

function remindWhenDue(state: AlertState, nowMs: number): Stepped {
  const isDue = state.severity === 'critical' && nowMs - (state.remindedMs ?? state.sinceMs) >= REMINDER_MS
  if (!isDue || state.clearSinceMs !== undefined) return { state }
  return { state: { ...state, remindedMs: nowMs }, event: 'reminder' }
}

function resolve(state: AlertState, nowMs: number): Stepped {
  const { begins, seenMs, last, heldUntilMs, severity, peak } = state
  const quiet: AlertState = { phase: 'inactive', sinceMs: nowMs, begins, seenMs, last }
  // While it is held it is shown as if it fired.
  return { state: heldUntilMs === undefined ? quiet : { ...quiet, heldUntilMs, severity, peak }, event: 'resolved' }
}

/**
 * The same with all its times as much earlier as the clock was put back. Of an alert that is inactive not every look is noted, so
 * by how much that was cannot be told from the last one.
 */
function followClock(state: AlertState, nowMs: number): AlertState {
  const byMs = nowMs - (state.seenMs ?? nowMs)
  if (byMs >= (state.phase === 'inactive' ? 0 : -PUT_BACK_MS)) return state
  return {
    ...state,
    sinceMs: state.sinceMs + byMs,
    seenMs: nowMs,
    clearSinceMs: shift(state.clearSinceMs, byMs),
    milderSinceMs: shift(state.milderSinceMs, byMs),
    begun: state.begun && { ...state.begun, atMs: state.begun.atMs + byMs },
    remindedMs: shift(state.remindedMs, byMs),
    begins: state.begins.map((atMs) => atMs + byMs),
    heldUntilMs: shift(state.heldUntilMs, byMs),
  }
}

function shift(sinceMs: number | undefined, byMs: number): number | undefined {
  return sinceMs === undefined ? undefined : sinceMs + byMs
}

/**
 * The worse of the worst value so far and this one, if it is in the unit of the one by which it began. Which way is worse shows
 * on which side of its threshold a bad value is.
 */
function pickPeak({ peak, begun }: AlertState, { facts: { value, threshold, unit } }: Reading): number | undefined {
  if (value === undefined || !Number.isFinite(value)) return peak
  if (peak === undefined) return value
  if (begun !== undefined && unit !== begun.reading.facts.unit) return peak
  if (threshold === undefined || value === threshold) return Math.abs(value) > Math.abs(peak) ? value : peak
  return value > threshold ? Math.max(peak, value) : Math.min(peak, value)
}
