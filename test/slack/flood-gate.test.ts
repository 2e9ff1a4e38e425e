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
  const admission = gate.admit({ userId, channelId })
  if (admission.admitted) return 'in'
  return admission.words === undefined ? 'silence' : `${admission.words.happened} ${admission.words.next}`
}
const many = (times: number, ask: () => string): readonly string[] => Array.from({ length: times }, ask)

describe('a person who asks too fast', () => {
  it('is let in 120 times, told once, and then met with silence', () => {
    const { gate } = gateWithClock()
    const answers = many(160, () => how(gate, 'UOLGA', 'C1'))
    expect(answers.slice(0, 120)).toEqual(Array.from({ length: 120 }, () => 'in'))
    expect(answers[120]).toMatch(
      /^You ask faster .* one person, which is 120 times a minute\. This was not started\. Wait/,
    )
    expect(answers.slice(121)).toEqual(Array.from({ length: 39 }, () => 'silence'))
  })

  it('is let in again twice a second, and told again after a minute', () => {
    const { gate, lines, clock } = gateWithClock()
    many(131, () => how(gate, 'UOLGA'))
    clock.turn(1_000)
    expect(many(3, () => how(gate, 'UOLGA'))).toEqual(['in', 'in', 'silence'])
    clock.turn(60_000)
    expect(many(121, () => how(gate, 'UOLGA')).at(-1)).toMatch(/^You ask faster/)
    const logged = { level: 'warn', sentence: 'rate limited', fields: { user: 'UOLGA', limit: 'person' } }
    expect(lines).toEqual([logged, logged])
  })

  it('takes nothing from anybody else in the channel', () => {
    const { gate } = gateWithClock()
    many(10_000, () => how(gate, 'UOLGA', 'C1'))
    expect(many(120, () => how(gate, 'UVERA', 'C1'))).not.toContain('silence')
    expect(how(gate, 'UOTTO', 'C1')).toBe('in')
  })

  it('may still type into a menu, and typing takes nothing from commands', () => {
    const { gate } = gateWithClock()
    const typed = Array.from({ length: 250 }, () => gate.admitsTyping('UOLGA'))
    expect(typed.filter(Boolean)).toHaveLength(240)
    expect(how(gate, 'UOLGA')).toBe('in')
  })
})

describe('many people', () => {
  const crowd = (gate: FloodGate, people: number, channel: (index: number) => string): readonly string[] =>
    Array.from({ length: people * 100 }, (_, index) => how(gate, `U${index % people}`, channel(index)))

  it('in one channel are let in 480 times, and other channels are open', () => {
    const { gate } = gateWithClock()
    const answers = crowd(gate, 6, () => 'C1')
    expect(answers.filter((answer) => answer === 'in')).toHaveLength(480)
    expect(answers).toContainEqual(expect.stringMatching(/^This channel asks faster/))
    expect(how(gate, 'UVERA', 'C2')).toBe('in')
  })

  it('in many channels are let in 1,200 times', () => {
    const { gate } = gateWithClock()
    const answers = crowd(gate, 20, (index) => `C${index % 20}`)
    expect(answers.filter((answer) => answer === 'in')).toHaveLength(1_200)
    expect(answers).toContainEqual(expect.stringMatching(/^More is asked of CDN Ops at once/))
  })

  it('are remembered up to a bound', () => {
    const { gate } = gateWithClock()
    for (let index = 0; index < 240; index += 1) gate.admitsTyping('UOLGA')
    for (let index = 0; index < 4_999; index += 1) gate.admitsTyping(`U${index}`)
    expect(gate.admitsTyping('UOLGA')).toBe(false)
    for (let index = 0; index < 5_000; index += 1) gate.admitsTyping(`U${index}`)
    expect(gate.admitsTyping('UOLGA')).toBe(true)
  })
})
