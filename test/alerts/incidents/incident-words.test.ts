import { describe, expect, it } from 'vitest'
import { durationWords, quantity, subjectLabel } from '../../../src/alerts/incidents/incident-words.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NAMES: Readonly<Record<string, string>> = { 'pull/301': 'shop-web', 'storage/301': 'shop-files' }
const WORDS = { zoneName: (subject: string) => NAMES[subject] }

describe('the words of incidents', () => {
  it.each([
    [59_999, 'less than a minute'],
    [MINUTE_MS, '1 min'],
    [HOUR_MS - 1, '59 min'],
    [HOUR_MS, '1 h'],
    [3 * HOUR_MS + 12 * MINUTE_MS, '3 h 12 min'],
    [52 * HOUR_MS, '2 d 4 h'],
  ])('say how long %i ms are', (ms, words) => {
    expect(durationWords(ms)).toBe(words)
  })

  it.each([
    [0.341, 'share', '34 %'],
    [0.003_9, 'share', '0.39 %'],
    [1_250_000_000, 'bytes', '1.25 GB'],
    [1_200, 'lines a minute', '1,200 lines a minute'],
    [12, 'minutes', '12 min'],
    [Number.NaN, 'share', 'unknown'],
    [0.333, undefined, '0.33'],
  ] as const)('say a value of %d in its unit, %s', (value, unit, words) => {
    expect(quantity(value, unit)).toBe(words)
  })

  it.each([
    ['pull/301', 'shop-web (301)'],
    ['storage/301', 'shop-files (301)'],
    ['storage/55', 'storage zone 55'],
    ['storage/*', 'every storage zone with a name'],
    ['account', 'the account'],
  ])('call %s by its name with its id', (subject, label) => {
    expect(subjectLabel(subject, WORDS)).toBe(label)
  })
})
