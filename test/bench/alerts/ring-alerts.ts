import { NONE, RingBuffers } from './ring-buffers.ts'

/** The rules, in the order in which they are looked at. */
export const RULES = ['log-silence', 'stale-share', 'error-share', 'traffic-anomaly', 'hit-ratio-drop'] as const
export const [SILENCE, STALE, ERRORS, ANOMALY, DROP] = [0, 1, 2, 3, 4] as const

/** Levels and severities. */
export const NO_DATA = 0
export const CLEAR = 1
export const BETWEEN = 2
export const WARNING = 3
export const CRITICAL = 4
/** Looks in a row that have to be bad, and how far apart these are. */
const TIMES = [1, 1, 6, 2, 2] as const
const APART = [1, 1, 1, 1, 5] as const
const CLEAR_FOR = [1, 15, 15, 15, 15] as const

/** Each alert of each zone: its level, its numbers, and the life of it. */
export class RingAlerts extends RingBuffers {
  readonly level: Uint8Array
  readonly firing: Uint8Array
  readonly numbers: Float64Array
  readonly run: Uint8Array
  readonly lookedAt: Int32Array
  readonly clearSince: Int32Array
  readonly milderSince: Int32Array
  readonly baseline: Float64Array
  readonly fast: Uint8Array

  constructor(zones: number) {
    super(zones)
    const alerts = zones * RULES.length
    this.level = new Uint8Array(alerts)
    this.firing = new Uint8Array(alerts)
    this.numbers = new Float64Array(alerts * 6)
    this.run = new Uint8Array(alerts)
    this.lookedAt = new Int32Array(alerts).fill(NONE)
    this.clearSince = new Int32Array(alerts).fill(NONE)
    this.milderSince = new Int32Array(alerts).fill(NONE)
    this.baseline = new Float64Array(alerts)
    this.fast = new Uint8Array(alerts)
  }

  /** The numbers of a level. */
  note(
    alert: number,
    value: number,
    sample: number,
    low: number,
    high: number,
    threshold: number,
    baseline: number,
  ): void {
    const at = alert * 6
    this.numbers[at] = value
    this.numbers[at + 1] = sample
    this.numbers[at + 2] = low
    this.numbers[at + 3] = high
    this.numbers[at + 4] = threshold
    this.numbers[at + 5] = baseline
  }

  /** One look in the life of an alert. */
  step(rule: number, zone: number, at: number, read: number, fast: boolean): void {
    const alert = zone * RULES.length + rule
    const twiceFast = fast && this.fast[alert] === 1
    this.fast[alert] = fast ? 1 : 0
    const severity = this.firing[alert]!
    const level = twiceFast || (fast && severity > 0) ? CRITICAL : read
    this.level[alert] = read
    if (severity > 0) {
      this.whileFiring(rule, alert, at, level, severity)
      return
    }
    if (level !== CLEAR && level < WARNING) return
    const since = at - this.lookedAt[alert]!
    const counts = this.lookedAt[alert] === NONE || since >= APART[rule]!
    if (level === CLEAR) {
      this.run[alert] = 0
      if (counts) this.lookedAt[alert] = at
      return
    }
    if (counts || this.run[alert] === 0) {
      this.run[alert]! += 1
      this.lookedAt[alert] = at
    }
    if (!twiceFast && this.run[alert]! < TIMES[rule]!) return
    this.firing[alert] = level
    this.baseline[alert] = this.numbers[alert * 6 + 5]!
    this.run[alert] = 0
    this.clearSince[alert] = NONE
    this.milderSince[alert] = NONE
  }

  whileFiring(rule: number, alert: number, at: number, level: number, severity: number): void {
    if (level === NO_DATA || level === BETWEEN) {
      if (this.clearSince[alert] !== NONE) this.clearSince[alert]! += 1
      if (this.milderSince[alert] !== NONE) this.milderSince[alert]! += 1
      return
    }
    if (level === CLEAR) {
      if (this.clearSince[alert] === NONE) this.clearSince[alert] = at
      if (this.milderSince[alert] === NONE) this.milderSince[alert] = at
      if (at - this.clearSince[alert]! < CLEAR_FOR[rule]!) return
      this.firing[alert] = 0
      this.lookedAt[alert] = NONE
      return
    }
    this.clearSince[alert] = NONE
    if (level >= severity) {
      this.firing[alert] = level
      this.milderSince[alert] = NONE
      return
    }
    if (this.milderSince[alert] === NONE) this.milderSince[alert] = at
    if (at - this.milderSince[alert]! < CLEAR_FOR[rule]!) return
    this.firing[alert] = level
    this.milderSince[alert] = NONE
  }
}
