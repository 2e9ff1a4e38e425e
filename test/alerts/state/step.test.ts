import { describe, expect, it, test } from 'vitest'
import { storageChange } from '../../../src/alerts/kinds/storage-change.ts'
import type { Level, Reading } from '../../../src/alerts/state/reading.ts'
import { type AlertEvent, type AlertState, type AlertTiming, INACTIVE, step } from '../../../src/alerts/state/step.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ONCE: AlertTiming = { clearForMs: 15 * MINUTE }

const reading = (level: Level, more: Partial<Reading['facts']> = {}): Reading => ({
  level,
  facts: { sentence: level, ...more },
})

/** One letter for each minute: w c i bad, `.` clear, `-` between, `?` no data. */
const LETTERS: Readonly<Record<string, Reading>> = {
  w: reading('warning'),
  c: reading('critical'),
  i: reading('info'),
  '.': reading('clear'),
  '-': reading('between'),
  '?': reading('no data'),
}

interface Lived {
  readonly events: readonly string[]
  readonly state: AlertState
}

function live(letters: string, timing = ONCE, from = INACTIVE): Lived {
  const events: string[] = []
  let state = from
  const firstMs = from.seenMs ?? 0
  for (const [index, letter] of letters.split('').entries()) {
    const nowMs = firstMs + (index + 1) * MINUTE
    const stepped: { state: AlertState; event?: AlertEvent | undefined } = step(state, LETTERS[letter]!, timing, nowMs)
    if (stepped.event !== undefined) events.push(`${stepped.event} ${nowMs / MINUTE}`)
    state = stepped.state
  }
  return { events, state }
}

describe('beginning to fire', () => {
  test.each([
    ['w', ['fired 1']],
    ['i', ['fired 1']],
    ['c', ['fired 1']],
    ['-?.', []],
    ['...w', ['fired 4']],
    ['?-w', ['fired 3']],
  ] as const)('with looks %s', (letters, events) => {
    expect(live(letters).events).toEqual(events)
  })

  it('holds on to the reading with which it began, and forgets it when it ends', () => {
    const at = (value: number) => reading('warning', { value })
    const first = step(INACTIVE, at(0.9), ONCE, MINUTE).state
    const second = step(first, at(0.5), ONCE, 2 * MINUTE).state
    expect(second.begun).toEqual({ atMs: MINUTE, reading: at(0.9) })
    expect(second.last).toEqual({ atMs: 2 * MINUTE, reading: at(0.5) })
    const ended = live('.'.repeat(16), ONCE, second).state
    expect([ended.phase, ended.begun]).toEqual(['inactive', undefined])
    expect(step(ended, at(0.7), ONCE, 99 * MINUTE).state.begun).toEqual({ atMs: 99 * MINUTE, reading: at(0.7) })
  })
})

describe('ending', () => {
  const clear = (minutes: number): string => '.'.repeat(minutes)

  it('takes as long without anything bad as asked', () => {
    expect(live(`w${clear(15)}`).events).toEqual(['fired 1'])
    expect(live(`w${clear(16)}`).events).toEqual(['fired 1', 'resolved 17'])
    expect(live(`w${clear(10)}w${clear(15)}`).events).toEqual(['fired 1'])
    expect(live(`w${clear(10)}w${clear(16)}`).events).toEqual(['fired 1', 'resolved 28'])
  })

  it('is at once where nothing else is asked', () => {
    expect(live('w.', { ...ONCE, clearForMs: 0 }).events).toEqual(['fired 1', 'resolved 2'])
  })

  it.each(['?', '-'])('is put off, not begun anew, by looks that say %s', (silent) => {
    expect(live(`w${silent.repeat(100)}`).events).toEqual(['fired 1'])
    expect(live(`w${clear(10)}${silent.repeat(30)}${clear(5)}`).events).toEqual(['fired 1'])
    expect(live(`w${clear(10)}${silent.repeat(30)}${clear(6)}`).events).toEqual(['fired 1', 'resolved 47'])
  })

  it('of what is looked at every six hours is the second clear look', () => {
    const timing = storageChange.timing
    const looks = ['w', '.', '.'].map((letter, index) => [LETTERS[letter]!, (1 + index * 360) * MINUTE] as const)
    let state = INACTIVE
    const events = looks.map(([read, nowMs]) => {
      const stepped = step(state, read, timing, nowMs)
      state = stepped.state
      return stepped.event
    })
    expect(events).toEqual(['fired', undefined, 'resolved'])
  })
})

