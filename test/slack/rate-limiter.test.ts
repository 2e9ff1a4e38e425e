import { describe, expect, it } from 'vitest'
import { type RateLimiter, createRateLimiter } from '../../src/slack/rate-limiter.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

function gateWithClock() {
  const { log, lines } = recordingLog()
  const clock = new TurnedClock()
  return { limiter: createRateLimiter(clock, log), lines, clock }
}

const how = (limiter: RateLimiter, userId: string, channelId?: string): string => {
  const refusal = limiter.refuse({ userId, channelId })
  return refusal === undefined ? 'in' : (refusal.words?.text ?? 'silence')
}
const many = (times: number, ask: () => string): readonly string[] => Array.from({ length: times }, ask)

const NEXT =
  'This was not started. Wait a few seconds and ask again. If it goes on, you are not told again for a minute.'
const TOLD = {
  person: `You ask faster than CDN Ops answers one person, which is 120 times a minute. ${NEXT}`,
  channel: `This channel asks faster than CDN Ops answers one channel, which is 480 times a minute. ${NEXT}`,
  all: `More is asked of CDN Ops at once than it can answer. ${NEXT}`,
}

describe('a limit', () => {
  const typed = (limiter: RateLimiter): string => (limiter.admitsTyping('UOLGA') ? 'in' : 'typing')
  it.each([
    {
      limit: 'of a person',
      burst: 120,
      in10s: 20,
      ask: (limiter: RateLimiter) => how(limiter, 'UOLGA', 'C1'),
      told: TOLD.person,
    },
    {
      limit: 'of a channel',
      burst: 480,
      in10s: 80,
      ask: (limiter: RateLimiter, n: number) => how(limiter, `U${n}`, 'C1'),
      told: TOLD.channel,
    },
    {
      limit: 'of all',
      burst: 2_400,
      in10s: 400,
      ask: (limiter: RateLimiter, n: number) => how(limiter, `U${n}`, `C${n}`),
      told: TOLD.all,
    },
    { limit: 'of typing into menus', burst: 240, in10s: 40, ask: typed, told: 'typing' },
  ])('$limit lets in $burst at once, and $in10s in ten seconds from then on', ({ burst, in10s, ask, told }) => {
    const { limiter, clock } = gateWithClock()
    let asked = 0
    const answers = (times: number) => many(times, () => ask(limiter, (asked += 1)))
    const admitted = (given: readonly string[]) => given.filter((answer) => answer === 'in').length
    expect(answers(9)).toEqual(many(9, () => 'in'))
    clock.turn(10_000)
    const first = answers(burst + 9)
    expect([admitted(first), first[burst]]).toEqual([burst, told])
    clock.turn(10_000)
    expect(admitted(answers(burst))).toBe(in10s)
  })

  it('is told once a minute to whom it concerns, and logged', () => {
    const { limiter, lines, clock } = gateWithClock()
    expect(many(131, () => how(limiter, 'UOLGA')).slice(119)).toEqual(['in', TOLD.person, ...many(10, () => 'silence')])
    clock.turn(59_999)
    expect(many(121, () => how(limiter, 'UOLGA')).at(-1)).toBe('silence')
    clock.turn(1)
    expect(many(2, () => how(limiter, 'UOLGA'))).toEqual(['in', TOLD.person])
    const logged = { level: 'warn', sentence: 'rate limited', fields: { user: 'UOLGA', limit: 'person' } }
    expect(lines).toEqual([logged, logged])
  })

  it('of one person or channel takes nothing from others', () => {
    const { limiter } = gateWithClock()
    many(10_000, () => how(limiter, 'UOLGA', 'C1'))
    expect(many(120, () => how(limiter, 'UVERA', 'C1'))).not.toContain('silence')
    Array.from({ length: 480 }, (_, index) => how(limiter, `U${index}`, 'C1'))
    expect([how(limiter, 'UOTTO', 'C2'), limiter.admitsTyping('UOLGA')]).toEqual(['in', true])
    for (let letter = 0; letter < 240; letter += 1) limiter.admitsTyping('UADA')
    expect(how(limiter, 'UADA')).toBe('in')
  })

  it('is remembered of so many', () => {
    const { limiter } = gateWithClock()
    for (let index = 0; index < 240; index += 1) limiter.admitsTyping('UOLGA')
    for (let index = 0; index < 4_999; index += 1) limiter.admitsTyping(`U${index}`)
    expect(limiter.admitsTyping('UOLGA')).toBe(false)
    for (let index = 0; index < 5_000; index += 1) limiter.admitsTyping(`U${index}`)
    expect(limiter.admitsTyping('UOLGA')).toBe(true)
  })
})
