import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutMinute, hashText, sampleMinute, pickWindowLength } from '../../../src/alerts/log/poll-plan.ts'

const MINUTE = 29_419_200
const START_MS = MINUTE * 60_000
const anyRate = fc.double({ min: 0, max: 1e8, noNaN: true })

it('cuts a minute into windows that make it up without a rest', () => {
  fc.assert(
    fc.property(anyRate, fc.integer({ min: 1, max: 10_000 }), (perMinute, lines) => {
      const windows = cutMinute(MINUTE, pickWindowLength(perMinute, lines))
      expect(windows[0]?.fromMs).toBe(START_MS)
      expect(windows.at(-1)?.untilMs).toBe(START_MS + 60_000)
      expect(windows.every(({ fromMs }, index) => index === 0 || windows[index - 1]?.untilMs === fromMs)).toBe(true)
    }),
  )
})

it('makes windows as long as they may be for the lines that are expected', () => {
  expect(pickWindowLength(8_000, 8_000)).toBe(60_000)
  expect(pickWindowLength(8_001, 8_000)).toBe(30_000)
  expect(pickWindowLength(100_000, 1_600)).toBe(500)
  expect(pickWindowLength(1e12, 1)).toBe(1)
})

it('samples whole windows of the minute, each once, in order, and the same ones for the same seed', () => {
  fc.assert(
    fc.property(anyRate, fc.integer({ min: 1, max: 60 }), fc.string(), (perMinute, amount, seed) => {
      const lengthMs = pickWindowLength(perMinute, 1_600)
      const all = new Set(cutMinute(MINUTE, lengthMs).map(({ fromMs }) => fromMs))
      const sample = sampleMinute(MINUTE, lengthMs, amount, seed)
      expect(sample).toHaveLength(Math.min(amount, all.size))
      expect(sample.every(({ fromMs, untilMs }) => all.has(fromMs) && untilMs === fromMs + lengthMs)).toBe(true)
      expect(sample.every(({ fromMs }, index) => index === 0 || (sample[index - 1]?.fromMs ?? 0) < fromMs)).toBe(true)
      expect(sampleMinute(MINUTE, lengthMs, amount, seed)).toEqual(sample)
    }),
  )
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

it('spreads numbered zones evenly', () => {
  const slots = Array.from({ length: 8 }, () => 0)
  for (let zone = 0; zone < 8_000; zone += 1)
    slots[hashText(`pull/${zone}`) % 8] = (slots[hashText(`pull/${zone}`) % 8] ?? 0) + 1
  expect(Math.min(...slots)).toBeGreaterThan(800)
})