describe('while it fires', () => {
  it('becomes worse at once, and de-escalates when nothing as severe was read for long enough', () => {
    const { events, state } = live(`wc${'w'.repeat(15)}`)
    expect(events).toEqual(['fired 1', 'escalated 2'])
    expect(state.severity).toBe('critical')
    expect(live('w', ONCE, state)).toMatchObject({ events: ['de-escalated 18'], state: { severity: 'warning' } })
    expect(live(`wc${'w'.repeat(10)}c${'w'.repeat(10)}`).events).toEqual(['fired 1', 'escalated 2'])
  })

  it('is told again after four hours if it is critical', () => {
    expect(live(`c${'c'.repeat(480)}`).events).toEqual(['fired 1', 'reminder 241', 'reminder 481'])
    expect(live(`w${'w'.repeat(480)}`).events).toEqual(['fired 1'])
  })

  test.each([
    { threshold: 0.05, values: [0.1, 0.4, 0.2], peak: 0.4 },
    { threshold: 0.8, values: [0.7, 0.3, 0.5], peak: 0.3 },
    { threshold: 3.5, values: [-4, -9, -5], peak: -9 },
    { threshold: undefined, values: [4, -9, 5], peak: -9 },
  ])('keeps the worst of $values against $threshold: $peak', ({ threshold, values, peak }) => {
    let state = INACTIVE
    for (const [index, value] of values.entries()) {
      const facts = threshold === undefined ? { value } : { value, threshold }
      state = step(state, reading('warning', facts), ONCE, (index + 1) * MINUTE).state
    }
    expect(step(state, reading('clear', { value: 99 }), ONCE, 10 * MINUTE).state.peak).toBe(peak)
  })
})

describe('flapping', () => {
  const quick = { ...ONCE, clearForMs: MINUTE }

  it('is told at the third beginning within an hour, and what is present half an hour later', () => {
    const { events, state } = live(`w..w..w..w..w..${'.'.repeat(30)}`, quick)
    expect(events).toEqual(['fired 1', 'resolved 3', 'fired 4', 'resolved 6', 'flapping 7', 'resolved 37'])
    expect(state.phase).toBe('inactive')
    expect([state.heldUntilMs, state.severity]).toEqual([undefined, undefined])
  })

  it('goes on as firing where it fires when the time is over', () => {
    const { events, state } = live(`w..w..${'w'.repeat(31)}`, quick)
    expect(events).toEqual(['fired 1', 'resolved 3', 'fired 4', 'resolved 6', 'flapping 7'])
    expect(state).toMatchObject({ phase: 'firing', heldUntilMs: undefined })
  })

  it('does not hide that it becomes worse, once', () => {
    expect(live('w..w..w..c..c..', quick).events.slice(4)).toEqual(['flapping 7', 'escalated 10'])
  })
})

it('changes nothing when it is not later than the look before', () => {
  const { state } = live('w')
  expect(step(state, reading('critical'), ONCE, MINUTE)).toEqual({ state })
})

it('goes on where it was when the clock was put back far', () => {
  const timing = { ...ONCE, clearForMs: 5 * MINUTE }
  const { state } = live('w'.repeat(40), timing)
  const back = (nowMs: number, from = state): AlertState => step(from, reading('clear'), timing, nowMs).state
  expect(back(35 * MINUTE)).toBe(state)
  const clear = back(10 * MINUTE)
  expect(clear).toMatchObject({
    phase: 'firing',
    sinceMs: -29 * MINUTE,
    begun: { atMs: -29 * MINUTE },
    clearSinceMs: 10 * MINUTE,
    seenMs: 10 * MINUTE,
  })
  expect(back(14 * MINUTE, clear).phase).toBe('firing')
  expect(back(15 * MINUTE, clear).phase).toBe('inactive')
})

it('begins at once when the clock was put back and nothing went on: what rests was noted some looks ago', () => {
  const { state } = live('.'.repeat(40))
  expect(step(state, reading('critical'), ONCE, 35 * MINUTE)).toMatchObject({
    state: { phase: 'firing', sinceMs: 35 * MINUTE, seenMs: 35 * MINUTE },
    event: 'fired',
  })
})

/** An alert begins at some time of some day, not at the beginning of time. */
const START = Date.UTC(2026, 10, 20, 12)

/** One look: when, counted from the start, and what it says. */
type Seen = readonly [atMs: number, level: Level]

/** What happened and when, counted from the start. */
function lived(seen: readonly Seen[], timing: Partial<AlertTiming> = {}, state = INACTIVE) {
  const events: string[] = []
  let now = state
  for (const [atMs, level] of seen) {
    const stepped = step(now, reading(level), { ...ONCE, ...timing }, START + atMs)
    now = stepped.state
    if (stepped.event !== undefined) events.push(`${stepped.event} ${atMs}`)
  }
  return { events, state: now }
}

describe('being over', () => {
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
