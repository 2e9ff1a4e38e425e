import { describe, expect, it } from 'vitest'
import { logSilence } from '../../../src/alerts/kinds/log-silence.ts'
import { FIRST_MINUTE, readingOf, TRUSTED, type Minutes } from '../../support/minute-lines.ts'
import type { ReadFailure } from '../../../src/alerts/traffic-trust.ts'

const USUAL: Minutes = { of: 260, hit: 5 }
const SILENT = (of: number): Minutes => ({ of })

function failing(minutes: number, cause: ReadFailure = 'platform error') {
  const nowMs = (FIRST_MINUTE + 260) * 60_000 + TRUSTED.lagMs
  return { trust: { ...TRUSTED, failure: { cause, sinceMs: nowMs - minutes * 60_000 } } }
}

describe('threshold', () => {
  it('warns after ten minutes without a line', () => {
    const look = { parameters: { 'also-warning': 1, 'also-critical': 1 } }
    expect(readingOf(logSilence, [USUAL, SILENT(9)], look).level).toBe('clear')
    expect(readingOf(logSilence, [USUAL, SILENT(10)], look).level).toBe('warning')
  })

  it('is critical after thirty', () => {
    expect(readingOf(logSilence, [USUAL, SILENT(29)]).level).toBe('warning')
    expect(readingOf(logSilence, [USUAL, SILENT(30)]).level).toBe('critical')
  })

  it('warns where certainly less than 20 % of what is expected came in five minutes', () => {
    const five = (lines: number) => [{ of: 260, hit: 20 }, { of: 4 }, { of: 1, hit: lines }]
    expect(readingOf(logSilence, five(13)).level).toBe('clear')
    expect(readingOf(logSilence, five(12)).level).toBe('clear')
    expect(readingOf(logSilence, five(11)).level).toBe('warning')
  })

  it('is critical where that is less than 10 %', () => {
    const five = (lines: number) => [{ of: 260, hit: 20 }, { of: 4 }, { of: 1, hit: lines }]
    expect(readingOf(logSilence, five(4)).level).toBe('warning')
    expect(readingOf(logSilence, five(3)).level).toBe('critical')
  })

  it('reports why the log cannot be read, which is no silence, and is critical after thirty minutes', () => {
    expect(readingOf(logSilence, [USUAL], failing(9)).level).toBe('no data')
    expect(readingOf(logSilence, [USUAL], failing(10)).level).toBe('warning')
    expect(readingOf(logSilence, [USUAL], failing(29)).level).toBe('warning')
    expect(readingOf(logSilence, [USUAL], failing(30)).level).toBe('critical')
    expect(readingOf(logSilence, [USUAL], { ...failing(1), firing: true }).level).toBe('between')
    for (const [cause, words] of [
      ['logging off or no such zone', 'logging is off for this zone'],
      ['key refused or zone suspended', 'refuses the API key'],
      ['limited', 'limits how often'],
      ['platform error', 'answers with errors or not at all'],
    ] as const) {
      const { sentence } = readingOf(logSilence, [USUAL], failing(12, cause)).facts
      expect(sentence).toContain('The log could not be read for 12 minutes')
      expect(sentence).toContain(words)
      expect(sentence).toMatch(/This says nothing about the traffic\. Warning after 10 minutes, critical after 30\.$/)
    }
  })
})

describe('window', () => {
  it('is five minutes', () => {
    expect(readingOf(logSilence, [{ of: 260, hit: 100 }, SILENT(4)]).level).toBe('clear')
    expect(readingOf(logSilence, [{ of: 260, hit: 100 }, SILENT(5)]).level).toBe('critical')
  })

  it('takes time that was not read for no silence', () => {
    expect(readingOf(logSilence, [USUAL, { of: 60, covered: 0 }]).level).toBe('no data')
    expect(readingOf(logSilence, [USUAL, { of: 5, covered: 0 }, SILENT(5)]).level).toBe('warning')
    expect(readingOf(logSilence, [USUAL, { of: 7, covered: 0 }, SILENT(3)]).level).toBe('clear')
  })

  it('scales up what was sampled', () => {
    expect(
      readingOf(logSilence, [
        { of: 260, hit: 1_000, covered: 0.3 },
        { of: 5, hit: 600 },
      ]).facts.sentence,
    ).toContain('18% of the usual 3,333')
  })
})

describe('minimum', () => {
  it('wants fifty lines in ten minutes usually', () => {
    const usually = (lines: number) => [
      ...Array.from({ length: 26 }, () => [
        { of: 9, hit: 4 },
        { of: 1, hit: lines },
      ]).flat(),
      SILENT(10),
    ]
    expect(readingOf(logSilence, usually(13)).level).toBe('no data')
    expect(readingOf(logSilence, usually(14)).level).toBe('warning')
  })

  it('wants eight windows before', () => {
    expect(readingOf(logSilence, [{ ...USUAL, of: 70 }, SILENT(10)]).level).toBe('no data')
    expect(readingOf(logSilence, [{ ...USUAL, of: 80 }, SILENT(10)]).level).toBe('warning')
  })
})

describe('hysteresis', () => {
  it('clears from 30 % of what was usual when it began', () => {
    const five = (lines: number) => [{ of: 260, hit: 1 }, SILENT(30), { of: 4 }, { of: 1, hit: lines }]
    const look = { firing: true, frozenBaseline: 100 }
    expect(readingOf(logSilence, five(149), look).level).toBe('between')
    expect(readingOf(logSilence, five(150), look).level).toBe('clear')
  })

  it('takes what has come for an hour for usual', () => {
    const look = { firing: true, frozenBaseline: 100 }
    expect(readingOf(logSilence, [SILENT(120), { of: 50, hit: 25 }], look).level).toBe('between')
    expect(readingOf(logSilence, [SILENT(120), { of: 51, hit: 25 }], look).level).toBe('clear')
  })

  it('takes nothing of the hour before the silence for lines that have come since', () => {
    const look = { firing: true, frozenBaseline: 100 }
    expect(readingOf(logSilence, [{ of: 260, hit: 100 }, SILENT(6)], look).level).not.toBe('clear')
    expect(
      readingOf(
        logSilence,
        [
          { of: 260, hit: 100 },
          { of: 6, hit: 5 },
        ],
        look,
      ).level,
    ).not.toBe('clear')
  })

  it('is over for a zone too quiet to tell as soon as its log, which could not be read, can be', () => {
    const quiet: Minutes = { of: 300, hit: 0.05 }
    expect(readingOf(logSilence, [quiet], { firing: true }).level).toBe('clear')
    expect(readingOf(logSilence, [SILENT(20)], { firing: true }).level).toBe('clear')
    expect(readingOf(logSilence, [quiet]).level).toBe('no data')
    // A silence after ordinary traffic is measured by that.
    expect(readingOf(logSilence, [SILENT(300)], { firing: true, frozenBaseline: 100 }).level).toBe('critical')
    expect(readingOf(logSilence, [USUAL, { of: 5, covered: 0 }], { firing: true }).level).toBe('no data')
  })

  it('ends with the second good poll', () => {
    expect(logSilence.timing({})).toMatchObject({ times: 1, of: 1, clearForMs: 60_000 })
  })
})
