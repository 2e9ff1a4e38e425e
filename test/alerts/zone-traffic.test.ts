import { expect, it } from 'vitest'
import type { Reach } from '../../src/alerts/alert-kind.ts'
import { emptyMinute } from '../../src/alerts/minute-tally.ts'
import { COLUMN } from '../../src/alerts/traffic.ts'
import { TrafficShape, wholeReach, ZoneTraffic } from '../../src/alerts/zone-traffic.ts'
import type { MinuteCounts } from '../../src/store/minute-counts.ts'

const AT = 29_600_000
const MINUTE_MS = 60_000
const columns = [COLUMN.coveredMs, COLUMN.lines] as const

/** Minutes from so many back on up to now, each with a line. */
function since(back: number): readonly MinuteCounts[] {
  return Array.from({ length: back }, (_, index) => ({ ...emptyMinute(AT - back + index, MINUTE_MS), hit: 1 }))
}

function holding(...reaches: readonly Reach[]): ZoneTraffic {
  return holdingAhead(0, ...reaches)
}

/** The same with room for so many minutes that are newer than the one that is looked at. */
function holdingAhead(ahead: number, ...reaches: readonly Reach[]): ZoneTraffic {
  const reach = wholeReach(reaches)
  const kept = since(1_000)
  const apart = reach.far.flatMap(({ isLinked, from, until }) =>
    isLinked ? [] : [kept.filter(({ minute }) => minute >= AT - from && minute < AT - until + 30)],
  )
  return new ZoneTraffic(new TrafficShape(reach, ahead), AT, AT, kept, apart)
}

it('sums from a far place to the newest minutes begin at one that is linked, where another one lies as well', () => {
  const linked: Reach = { columns, minutes: 60, edges: [800, 400] }
  const apart: Reach = { columns, minutes: 60, apart: [{ from: 900, until: 350 }] }
  const traffic = holding(linked, apart)
  expect(traffic.total(COLUMN.lines, AT - 800, AT)).toBe(800)
  expect(traffic.total(COLUMN.lines, AT - 800, AT - 400)).toBe(400)
  expect(traffic.total(COLUMN.lines, AT - 400, AT)).toBe(400)
  expect(traffic.total(COLUMN.lines, AT - 850, AT - 370)).toBe(480)
})

it('takes nothing for known because there would be room for it', () => {
  const traffic = holdingAhead(30, { columns, minutes: 60, edges: [70] })
  expect(traffic.total(COLUMN.lines, AT - 70, AT)).toBe(70)
  expect(traffic.total(COLUMN.lines, AT - 60, AT)).toBe(60)
})

it('is loaded anew once a minute has changed that lies between a far place and the newest ones', () => {
  const changed = (back: number): boolean => {
    const traffic = holding({ columns, minutes: 60, edges: [800] })
    traffic.put({ ...emptyMinute(AT - back, MINUTE_MS), hit: 9 })
    return !traffic.reaches(AT, AT, AT)
  }
  expect([5, 55, 65, 200, 790, 795, 990].map(changed)).toEqual([false, false, true, true, true, true, true])
})

it('holds all minutes of each look that it says it reaches, however far it goes on', () => {
  const back = 805
  const lines = (from: number, until: number): readonly MinuteCounts[] =>
    Array.from({ length: until - from }, (_, index) => ({ ...emptyMinute(from + index, MINUTE_MS), hit: 1 }))
  /** What the first and the last look find after so many minutes; undefined where all is to be loaded anew. */
  const found = (minutes: number): readonly number[] | undefined => {
    const traffic = holdingAhead(30, { columns, minutes: 60, edges: [back] })
    const last = AT + minutes
    if (!traffic.reaches(AT, last, last)) return undefined
    for (const counts of lines(AT, last)) traffic.put(counts)
    for (const { place, from, until } of traffic.missing(last)) traffic.load(place, until, lines(from, until))
    return [AT, last].map((at) => traffic.total(COLUMN.lines, at - back, at))
  }
  const reached = Array.from({ length: 61 }, (_, minutes) => found(minutes)).filter((each) => each !== undefined)
  expect(reached).toEqual(reached.map(() => [back, back]))
  // As far as there is room ahead.
  expect(reached.length).toBeGreaterThan(30)
})
