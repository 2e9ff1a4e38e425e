import { describe, expect, it } from 'vitest'
import type { Level, Reading } from '../../../src/alerts/state/reading.ts'
import { type AlertState, type AlertTiming, INACTIVE, step } from '../../../src/alerts/state/step.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** An alert begins at some time of some day, not at the beginning of time. */
const START = Date.UTC(2026, 10, 20, 12)

const TIMING: AlertTiming = { clearForMs: 15 * MINUTE }

/** One look: when, counted from the start, and what it says. */
type Seen = readonly [atMs: number, level: Level]

function look(state: AlertState, [atMs, said]: Seen, timing: AlertTiming) {
  const reading: Reading = { level: said, facts: { sentence: said } }
  return step(state, reading, timing, START + atMs)
}

/** What happened and when, counted from the start. */
function lived(seen: readonly Seen[], timing: Partial<AlertTiming> = {}, state = INACTIVE) {
  const events: string[] = []
  let now = state
  for (const each of seen) {
    const stepped = look(now, each, { ...TIMING, ...timing })
    now = stepped.state
    if (stepped.event !== undefined) events.push(`${stepped.event} ${each[0]}`)
  }
  return { events, state: now }
}

describe('being over', () => {
  it('comes with the look at which it has been clear for as long as asked, and with none before', () => {
    const clear: readonly Seen[] = [
      [0, 'critical'],
      [5 * MINUTE, 'clear'],
      [10 * MINUTE, 'clear'],
    ]
    expect(lived([...clear, [20 * MINUTE - 1, 'clear']]).events).toEqual(['fired 0'])
    expect(lived([...clear, [20 * MINUTE, 'clear']]).events).toEqual(['fired 0', `resolved ${20 * MINUTE}`])
  })

  it('counts ten minutes at most of a time in which nobody looked', () => {
    const seen: readonly Seen[] = [
      [0, 'critical'],
      [5 * MINUTE, 'clear'],
      [65 * MINUTE, 'clear'],
    ]
    expect(lived(seen, { clearForMs: 10 * MINUTE }).events).toEqual(['fired 0', `resolved ${65 * MINUTE}`])
    expect(lived(seen, { clearForMs: 10 * MINUTE + 1 }).events).toEqual(['fired 0'])
  })
})

describe('becoming milder', () => {
  it('counts from the first look that was milder, a clear one too', () => {
    const seen: readonly Seen[] = [
      [0, 'critical'],
      [MINUTE, 'clear'],
      [8 * MINUTE, 'warning'],
    ]
    expect(lived([...seen, [16 * MINUTE - 1, 'warning']]).events).toEqual(['fired 0'])
    expect(lived([...seen, [16 * MINUTE, 'warning']]).events).toEqual(['fired 0', `de-escalated ${16 * MINUTE}`])
  })

  it('counts from the beginning of what is held as something graver', () => {
    const seen = [0, 2, 4].flatMap((at): readonly Seen[] => [
      [at * MINUTE, 'critical'],
      [(at + 1) * MINUTE, 'clear'],
    ])
    const held = lived([...seen, [6 * MINUTE, 'warning']], { clearForMs: 0 })
    expect(held.state).toMatchObject({ phase: 'firing', severity: 'critical' })
    const milder = (atMs: number) => lived([[atMs, 'warning']], { clearForMs: 5 * MINUTE }, held.state).state.severity
    expect([milder(11 * MINUTE - 1), milder(11 * MINUTE)]).toEqual(['critical', 'warning'])
  })
})

describe('telling again', () => {
  it('counts from when it became critical', () => {
    const seen: readonly Seen[] = [
      [0, 'warning'],
      [HOUR, 'critical'],
    ]
    expect(lived([...seen, [5 * HOUR - 1, 'critical']]).events).toEqual(['fired 0', `escalated ${HOUR}`])
    expect(lived([...seen, [5 * HOUR, 'critical']]).events.at(-1)).toBe(`reminder ${5 * HOUR}`)
  })

  it('waits while it may be over', () => {
    const seen: readonly Seen[] = [
      [0, 'critical'],
      [4 * HOUR - 1, 'clear'],
      [4 * HOUR, 'between'],
    ]
    expect(lived(seen).events).toEqual(['fired 0'])
    expect(lived([...seen, [4 * HOUR + MINUTE, 'critical']]).events.at(-1)).toBe(`reminder ${4 * HOUR + MINUTE}`)
  })
})

it('is flapping with the third beginning in less than an hour', () => {
  const begins = (third: number): readonly Seen[] =>
    [0, 30 * MINUTE, third].flatMap((at): readonly Seen[] => [
      [at, 'warning'],
      [at + MINUTE, 'clear'],
    ])
  expect(lived(begins(HOUR - 1), { clearForMs: 0 }).events).toContain(`flapping ${HOUR - 1}`)
  expect(lived(begins(HOUR), { clearForMs: 0 }).events).toContain(`fired ${HOUR}`)
})

it('goes on flapping without another word when it begins with the look at which the hold is over', () => {
  const begins = [0, 2, 4].flatMap((at): readonly Seen[] => [
    [at * MINUTE, 'warning'],
    [(at + 1) * MINUTE, 'clear'],
  ])
  const again = (level: Level) => lived([...begins, [34 * MINUTE, level]], { clearForMs: 0 })
  expect(again('warning').events.at(-1)).toBe(`flapping ${4 * MINUTE}`)
  expect(again('warning').state).toMatchObject({ phase: 'firing', heldUntilMs: START + 64 * MINUTE })
  expect(again('critical').events.at(-1)).toBe(`escalated ${34 * MINUTE}`)
  expect(again('clear').events.at(-1)).toBe(`resolved ${34 * MINUTE}`)
})

it('takes a look that is more than ten minutes early for a clock put back, and a less early one for none', () => {
  const { state } = lived([[HOUR, 'critical']])
  expect(lived([[HOUR - 10 * MINUTE, 'clear']], {}, state).state).toBe(state)
  expect(lived([[HOUR - 10 * MINUTE - 1, 'clear']], {}, state).state).toMatchObject({
    sinceMs: START + HOUR - 10 * MINUTE - 1,
    clearSinceMs: START + HOUR - 10 * MINUTE - 1,
  })
})
