import { MINUTE_MS } from '../shared/durations.ts'
import { graveness, isBad, type Level, type Reading, type Severity } from './reading.ts'

/** How long something has to be so before it is told, and before it is taken back. Times in milliseconds. */
export interface AlertTiming {
  /** It fires when it was bad in `times` of the last `of` looks that are `apartMs` apart, the newest included. */
  readonly times: number
  readonly of: number
  readonly apartMs: number
  /** It has to be clear for this long, looks that say nothing not counted: keep firing for. */
  readonly clearForMs: number
  /** How long the first message waits for what fires at the same time. None of it when `fast`. */
  readonly groupWaitMs: number
  /** How often a critical one is told again while it fires. */
  readonly reminderMs: number
}

export const GROUP_WAIT_MS = 30_000
export const REMINDER_MS = 4 * 3_600_000
/** So many beginnings within an hour are flapping: told once, and then held for half an hour. */
const FLAP_CYCLES = 3
const FLAP_WITHIN_MS = 3_600_000
export const FLAP_HELD_MS = 30 * 60_000
/** Two fast looks are successive when no more than this lies between them: a minute, and some slack. */
const FAST_WITHIN_MS = 90_000
/** Between two looks at most this counts as clear, or `apartMs` if that is more: nobody looked in the rest of it. */
const CLEAR_STEP_MS = 10 * 60_000
/** While something goes on, a look that is earlier than the one before by more than this: the clock was put back. */
const PUT_BACK_MS = 10 * 60_000

/** One look that said something about whether it is bad. */
export interface Look {
  /** When this level began, as far as looks are not `apartMs` apart. */
  readonly atMs: number
  readonly level: Level
}

/** Where the life of one alert stands. Times are milliseconds since 1970; it is kept as JSON. */
export interface AlertState {
  readonly phase: 'inactive' | 'pending' | 'firing'
  /** Since when it is in this phase. */
  readonly sinceMs: number
  /** When it was looked at last, whatever the look said. */
  readonly seenMs?: number | undefined
  /** The present one while it fires; a milder one is present once nothing graver was read for `clearForMs`. */
  readonly severity?: Severity | undefined
  /** While it fires, since when everything is clear. Moves on with each look that says nothing: that is a pause. */
  readonly clearSinceMs?: number | undefined
  /** While it fires, since when nothing as grave as `severity` was read. Moves on likewise. */
  readonly milderSinceMs?: number | undefined
  /** The last looks that were bad or clear, newest last, as many as the timing asks for. None while it fires. */
  readonly looks: readonly Look[]
  /** The newest look that was bad enough to be told without any wait. */
  readonly fastMs?: number | undefined
  /** What was usual when it began to fire. */
  readonly baseline?: number | undefined
  /** The worst value since it fires, in the unit of the kind. */
  readonly peak?: number | undefined
  /** When it became critical, or was told again since. */
  readonly remindedMs?: number | undefined
  /** When it began to fire, the last hour's worth. */
  readonly begins: readonly number[]
  /** Until when it is held because it flaps. */
  readonly heldUntilMs?: number | undefined
  /** The newest reading that was not `no data`, for whoever asks. */
  readonly last?: { readonly atMs: number; readonly reading: Reading } | undefined
}

/** What happened to an alert in one step. While it is held because it flaps, only `escalated` does. */
export type AlertEvent = 'fired' | 'escalated' | 'eased' | 'reminder' | 'flapping' | 'resolved'

export interface Stepped {
  readonly state: AlertState
  readonly event?: AlertEvent | undefined
}

export const INACTIVE: AlertState = { phase: 'inactive', sinceMs: 0, looks: [], begins: [] }

/**
 * One look in the life of an alert, at `nowMs`. A look that is not later than the one before changes nothing, unless the clock
 * was put back: far, or while nothing goes on. `no data` and `between` pause what runs: they neither fire nor clear, and the time up to them counts for
 * nothing.
 */
