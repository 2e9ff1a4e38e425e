import {
  ANOMALY,
  BETWEEN,
  CLEAR,
  CRITICAL,
  DROP,
  ERRORS,
  NO_DATA,
  RingAlerts,
  RULES,
  SILENCE,
  STALE,
  WARNING,
} from './ring-alerts.ts'
import { chanceOf, highOf, lowOf } from './ring-bounds.ts'
import { ANSWERED, C5XX, CACHEABLE, CODED, COVERED, LINES, MINUTE_MS, STALE_LINES, THROUGH } from './ring-buffers.ts'
import { deviationOf, medianOf, quantileOf, values } from './ring-ranks.ts'

const Z95 = 1.96

/** The five rules themselves. */
export class RingRules extends RingAlerts {
  /** Looks at all five rules, with the minutes before `at`. */
  look(zone: number, at: number): void {
    this.step(SILENCE, zone, at, this.silence(zone, at), false)
    const untrusted = this.firing[zone * RULES.length]! > 0
    const fast = untrusted ? 0 : this.fastLane(zone, at)
    this.step(STALE, zone, at, untrusted ? NO_DATA : this.stale(zone, at), fast === STALE)
    this.step(ERRORS, zone, at, untrusted ? NO_DATA : this.errors(zone, at), fast === ERRORS)
    this.step(ANOMALY, zone, at, untrusted ? NO_DATA : this.anomaly(zone, at), false)
    this.step(DROP, zone, at, untrusted ? NO_DATA : this.drop(zone, at), false)
  }

  silence(zone: number, at: number): number {
    const now = this.rate(zone, at, 5)
    if (Number.isNaN(now)) return NO_DATA
    const alert = zone * RULES.length + SILENCE
    const firing = this.firing[alert]! > 0
    const lines = this.sum(zone, LINES, at - 5, at)
    const usual = firing ? this.baseline[alert]! : this.median(this.rate10, zone, at - 10, 10, 24)
    if (firing && this.spoke(zone, at, usual * 0.3)) return CLEAR
    if (Number.isNaN(usual) || usual * 10 < 50) return NO_DATA
    const expected = (usual * this.sum(zone, COVERED, at - 5, at)) / MINUTE_MS
    const next = lines + 1
    const most = next * (1 - 1 / (9 * next) + Z95 / (3 * Math.sqrt(next))) ** 3
    const part = most / expected
    this.note(alert, now, lines, 0, 0, usual * 0.2, usual)
    if (part < 0.1 || this.isSilent(zone, at, 30)) return CRITICAL
    if (part < 0.2 || this.isSilent(zone, at, 10)) return WARNING
    return lines >= expected * 0.3 || !firing ? CLEAR : BETWEEN
  }

  isSilent(zone: number, at: number, minutes: number): boolean {
    return this.sum(zone, LINES, at - minutes, at) === 0 && !Number.isNaN(this.rate(zone, at, minutes))
  }

  spoke(zone: number, at: number, below: number): boolean {
    for (let end = at; end > at - 60; end -= 10) {
      if (this.sum(zone, LINES, end - 10, end) === 0 || this.rate(zone, end, 10) >= below) return false
    }
    return true
  }

  stale(zone: number, at: number): number {
    const alert = zone * RULES.length + STALE
    const firing = this.firing[alert]! > 0
    const window = this.grown(zone, at, 5, 200, CACHEABLE)
    const lines = this.sum(zone, CACHEABLE, at - window, at)
    const stale = this.sum(zone, STALE_LINES, at - window, at)
    if (lines < 200) return firing && stale === 0 && lines >= 20 ? CLEAR : NO_DATA
    const long = Math.max(30, window)
    const low = lowOf(stale / lines, lines)
    const all = this.sum(zone, CACHEABLE, at - long, at)
    const over = lowOf(this.sum(zone, STALE_LINES, at - long, at) / all, all)
    this.note(alert, stale / lines, lines, low, highOf(stale / lines, lines), 0.01, 0)
    if (stale >= 10 && low > 0.05 && over > 0.05) return CRITICAL
    if (stale >= 10 && low > 0.01 && over > 0.01) return WARNING
    return stale / lines < 0.005 || stale <= 2 || !firing ? CLEAR : BETWEEN
  }

  errors(zone: number, at: number): number {
    const alert = zone * RULES.length + ERRORS
    const firing = this.firing[alert]! > 0
    const window = this.grown(zone, at, 5, 200, CODED)
    const lines = this.sum(zone, CODED, at - window, at)
    const errors = this.sum(zone, C5XX, at - window, at)
    if (lines < 200) return firing && errors === 0 && lines >= 20 ? CLEAR : NO_DATA
    const low = lowOf(errors / lines, lines)
    this.note(alert, errors / lines, lines, low, highOf(errors / lines, lines), 0.05, 0)
    if (errors >= 20 && low > 0.2) return CRITICAL
    if (errors >= 20 && low > 0.05) return WARNING
    return errors / lines < 0.025 || errors <= 2 || !firing ? CLEAR : BETWEEN
  }

  /** Which of both rules the newest minute alone is bad for, if for any. */
  fastLane(zone: number, at: number): number {
    const stale = this.sum(zone, STALE_LINES, at - 1, at)
    const errors = this.sum(zone, C5XX, at - 1, at)
    const bad = stale + errors
    if (bad < 5) return 0
    const lines = Math.max(this.sum(zone, CACHEABLE, at - 1, at), this.sum(zone, LINES, at - 1, at))
    if (lowOf(Math.min(1, bad / lines), lines) <= 0.25) return 0
    return stale * 2 >= bad ? STALE : ERRORS
  }

