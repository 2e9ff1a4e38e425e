import * as z from 'zod'
import { MINUTE_MS } from '../shared/durations.ts'
import type { AlertStateRecord } from '../store/alert-records.ts'
import { graveness, isBad, type Level, Reading, SEVERITIES, type Severity } from './reading.ts'

/** How an alert goes on once a look was bad. Times in milliseconds. */
export interface AlertTiming {
  /** Between two looks that say something: so much of it counts. */
  readonly apartMs: number
  /** It has to be clear for this long, looks that say nothing not counted: keep firing for. */
  readonly clearForMs: number
  /** How often a critical one is told again while it fires. */
  readonly reminderMs: number
}

const REMINDER_MS = 4 * 3_600_000
/** So many beginnings within an hour are flapping: told once, and then held for half an hour. */
const FLAP_CYCLES = 3
const FLAP_WITHIN_MS = 3_600_000
export const FLAP_HELD_MS = 30 * 60_000
/** Between two looks at most this counts as clear, or `apartMs` if that is more: nobody looked in the rest of it. */
const CLEAR_STEP_MS = 10 * 60_000
/** While something goes on, a look that is earlier than the one before by more than this: the clock was put back. */
const PUT_BACK_MS = 10 * 60_000

/** The timing of a kind: minutes for which it has to be clear, and from one look that counts to the next. */
export function timingOf({ clearFor, apart = 1 }: { readonly clearFor: number; readonly apart?: number }): AlertTiming {
  return { apartMs: apart * MINUTE_MS, clearForMs: clearFor * MINUTE_MS, reminderMs: REMINDER_MS }
}

/** More beginnings than are ever kept. */
const MAX_BEGINS = 1_000

/** Where the life of one alert stands. Times are milliseconds since 1970; it is kept as JSON. */
const AlertState = z.object({
  phase: z.enum(['inactive', 'firing']),
  sinceMs: z.number(),
  /** When it was looked at last, whatever the look said. */
  seenMs: z.number().optional(),
  /** The present one while it fires; a milder one is present once nothing graver was read for `clearForMs`. */
  severity: z.enum(SEVERITIES).optional(),
  /** While it fires, since when everything is clear. Moves on with each look that says nothing: that is a pause. */
  clearSinceMs: z.number().optional(),
  /** While it fires, since when nothing as grave as `severity` was read. Moves on likewise. */
  milderSinceMs: z.number().optional(),
  /** The reading with which it began to fire. */
  begun: z.object({ atMs: z.number(), reading: Reading }).optional(),
  /** The worst value since it fires, in the unit of the kind. */
  peak: z.number().optional(),
  /** When it became critical, or was told again since. */
  remindedMs: z.number().optional(),
  /** When it began to fire, the last hour's worth. */
  begins: z.array(z.number()).max(MAX_BEGINS).readonly(),
  /** Until when it is held because it flaps. */
  heldUntilMs: z.number().optional(),
  /** The newest reading that was not `no data`, for whoever asks. */
  last: z.object({ atMs: z.number(), reading: Reading }).optional(),
})
export type AlertState = Readonly<z.output<typeof AlertState>>

/** What happened to an alert in one step. While it is held because it flaps, only `escalated` does. */
export type AlertEvent = 'fired' | 'escalated' | 'eased' | 'reminder' | 'flapping' | 'resolved'

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
  const state = putBack(known, nowMs)
  if (state === known && state.seenMs !== undefined && nowMs <= state.seenMs) return { state }
  const look: Judged = { level: reading.level, reading, nowMs, passedMs: nowMs - (state.seenMs ?? nowMs) }
  const held = state.heldUntilMs !== undefined && nowMs < state.heldUntilMs
  const seen: AlertState = {
    ...state,
    seenMs: nowMs,
    begins: state.begins.filter((atMs) => nowMs - atMs < FLAP_WITHIN_MS),
    heldUntilMs: held ? state.heldUntilMs : undefined,
    last: reading.level === 'no data' ? state.last : { atMs: nowMs, reading },
  }
  const stepped = state.phase === 'firing' ? whileFiring(seen, look, timing) : whileQuiet(seen, look)
  if (held) return stepped.event === 'escalated' ? stepped : { state: stepped.state }
  if (state.heldUntilMs === undefined) return stepped
  // The hold is over: what it kept back is told. What begins with this look was told to flap, and goes on.
  const again = stepped.event === 'fired' || stepped.event === 'flapping'
  const graver = graveness(stepped.state.severity) > graveness(state.severity)
  if (again) return { state: stepped.state, event: graver ? 'escalated' : undefined }
  const ended = stepped.state.phase !== 'firing' && stepped.event === undefined
  return ended ? { state: { ...stepped.state, severity: undefined, peak: undefined }, event: 'resolved' } : stepped
}

interface Judged {
  readonly level: Level
  readonly reading: Reading
  readonly nowMs: number
  /** Since the look before. */
  readonly passedMs: number
}

function whileQuiet(state: AlertState, look: Judged): Stepped {
  return isBad(look.level) ? begun(state, look.level, look) : { state }
}

