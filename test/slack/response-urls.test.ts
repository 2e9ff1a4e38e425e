import { describe, expect, it } from 'vitest'
import { ResponseUrls } from '../../src/slack/response-urls.ts'
import { ResponseUses, USES_PER_ADDRESS } from '../../src/slack/response-uses.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const MINUTE_MS = 60_000

describe('response addresses', () => {
  it('are found by their change until shortly before Slack forgets them', () => {
    const clock = new TurnedClock()
    const urls = new ResponseUrls(clock)
    urls.keep('c1', 'https://slack.test/1')
    expect(urls.find('c2')).toBeUndefined()
    clock.turn(29 * MINUTE_MS - 1)
    expect(urls.find('c1')).toBe('https://slack.test/1')
    clock.turn(1)
    expect(urls.find('c1')).toBeUndefined()
  })

  it('are kept for two thousand changes, the newest', () => {
    const urls = new ResponseUrls(new TurnedClock())
    for (let index = 0; index <= 2_000; index += 1) urls.keep(`c${index}`, `https://slack.test/${index}`)
    expect(urls.find('c0')).toBeUndefined()
    expect(urls.find('c1')).toBeDefined()
    expect(urls.find('c2000')).toBeDefined()
  })

  it('are used five times each and no more', () => {
    const uses = new ResponseUses()
    const spend = (url: string): readonly boolean[] => Array.from({ length: 6 }, () => uses.spend(url))
    expect(USES_PER_ADDRESS).toBe(5)
    expect(spend('a')).toEqual([true, true, true, true, true, false])
    expect(spend('b')).toEqual([true, true, true, true, true, false])
  })

  it('are counted for the two thousand that were used last for the first time', () => {
    const uses = new ResponseUses()
    for (let use = 0; use < 5; use += 1) uses.spend('first')
    for (let index = 0; index < 1_999; index += 1) uses.spend(`a${index}`)
    expect(uses.spend('first')).toBe(false)
    uses.spend('one more')
    expect(uses.spend('first')).toBe(true)
  })
})
