import { describe, expect, it } from 'vitest'
import { type MinuteSeries, seriesOf } from '../../src/alerts/minute-series.ts'
import { emptyMinute } from '../../src/alerts/minute-tally.ts'
import { beginning, polled, readyAt, resumed, trustOf, ZoneRecord } from '../../src/alerts/zone-record.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-11-20T12:00:30Z')
const READY = readyAt(NOW_MS, 120_000)
const RECORD: ZoneRecord = { ...beginning(NOW_MS), since: READY - 500, readUntil: READY, lookedUntil: READY }

/** Everything read but for the minutes left out, counted back from the first that is not ready. */
function series(leftOut: (back: number) => boolean = () => false): MinuteSeries {
  const minutes = Array.from({ length: 60 }, (_, index) =>
    emptyMinute(READY - 60 + index, leftOut(59 - index) ? 0 : MINUTE_MS),
  )
  return seriesOf(READY - 60, minutes)
}

describe('reading goes on', () => {
  const behind = (minutes: number): ZoneRecord => ({
    ...RECORD,
    readUntil: READY - minutes,
    lookedUntil: READY - minutes,
  })

  it('where it was, up to an hour behind', () => {
    expect(resumed(behind(60), NOW_MS, 0)).toEqual(behind(60))
  })

  it('an hour behind when it was stopped for longer, and notes what was passed over', () => {
    const next = resumed(behind(200), NOW_MS, 0)
    expect(next).toMatchObject({
      readUntil: READY - 60,
      lookedUntil: READY - 60,
      skipped: { from: READY - 200, until: READY - 60 },
    })
  })

  it('anew when nobody wanted to know what it missed', () => {
    const next = resumed(behind(200), NOW_MS, NOW_MS - MINUTE_MS)
    expect(next).toEqual({ ...beginning(NOW_MS), perMinute: undefined })
  })

  it('anew when the clock was put back far, and waits for it when not', () => {
    expect(resumed(behind(-10), NOW_MS, 0)).toEqual(behind(-10))
    expect(resumed(behind(-30), NOW_MS, 0)).toEqual({ ...beginning(NOW_MS), perMinute: undefined })
    expect(resumed({ ...RECORD, lookedUntil: READY + 30 }, NOW_MS, 0)).toMatchObject(beginning(NOW_MS))
  })

  it('with one note of all that is passed over while reading fails for long', () => {
    const first = resumed(behind(61), NOW_MS, 0)
    expect(resumed(first, NOW_MS + 30 * MINUTE_MS, 0).skipped).toEqual({ from: READY - 61, until: READY - 30 })
  })
})

describe('trust', () => {
  it('knows how far behind reading is and how much of the last half hour was read', () => {
    const record = { ...RECORD, readUntil: READY - 4 }
    expect(
      trustOf(
        record,
        series((back) => back < 3),
        NOW_MS,
      ),
    ).toEqual({
      failure: undefined,
      lagMs: 120_000,
      behindMinutes: 4,
      covered: 0.9,
      gap: undefined,
    })
  })

  it('does not count the time before the zone was watched', () => {
    const record = { ...RECORD, since: READY - 6 }
    expect(
      trustOf(
        record,
        series((back) => back >= 6),
        NOW_MS,
      ).covered,
    ).toBe(1)
    expect(
      trustOf(
        RECORD,
        series((back) => back >= 6),
        NOW_MS,
      ).covered,
    ).toBeCloseTo(0.2)
  })

  it('tells since when reading fails, whatever it fails with by now, and forgets it with the next success', () => {
    const first = polled(RECORD, NOW_MS, 'platform error')
    const second = polled(first, NOW_MS + MINUTE_MS, 'logging off or no such zone')
    expect(trustOf(second, series(), NOW_MS).failure).toEqual({ cause: 'logging off or no such zone', sinceMs: NOW_MS })
    expect(polled(second, NOW_MS, undefined).failure).toBeUndefined()
  })

  it('tells of lines that were deleted before anybody read them, for as long as counts are kept', () => {
    const from = READY - 4 * 1_440
    const record = resumed({ ...RECORD, readUntil: from, lookedUntil: from }, NOW_MS, 0)
    const untilMs = (READY - 60) * MINUTE_MS - 3 * DAY_MS
    expect(trustOf(record, series(), NOW_MS).gap).toEqual({ fromMs: from * MINUTE_MS, untilMs })
    expect(trustOf(record, series(), NOW_MS + 14 * DAY_MS).gap).toBeUndefined()
    const stopped = resumed({ ...RECORD, readUntil: READY - 1_440 }, NOW_MS, 0)
    expect(trustOf(stopped, series(), NOW_MS).gap).toBeUndefined()
  })
})

it('a record is kept as JSON', () => {
  const record = resumed({ ...polled(RECORD, NOW_MS, 'limited'), readUntil: READY - 100, perMinute: 12.5 }, NOW_MS, 0)
  expect(ZoneRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record)
})