export function step(known: AlertState, reading: Reading, timing: AlertTiming, nowMs: number): Stepped {
  const state = putBack(known, nowMs)
  if (state === known && state.seenMs !== undefined && nowMs <= state.seenMs) return { state }
  const fast = reading.fast === true
  const twiceFast = fast && state.fastMs !== undefined && nowMs - state.fastMs <= FAST_WITHIN_MS
  const level = twiceFast || (fast && state.phase === 'firing') ? 'critical' : reading.level
  const look: Judged = { level, reading, nowMs, passedMs: nowMs - (state.seenMs ?? nowMs), twiceFast }
  const held = state.heldUntilMs !== undefined && nowMs < state.heldUntilMs
  const seen: AlertState = {
    ...state,
    seenMs: nowMs,
    fastMs: fast ? nowMs : undefined,
    begins: state.begins.filter((atMs) => nowMs - atMs < FLAP_WITHIN_MS),
    heldUntilMs: held ? state.heldUntilMs : undefined,
    last: reading.level === 'no data' && !fast ? state.last : { atMs: nowMs, reading },
  }
  const stepped = state.phase === 'firing' ? whileFiring(seen, look, timing) : whileQuiet(seen, look, timing)
  if (held) return stepped.event === 'escalated' ? stepped : { state: stepped.state }
  // The hold is over: what it kept back is told.
  const ended = state.heldUntilMs !== undefined && stepped.state.phase !== 'firing' && stepped.event === undefined
  return ended ? { state: { ...stepped.state, severity: undefined, peak: undefined }, event: 'resolved' } : stepped
}

interface Judged {
  readonly level: Level
  readonly reading: Reading
  readonly nowMs: number
  /** Since the look before. */
  readonly passedMs: number
  /** It was bad by its newest minute alone, for the second time. */
  readonly twiceFast: boolean
}

function whileQuiet(state: AlertState, look: Judged, timing: AlertTiming): Stepped {
  const looks = looksWith(state.looks, look.level, look.nowMs, timing)
  const bad = looks.filter(({ level }) => isBad(level)).length
  if (isBad(look.level) && (look.twiceFast || bad >= timing.times)) return begun(state, look.level, look)
  const phase = bad > 0 ? 'pending' : 'inactive'
  const sinceMs = phase === state.phase ? state.sinceMs : look.nowMs
  // Clear looks only tell bad ones apart.
  return { state: { ...state, phase, sinceMs, looks: bad > 0 ? looks : [] } }
}

/** Only a look that is bad or clear is noted. One that is bad after a clear one begins anew, so that it lasts as long as asked. */
function looksWith(looks: readonly Look[], level: Level, nowMs: number, { of, apartMs }: AlertTiming): readonly Look[] {
  const withinMs = of * Math.max(apartMs, MINUTE_MS)
  const last = looks.at(-1)
  if (last === undefined || nowMs - last.atMs >= withinMs) {
    return level === 'clear' || isBad(level) ? [{ atMs: nowMs, level }] : []
  }
  const recent = looks.filter(({ atMs }) => nowMs - atMs < withinMs)
  if (level !== 'clear' && !isBad(level)) return recent
  const newest = recent.at(-1)
  if (newest === undefined || nowMs - newest.atMs >= apartMs) return [...recent, { atMs: nowMs, level }].slice(-of)
  const begins = isBad(level) && !isBad(newest.level)
  return [...recent.slice(0, -1), { atMs: begins ? nowMs : newest.atMs, level }]
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
    looks: [],
    baseline: reading.facts.baseline,
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
  const { begins, seenMs, fastMs, last, heldUntilMs, severity, peak } = state
  const quiet: AlertState = { phase: 'inactive', sinceMs: nowMs, looks: [], begins, seenMs, fastMs, last }
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
    looks: state.looks.map(({ atMs, level }) => ({ atMs: atMs + byMs, level })),
    fastMs: later(state.fastMs, byMs),
    remindedMs: later(state.remindedMs, byMs),
    begins: state.begins.map((atMs) => atMs + byMs),
    heldUntilMs: later(state.heldUntilMs, byMs),
  }
}

function later(sinceMs: number | undefined, byMs: number): number | undefined {
  return sinceMs === undefined ? undefined : sinceMs + byMs
}

/** The worse of the worst value so far and this one. Which way is worse shows on which side of its threshold a bad value is. */
function worse(peak: number | undefined, { level, reading, twiceFast }: Judged): number | undefined {
  const { value, threshold } = reading.facts
  if (value === undefined || !Number.isFinite(value)) return peak
  if (peak === undefined) return value
  // A fast look is bad by another threshold than its facts name.
  const byThreshold = threshold !== undefined && !twiceFast && reading.level === level
  if (!byThreshold || value === threshold) return Math.abs(value) > Math.abs(peak) ? value : peak
  return value > threshold ? Math.max(peak, value) : Math.min(peak, value)
}
