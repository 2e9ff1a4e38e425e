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
  const startMs = minute * MINUTE_MS
  return Array.from({ length: MINUTE_MS / lengthMs }, (_, index) => ({
    fromMs: startMs + index * lengthMs,
    untilMs: startMs + (index + 1) * lengthMs,
  }))
}

/**
 * `amount` windows of a minute, spread by chance so that no rhythm within the minute is preferred, and the same for the
 * same seed so that a repetition reads the same. In order of time.
 */
export function sampleMinute(minute: number, lengthMs: number, amount: number, seed: string): readonly Span[] {
  const total = MINUTE_MS / lengthMs
  const chance = seededChance(`${seed}/${minute}`)
  const moved = new Map<number, number>()
  const chosen: number[] = []
  // The first steps of a shuffle, of which only what was moved is kept: a minute can have 60,000 windows.
  for (let index = 0; index < Math.min(amount, total); index += 1) {
    const other = index + Math.floor(chance() * (total - index))
    chosen.push(moved.get(other) ?? other)
    moved.set(other, moved.get(index) ?? index)
  }
  const startMs = minute * MINUTE_MS
  return chosen
    .toSorted((a, b) => a - b)
    .map((index) => ({ fromMs: startMs + index * lengthMs, untilMs: startMs + (index + 1) * lengthMs }))
}

/** A number from a text that is spread evenly over 32 bits (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Numbers from 0 to below 1, the same for the same seed (Mulberry32). */
function seededChance(seed: string): () => number {
  let state = hashOf(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