  drop(zone: number, at: number): number {
    const alert = zone * RULES.length + DROP
    const firing = this.firing[alert]! > 0
    const window = this.grown(zone, at, 15, 500, THROUGH)
    const lines = this.sum(zone, THROUGH, at - window, at)
    if (lines < 500) return NO_DATA
    const ratio = this.sum(zone, ANSWERED, at - window, at) / lines
    const usual = firing ? this.baseline[alert]! : this.usualRatio(zone, at - window)
    if (Number.isNaN(usual)) return NO_DATA
    const high = highOf(ratio, lines)
    this.note(alert, ratio, lines, lowOf(ratio, lines), high, usual - 0.1, usual)
    if (high <= usual - 0.2) return CRITICAL
    if (high <= usual - 0.1) return WARNING
    return ratio >= usual - 0.05 || !firing ? CLEAR : BETWEEN
  }

  anomaly(zone: number, at: number): number {
    const alert = zone * RULES.length + ANOMALY
    const firing = this.firing[alert]! > 0
    const newest = this.rate(zone, at, 5)
    const read = this.sum(zone, COVERED, at - 240, at) / MINUTE_MS
    const mean = read > 0 ? this.sum(zone, LINES, at - 240, at) / read : 0
    const rate = Math.max(Number.isNaN(newest) ? 0 : newest, mean)
    const minutes = Math.max(5, Math.min(rate > 0 ? Math.ceil(220 / rate) : 30, 30))
    const now = this.rateOf(zone, at, minutes)
    const known = Number.isNaN(now) ? 0 : this.rates(zone, at, minutes)
    if (known < 8) return NO_DATA
    const usual = medianOf(known)
    const least = chanceOf(usual, minutes, this.sum(zone, COVERED, at - minutes, at) / MINUTE_MS)
    const spread = Math.max(deviationOf(known, usual), least)
    const z = spread > 0 ? (now - usual) / spread : 0
    const lines = this.sum(zone, LINES, at - minutes, at)
    if (Math.max(now, usual) * minutes <= 200) return firing && now > 0 && Math.abs(z) < 2 ? CLEAR : NO_DATA
    const seenHigh = now <= quantileOf(known, 0.9) * 1.1
    const seenLow = now >= quantileOf(known, 0.1) * 0.9
    const ago = this.ago(zone, at, minutes)
    const part = lines > 0 ? Z95 / Math.sqrt(lines) : 0
    this.note(alert, now, lines, now * (1 - part), now * (1 + part), usual * (now < usual ? 0.5 : 1.5), usual)
    const from = ago >= usual * 1.5 ? usual : ago
    const left = Number.isNaN(from) || from <= 0 || seenLow ? 1 : now / from
    const drop = left <= 0.6 ? CRITICAL : left <= 0.7 ? WARNING : 0
    const high = now >= usual * 1.5 && !seenHigh
    const low = now <= usual * 0.5 && !seenLow
    const compared = Number.isNaN(ago) ? usual : ago
    const begins = (high && now >= compared * 1.5) || (!high && low && now <= compared * 0.5)
    const far = begins ? (Math.abs(z) > 6 ? CRITICAL : Math.abs(z) > 3.5 ? WARNING : 0) : 0
    if (drop > 0 || far > 0) {
      const [fall, rise] = this.unlike(zone, at, minutes)
      if (Math.max(fall, rise) > 3.5) {
        const [fellBefore, roseBefore] = this.unlike(zone, at - minutes, minutes)
        const falls = fall > 6 || (fall > 3.5 && fellBefore > 3.5)
        const rises = rise > 6 || (rise > 3.5 && roseBefore > 3.5)
        const bad = Math.max(falls ? drop : 0, (high ? rises : falls) ? far : 0)
        if (bad > 0) return bad
      }
    }
    return Math.abs(z) < 2 || !firing ? CLEAR : BETWEEN
  }

  unlike(zone: number, at: number, minutes: number): readonly [fall: number, rise: number] {
    const now = this.rateOf(zone, at, minutes)
    const ago = this.ago(zone, at, minutes)
    if (Number.isNaN(now) || Number.isNaN(ago)) return [0, 0]
    const known = this.rates(zone, at, minutes)
    if (known < 8) return [0, 0]
    const rates = values.slice(0, known)
    const half = known >> 1
    const older = medianOf(half, known - half)
    const newer = medianOf(half)
    const trend = newer > 0 && older > 0 ? Math.log(newer / older) / ((known - half) * minutes) : 0
    const slope = Math.max(-0.004, Math.min(0.004, trend))
    for (let index = 1; index < known; index += 1) {
      values[index - 1] = Math.log(Math.max(rates[index]!, 1e-9) / Math.max(rates[index - 1]!, 1e-9))
    }
    medianOf(known - 1)
    const unrest = deviationOf(known - 1, 0) / Math.SQRT2
    const read = this.sum(zone, COVERED, at - minutes, at) / MINUTE_MS
    const of = Math.max(1, Math.round(25 / minutes))
    const minutesAgo = Math.max(20, 2 * minutes) + (minutes * (of - 1)) / 2
    const far = (expected: number): number => {
      const noise = Math.max(expected * unrest, chanceOf(expected, minutes, read))
      const unsure = noise * Math.sqrt(of <= 1 ? 2 : 1 + Math.PI / 2 / of)
      return unsure > 0 ? (now - expected) / unsure : 0
    }
    return [-far(ago * Math.exp(Math.min(0, slope) * minutesAgo)), far(ago * Math.exp(Math.max(0, slope) * minutesAgo))]
  }
}
