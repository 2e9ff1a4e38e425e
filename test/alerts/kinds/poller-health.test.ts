import { describe, expect, it } from 'vitest'
import { pollerHealth } from '../../../src/alerts/kinds/poller-health.ts'
import type { TrafficTrust } from '../../../src/alerts/traffic-trust.ts'
import { readingOf, TRUSTED, type Minutes } from '../../support/minute-lines.ts'

const READ: readonly Minutes[] = [{ of: 30, hit: 10 }]
function level(trust: Partial<TrafficTrust>, firing = false, minutes = READ) {
  return readingOf(pollerHealth, minutes, { trust: { ...TRUSTED, ...trust }, firing }).level
}

describe('threshold', () => {
  it('warns when numbers are older than five minutes, by lag or by what was not read', () => {
    expect(level({ behindMinutes: 5 })).toBe('clear')
    expect(level({ behindMinutes: 6 })).toBe('warning')
    expect(level({ lagMs: 300_000 })).toBe('clear')
    expect(level({ lagMs: 300_001 })).toBe('warning')
  })

  it('is critical when they are older than fifteen', () => {
    expect(level({ behindMinutes: 15 })).toBe('warning')
    expect(level({ behindMinutes: 16 })).toBe('critical')
  })

  it('warns when less than 20 % was read', () => {
    expect(level({ covered: 0.2 })).toBe('clear')
    expect(level({ covered: 0.199 })).toBe('warning')
  })

  it('is information when more than 5 % of the polls were refused: what was read all the same can be trusted', () => {
    expect(level({ limited: 0.05 })).toBe('clear')
    expect(level({ limited: 0.051 })).toBe('info')
    expect(level({ limited: 0.051, behindMinutes: 6 })).toBe('warning')
  })

  it('says what is known of the cause, and what is lost', () => {
    const trust = {
      ...TRUSTED,
      behindMinutes: 7,
      failure: { cause: 'limited', sinceMs: 0 },
      gap: { fromMs: 0, untilMs: 1 },
    } as const
    const { sentence } = readingOf(pollerHealth, READ, { trust }).facts
    expect(sentence).toContain('The newest numbers are 7 minutes old')
    expect(sentence).toContain('Reading fails: limited.')
    expect(sentence).toContain('lost for good')
  })
})

describe('window', () => {
  it('judges the share only where the half hour was read from its beginning', () => {
    expect(
      level({ covered: 0.1 }, false, [
        { of: 10, covered: 0 },
        { of: 20, hit: 10 },
      ]),
    ).toBe('clear')
    expect(
      level({ covered: 0.1 }, false, [
        { of: 9, covered: 0 },
        { of: 21, hit: 10 },
      ]),
    ).toBe('warning')
  })
})

describe('minimum', () => {
  it('needs no lines: a zone without traffic is read as well', () => {
    expect(level({}, false, [{ of: 30 }])).toBe('clear')
    expect(level({ behindMinutes: 6 }, false, [])).toBe('warning')
  })
})

describe('hysteresis', () => {
  it('clears at four minutes, 25 % and half of the refusals', () => {
    expect(level({ behindMinutes: 5 }, true)).toBe('between')
    expect(level({ behindMinutes: 4 }, true)).toBe('clear')
    expect(level({ covered: 0.249 }, true)).toBe('between')
    expect(level({ covered: 0.25 }, true)).toBe('clear')
    expect(level({ limited: 0.026 }, true)).toBe('between')
    expect(level({ limited: 0.025 }, true)).toBe('clear')
  })

  it('ends with the third good poll', () => {
    expect(pollerHealth.timing({}).clearForMs).toBe(120_000)
  })
})
