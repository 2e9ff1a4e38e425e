import { describe, expect, it } from 'vitest'
import { type FloodGate, floodGate } from '../../src/slack/flood-gate.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

function gateWithClock() {
  const { log, lines } = recordingLog()
  const clock = new TurnedClock()
  return { gate: floodGate(clock, log), lines, clock }
}

const how = (gate: FloodGate, userId: string, channelId?: string): string => {
  const refusal = gate.refuse({ userId, channelId })
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
  const typed = (gate: FloodGate): string => (gate.admitsTyping('UOLGA') ? 'in' : 'typing')
  it.each([
    {
      limit: 'of a person',
      burst: 120,
      in10s: 20,
      ask: (gate: FloodGate) => how(gate, 'UOLGA', 'C1'),
      told: TOLD.person,
    },
    {
      limit: 'of a channel',
      burst: 480,
      in10s: 80,
      ask: (gate: FloodGate, n: number) => how(gate, `U${n}`, 'C1'),
      told: TOLD.channel,
    },
    {
      limit: 'of all',
      burst: 2_400,
      in10s: 400,
      ask: (gate: FloodGate, n: number) => how(gate, `U${n}`, `C${n}`),
      told: TOLD.all,
    },
    { limit: 'of typing into menus', burst: 240, in10s: 40, ask: typed, told: 'typing' },
  ])('$limit lets in $burst at once, and $in10s in ten seconds from then on', ({ burst, in10s, ask, told }) => {
    const { gate, clock } = gateWithClock()
    let asked = 0
    const answers = (times: number) => many(times, () => ask(gate, (asked += 1)))
    const admitted = (given: readonly string[]) => given.filter((answer) => answer === 'in').length
    expect(answers(9)).toEqual(many(9, () => 'in'))
    clock.turn(10_000)
    const first = answers(burst + 9)
    expect([admitted(first), first[burst]]).toEqual([burst, told])
    clock.turn(10_000)
    expect(admitted(answers(burst))).toBe(in10s)
  })

  it('is told once a minute to whom it concerns, and logged', () => {
    const { gate, lines, clock } = gateWithClock()
    expect(many(131, () => how(gate, 'UOLGA')).slice(119)).toEqual(['in', TOLD.person, ...many(10, () => 'silence')])
    clock.turn(59_999)
    expect(many(121, () => how(gate, 'UOLGA')).at(-1)).toBe('silence')
    clock.turn(1)
    expect(many(2, () => how(gate, 'UOLGA'))).toEqual(['in', TOLD.person])
    const logged = { level: 'warn', sentence: 'rate limited', fields: { user: 'UOLGA', limit: 'person' } }
    expect(lines).toEqual([logged, logged])
  })

  it('of one person or channel takes nothing from others', () => {
    const { gate } = gateWithClock()
    many(10_000, () => how(gate, 'UOLGA', 'C1'))
    expect(many(120, () => how(gate, 'UVERA', 'C1'))).not.toContain('silence')
    Array.from({ length: 480 }, (_, index) => how(gate, `U${index}`, 'C1'))
    expect([how(gate, 'UOTTO', 'C2'), gate.admitsTyping('UOLGA')]).toEqual(['in', true])
    for (let letter = 0; letter < 240; letter += 1) gate.admitsTyping('UADA')
    expect(how(gate, 'UADA')).toBe('in')
  })

  it('is remembered of so many', () => {
    const { gate } = gateWithClock()
    for (let index = 0; index < 240; index += 1) gate.admitsTyping('UOLGA')
    for (let index = 0; index < 4_999; index += 1) gate.admitsTyping(`U${index}`)
    expect(gate.admitsTyping('UOLGA')).toBe(false)
    for (let index = 0; index < 5_000; index += 1) gate.admitsTyping(`U${index}`)
    expect(gate.admitsTyping('UOLGA')).toBe(true)
  })
})
