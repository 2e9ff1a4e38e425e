import { MINUTE_MS } from '../shared/durations.ts'

/** Lengths into which a minute can be cut without a rest, in milliseconds, longest first. */
const LENGTHS_MS = [
  60_000, 30_000, 20_000, 15_000, 12_000, 10_000, 6_000, 5_000, 4_000, 3_000, 2_000, 1_000, 500, 250, 200, 100, 50, 20,
  10, 5, 2, 1,
] as const

/** A stretch of time in milliseconds since 1970; `untilMs` is excluded. */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

/** The longest length of which a minute is made whole and that is expected to hold at most `lines` lines; 1 ms at least. */
export function windowLength(perMinute: number, lines: number): number {
  return LENGTHS_MS.find((lengthMs) => (perMinute * lengthMs) / MINUTE_MS <= lines) ?? 1
}

/** A minute cut into windows of a length, in order. `lengthMs` is one that `windowLength` gave. */
export function cutMinute(minute: number, lengthMs: number): readonly Span[] {
  return Array.from({ length: MINUTE_MS / lengthMs }, (_, index) => windowAt(minute, lengthMs, index))
}

/**
 * `amount` windows of a minute, one from each of as many equal parts of it, by chance so that no rhythm within the minute is
 * preferred, and the same for the same seed so that a repetition reads the same. In order of time.
 */
export function sampleMinute(minute: number, lengthMs: number, amount: number, seed: string): readonly Span[] {
  const total = MINUTE_MS / lengthMs
  const parts = Math.min(amount, total)
  return Array.from({ length: parts }, (_, part) => {
    const first = Math.floor((part * total) / parts)
    const room = Math.floor(((part + 1) * total) / parts) - first
    return windowAt(minute, lengthMs, first + (hashOf(`${seed}/${minute}/${part}`) % room))
  })
}

function windowAt(minute: number, lengthMs: number, index: number): Span {
  const fromMs = minute * MINUTE_MS + index * lengthMs
  return { fromMs, untilMs: fromMs + lengthMs }
}

/** A number from a text that is spread evenly over 32 bits (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
