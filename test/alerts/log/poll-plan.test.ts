import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cutMinute,
  hashText,
  isBusy,
  MAX_BEHIND_MINUTES,
  PAGE_LINES,
  PAGES_A_MINUTE,
  pickWindowLength,
  planPoll,
  planProbe,
  type PlannedRead,
  type PollNeeds,
  sampleMinute,
} from '../../../src/alerts/log/poll-plan.ts'

const READY = 29_419_200
const MINUTE_MS = 60_000
const anyRate = fc.double({ min: 0, max: 1e8, noNaN: true })

function plan(changes: Partial<PollNeeds> = {}): readonly PlannedRead[] {
  const usual = { readUntil: READY - 1, ready: READY, newest: READY + 2, perMinute: 10, seed: '301' }
  return planPoll({ ...usual, pages: PAGES_A_MINUTE, ...changes })
}

/** Ranges as minutes relative to the first that is not ready. */
function minutes(reads: readonly PlannedRead[]): readonly (readonly [number, number])[] {
  return reads.map(({ fromMs, untilMs }) => [fromMs / MINUTE_MS - READY, untilMs / MINUTE_MS - READY] as const)
}

describe('a quiet zone', () => {
  it('is read up to the newest minute with one page, 15 minutes back', () => {
    const reads = plan({ perMinute: 106 })
    expect(minutes(reads)).toEqual([[-13, 2]])
    expect(shape(reads)).toEqual(['1 × new -13: 900 s of 2000'])
  })

  it('is read as far back as fits into the page', () => {
    expect(minutes(plan({ perMinute: 160 }))).toEqual([[-8, 2]])
    expect(minutes(plan({ perMinute: 200 }))).toEqual([[-6, 2]])
  })

  it('catches up with an hour in one page when that fits', () => {
    expect(minutes(plan({ perMinute: 20, readUntil: READY - 60 }))).toEqual([[-60, 2]])
  })

  it('catches up in stretches that fit into pages otherwise, oldest first', () => {
    expect(shape(plan({ perMinute: 100, readUntil: READY - 50 }))).toEqual(
      [-50, -35, -20].map((from) => `1 × new ${from}: 900 s of 4000`).concat('1 × new -5: 300 s of 4000'),
    )
    expect(minutes(plan({ perMinute: 100, readUntil: READY - 45 }))).toEqual([
      [-45, -30],
      [-30, -15],
      [-15, 0],
    ])
  })
})

describe('a zone of which nothing is known', () => {
  it('is looked at with one page of one minute', () => {
    expect(shape(plan({ perMinute: undefined, readUntil: READY - 3 }))).toEqual(['1 × new -3: 60 s of 2000'])
  })

  it('is not looked at before a minute is ready', () => {
    expect(plan({ perMinute: undefined, readUntil: READY })).toEqual([])
    expect(plan({ perMinute: 10, readUntil: READY + 2 })).toEqual([])
  })
})

/** How many reads there are of which part, minute, seconds and lines. */
function shape(reads: readonly PlannedRead[]): readonly string[] {
  const kinds = Map.groupBy(reads, ({ part, fromMs, untilMs, maxEntries }) => {
    return `${part} ${Math.floor(fromMs / MINUTE_MS) - READY}: ${(untilMs - fromMs) / 1_000} s of ${maxEntries}`
  })
  return [...kinds].map(([kind, each]) => `${each.length} × ${kind}`)
}

describe('a busy zone', () => {
  it.each<[perMinute: number, behind: number, planned: readonly string[]]>([
    [201, 1, ['1 × new -1: 60 s of 4000', '1 × again -6: 60 s of 12000']],
    [801, 1, ['1 × new -1: 60 s of 12000', '1 × again -6: 60 s of 12000']],
    [2_000, 2, ['1 × new -2: 60 s of 12000', '1 × new -1: 60 s of 12000']],
    [8_000, 1, ['1 × new -1: 60 s of 12000', '1 × again -6: 60 s of 12000']],
    [8_001, 1, ['2 × new -1: 30 s of 12000', '2 × again -6: 30 s of 12000']],
    [17_142, 1, ['3 × new -1: 20 s of 12000', '3 × again -6: 20 s of 12000']],
    // Pages are left for one of the two only.
    [17_143, 1, ['3 × new -1: 20 s of 12000']],
    [32_000, 1, ['4 × new -1: 15 s of 12000']],
    // From here on parts of each minute are read.
    [40_000, 1, ['23 × new -1: 2 s of 2000']],
    [19_000, 2, ['11 × new -2: 5 s of 2000', '11 × new -1: 5 s of 2000']],
    [1e6, 1, ['23 × new -1: 0.05 s of 2000']],
  ])('with %i lines a minute, of which %i wait, is read so: %j', (perMinute, behind, planned) => {
    expect(shape(plan({ perMinute, readUntil: READY - behind }))).toEqual(planned)
  })

  it('has at least a window of each minute read that waits, the oldest first', () => {
    const reads = plan({ perMinute: 100_000, readUntil: READY - MAX_BEHIND_MINUTES })
    const all = Array.from({ length: MAX_BEHIND_MINUTES }, (_, index) => READY - MAX_BEHIND_MINUTES + index)
    expect(reads.map(({ fromMs }) => Math.floor(fromMs / MINUTE_MS))).toEqual(all)
  })

  it('is one as soon as eight of its minutes do not fit into a page', () => {
    expect([0, 200, 201, 1e6].map(isBusy)).toEqual([false, false, true, true])
  })
})

