import { describe, expect, it } from 'vitest'
import { missSurge } from '../../../src/alerts/kinds/miss-surge.ts'
import { readingOf, type Minutes } from '../../support/minute-lines.ts'

const USUAL: Minutes = { of: 240, hit: 180, miss: 20 }
/** Five minutes of 1,000 lines, so many of them misses. */
function five(miss: number, before: Minutes = USUAL): readonly Minutes[] {
  const each = Math.floor(miss / 5)
  const last = miss - 4 * each
  return [before, { of: 4, hit: 200 - each, miss: each }, { of: 1, hit: 200 - last, miss: last }]
}

describe('threshold', () => {
  it('warns from three times the usual misses on', () => {
    expect(readingOf(missSurge, five(299)).level).toBe('clear')
    expect(readingOf(missSurge, five(300)).level).toBe('warning')
  })

  it('is critical from six times on', () => {
    expect(readingOf(missSurge, five(599)).level).toBe('warning')
    expect(readingOf(missSurge, five(600)).level).toBe('critical')
  })

  it('wants ten points more of the lines, by the lower bound', () => {
    const parameters = { warning: 1 }
    expect(readingOf(missSurge, five(224), { parameters }).level).toBe('clear')
    expect(readingOf(missSurge, five(225), { parameters }).level).toBe('warning')
  })

  it('takes more traffic with the same share for no surge', () => {
    expect(readingOf(missSurge, [USUAL, { of: 5, hit: 1_800, miss: 200 }]).level).toBe('clear')
  })

  it('fires when it was so at two of three looks', () => {
    expect(missSurge.timing({})).toMatchObject({ times: 2, of: 3, apartMs: 60_000, clearForMs: 900_000 })
  })

  it('counts only where 95 % was read, and compares shares otherwise', () => {
    const half = (covered: number) => [USUAL, { of: 5, hit: 40, miss: 60, covered }]
    expect(readingOf(missSurge, half(0.95)).facts.sentence).toContain('3 times what is usual by number')
    expect(readingOf(missSurge, half(0.94)).facts.sentence).toContain('5.56 times what is usual by share')
  })
})

describe('window', () => {
  it('is five minutes', () => {
    expect(readingOf(missSurge, [USUAL, { of: 3, miss: 200 }, { of: 4, hit: 200 }, { of: 1, hit: 200 }]).level).toBe(
      'clear',
    )
    expect(readingOf(missSurge, [USUAL, { of: 3, miss: 200 }, { of: 2, hit: 200 }]).level).toBe('critical')
  })

  it('grows where traffic is low, to the newest 200 misses', () => {
    const { level, facts } = readingOf(missSurge, [
      { of: 240, hit: 9, miss: 1 },
      { of: 40, hit: 4, miss: 6 },
    ])
    expect(level).toBe('critical')
    expect(facts.sample).toBe(340)
  })
})

describe('minimum', () => {
  it('wants 200 misses', () => {
    const before = { of: 240, hit: 20 }
    expect(readingOf(missSurge, [before, { of: 1, miss: 199 }]).level).toBe('clear')
    expect(readingOf(missSurge, [before, { of: 1, miss: 200 }]).level).toBe('critical')
  })

  it('says nothing with fewer than fifty lines in an hour', () => {
    expect(readingOf(missSurge, [USUAL, { of: 59 }, { of: 1, hit: 49 }]).level).toBe('no data')
    expect(readingOf(missSurge, [USUAL, { of: 59 }, { of: 1, hit: 50 }]).level).toBe('clear')
  })
})

describe('hysteresis', () => {
  it('clears under one and a half times the share that was usual when it began', () => {
    const look = { firing: true, frozenBaseline: 0.25 }
    expect(readingOf(missSurge, five(375), look).level).toBe('between')
    expect(readingOf(missSurge, five(374), look).level).toBe('clear')
  })
})