function begun(state: AlertState, severity: Severity, look: Judged): Stepped {
  const { nowMs, reading } = look
  const begins = [...state.begins, nowMs].slice(-FLAP_CYCLES)
  const flapping = state.heldUntilMs === undefined && begins.length >= FLAP_CYCLES
  // What is held shows the gravest of all its beginnings.
  const graver = graveness(severity) > graveness(state.severity)
  const firing: AlertState = {
    ...state,
    phase: 'firing',
    sinceMs: nowMs,
    severity: graver ? severity : state.severity,
    clearSinceMs: undefined,
    milderSinceMs: graver ? undefined : nowMs,
    begun: { atMs: nowMs, reading },
    peak: worse(state.peak, look),
    remindedMs: nowMs,
    begins,
    heldUntilMs: flapping ? nowMs + FLAP_HELD_MS : state.heldUntilMs,
  }
  if (state.heldUntilMs !== undefined) return { state: firing, event: graver ? 'escalated' : undefined }
  return { state: firing, event: flapping ? 'flapping' : 'fired' }
}

function whileFiring(state: AlertState, look: Judged, timing: AlertTiming): Stepped {
  const { level, nowMs, passedMs } = look
  const counts = level === 'clear' || isBad(level)
  // What nobody looked at, and what said nothing, is not counted: the beginnings move on by it.
  const idleMs = counts ? Math.max(0, passedMs - Math.max(timing.apartMs, CLEAR_STEP_MS)) : passedMs
  const clearSinceMs = later(state.clearSinceMs, idleMs)
  const milderSinceMs = later(state.milderSinceMs, idleMs)
  if (level === 'clear') {
    const since = clearSinceMs ?? nowMs
    if (nowMs - since >= timing.clearForMs) return ended(state, nowMs)
    return { state: { ...state, clearSinceMs: since, milderSinceMs: milderSinceMs ?? nowMs } }
  }
  if (!isBad(level)) return reminded({ ...state, clearSinceMs, milderSinceMs }, timing, nowMs)
  const firing: AlertState = { ...state, clearSinceMs: undefined, peak: worse(state.peak, look) }
  const change = graveness(level) - graveness(state.severity)
  const now = { severity: level, milderSinceMs: undefined }
  if (change > 0) return { state: { ...firing, ...now, remindedMs: nowMs }, event: 'escalated' }
  if (change === 0) return reminded({ ...firing, ...now }, timing, nowMs)
  const since = milderSinceMs ?? nowMs
  if (nowMs - since >= timing.clearForMs) return { state: { ...firing, ...now }, event: 'eased' }
  return reminded({ ...firing, milderSinceMs: since }, timing, nowMs)
}

function reminded(state: AlertState, { reminderMs }: AlertTiming, nowMs: number): Stepped {
  const due = state.severity === 'critical' && nowMs - (state.remindedMs ?? state.sinceMs) >= reminderMs
  if (!due || state.clearSinceMs !== undefined || state.heldUntilMs !== undefined) return { state }
  return { state: { ...state, remindedMs: nowMs }, event: 'reminder' }
}

function ended(state: AlertState, nowMs: number): Stepped {
  const { begins, seenMs, last, heldUntilMs, severity, peak } = state
  const quiet: AlertState = { phase: 'inactive', sinceMs: nowMs, begins, seenMs, last }
  // While it is held it is shown as if it fired.
  return { state: heldUntilMs === undefined ? quiet : { ...quiet, heldUntilMs, severity, peak }, event: 'resolved' }
}

/**
 * The same with all its times as much earlier as the clock was put back. Of an alert that is inactive not every look is noted, so
 * by how much that was cannot be told from the last one.
 */
function putBack(state: AlertState, nowMs: number): AlertState {
  const byMs = nowMs - (state.seenMs ?? nowMs)
  if (byMs >= (state.phase === 'inactive' ? 0 : -PUT_BACK_MS)) return state
  return {
    ...state,
    sinceMs: state.sinceMs + byMs,
    seenMs: nowMs,
    clearSinceMs: later(state.clearSinceMs, byMs),
    milderSinceMs: later(state.milderSinceMs, byMs),
    begun: state.begun && { ...state.begun, atMs: state.begun.atMs + byMs },
    remindedMs: later(state.remindedMs, byMs),
    begins: state.begins.map((atMs) => atMs + byMs),
    heldUntilMs: later(state.heldUntilMs, byMs),
  }
}

function later(sinceMs: number | undefined, byMs: number): number | undefined {
  return sinceMs === undefined ? undefined : sinceMs + byMs
}

/** The worse of the worst value so far and this one. Which way is worse shows on which side of its threshold a bad value is. */
function worse(peak: number | undefined, { reading }: Judged): number | undefined {
  const { value, threshold } = reading.facts
  if (value === undefined || !Number.isFinite(value)) return peak
  if (peak === undefined) return value
  if (threshold === undefined || value === threshold) return Math.abs(value) > Math.abs(peak) ? value : peak
  return value > threshold ? Math.max(peak, value) : Math.min(peak, value)
}