it('never plans more pages than there are, one for each minute that waits at least, and no line twice', () => {
  const needs = fc.record({
    perMinute: fc.double({ min: 0, max: 1e7, noNaN: true }),
    behind: fc.integer({ min: 0, max: MAX_BEHIND_MINUTES }),
    early: fc.integer({ min: 0, max: 10 }),
  })
  fc.assert(
    fc.property(needs, ({ perMinute, behind, early }) => {
      const reads = plan({ perMinute, readUntil: READY - behind, newest: READY + early })
      const expected = reads.map(({ fromMs, untilMs }) =>
        Math.max(1, Math.ceil((perMinute * (untilMs - fromMs)) / MINUTE_MS / PAGE_LINES)),
      )
      expect(expected.reduce((sum, pages) => sum + pages, 0)).toBeLessThanOrEqual(Math.max(PAGES_A_MINUTE, behind))
      const spans = reads.toSorted((a, b) => a.fromMs - b.fromMs)
      expect(spans.every(({ fromMs }, index) => index === 0 || (spans[index - 1]?.untilMs ?? 0) <= fromMs)).toBe(true)
    }),
  )
})

it('looks early at about half a page of the newest minute', () => {
  expect(planProbe(READY, 6_000)).toEqual({
    fromMs: READY * MINUTE_MS - 10_000,
    untilMs: READY * MINUTE_MS,
    maxEntries: PAGE_LINES,
    part: 'probe',
  })
})

it('cuts a minute into windows that make it up without a rest', () => {
  fc.assert(
    fc.property(anyRate, fc.integer({ min: 1, max: 10_000 }), (perMinute, lines) => {
      const windows = cutMinute(READY, pickWindowLength(perMinute, lines))
      expect(windows[0]?.fromMs).toBe(READY * MINUTE_MS)
      expect(windows.at(-1)?.untilMs).toBe(READY * MINUTE_MS + 60_000)
      expect(windows.every(({ fromMs }, index) => index === 0 || windows[index - 1]?.untilMs === fromMs)).toBe(true)
    }),
  )
})

it('samples whole windows of the minute, each once, in order, and the same ones for the same seed', () => {
  fc.assert(
    fc.property(anyRate, fc.integer({ min: 1, max: 60 }), fc.string(), (perMinute, amount, seed) => {
      const lengthMs = pickWindowLength(perMinute, 1_600)
      const all = new Set(cutMinute(READY, lengthMs).map(({ fromMs }) => fromMs))
      const sample = sampleMinute(READY, lengthMs, amount, seed)
      expect(sample).toHaveLength(Math.min(amount, all.size))
      expect(sample.every(({ fromMs, untilMs }) => all.has(fromMs) && untilMs === fromMs + lengthMs)).toBe(true)
      expect(sample.every(({ fromMs }, index) => index === 0 || (sample[index - 1]?.fromMs ?? 0) < fromMs)).toBe(true)
      expect(sampleMinute(READY, lengthMs, amount, seed)).toEqual(sample)
    }),
  )
})

it('spreads texts as FNV-1a does', () => {
  expect(['', 'a', 'foobar'].map(hashText)).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968])
})

it('prefers no part of the minute', () => {
  const hits = new Map<number, number>()
  for (let minute = 0; minute < 3_000; minute += 1) {
    for (const { fromMs } of sampleMinute(minute, 1_000, 20, 'zone')) {
      const second = (fromMs / 1_000) % 60
      hits.set(second, (hits.get(second) ?? 0) + 1)
    }
  }
  // 1,000 are expected of each; the standard deviation is 26.
  expect(hits.size).toBe(60)
  expect(Math.min(...hits.values())).toBeGreaterThan(870)
  expect(Math.max(...hits.values())).toBeLessThan(1_130)
})
