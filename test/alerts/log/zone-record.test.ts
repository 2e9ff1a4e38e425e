import { describe, expect, it } from 'vitest'
import { type MinuteSeries, buildSeries, emptyMinute } from '../../../src/alerts/series/minute-series.ts'
import {
  startRecord,
  applyFailure,
  classifyFailure,
  findReadyMinute,
  resumeRecord,
  assessTrust,
  ZoneRecord,
} from '../../../src/alerts/log/zone-record.ts'
import { CdnError, type CdnFailure } from '../../../src/cdn/contract/errors.ts'
import { UserError } from '../../../src/shared/errors.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-11-20T12:00:30Z')
const READY = findReadyMinute(NOW_MS, 120_000)
/** What is known of a zone whatever becomes of its cursor. */
const KNOWN = { perMinute: 12.5, lag: { lagMs: 120_000, ages: [[3, 1, 2]] } } satisfies Partial<ZoneRecord>
const RECORD: ZoneRecord = { since: READY - 500, readUntil: READY, lookedUntil: READY, ...KNOWN }
const ANEW: ZoneRecord = { since: READY - 1, readUntil: READY - 1, lookedUntil: READY - 1, ...KNOWN }

/** Everything read but for the minutes left out, counted back from the first that is not ready. */
function series(leftOut: (back: number) => boolean = () => false): MinuteSeries {
  const minutes = Array.from({ length: 60 }, (_, index) =>
    emptyMinute(READY - 60 + index, leftOut(59 - index) ? 0 : MINUTE_MS),
  )
  return buildSeries(READY - 60, minutes)
}

describe('reading goes on', () => {
  const behind = (minutes: number) => ({ ...RECORD, readUntil: READY - minutes, lookedUntil: READY - minutes })
  const passed = (minutes: number) => {
    const next = { readUntil: READY - 60, lookedUntil: READY - 60 }
    return { ...next, skipped: { from: READY - minutes, until: READY - 60 } }
  }

  it('where it was, up to an hour behind', () => {
    expect(resumeRecord(behind(60), NOW_MS, 0)).toEqual(behind(60))
  })

  it('with the newest minute where nothing is known', () => {
    expect(startRecord(NOW_MS)).toEqual({ ...ANEW, perMinute: undefined, lag: { lagMs: 120_000, ages: [] } })
  })

  it.each<[string, ZoneRecord, wantedFromMs: number, next: Partial<ZoneRecord>]>([
    ['an hour behind when it was stopped for longer, and notes what was passed over', behind(200), 0, passed(200)],
    ['so when somebody wanted to know what is missed', behind(200), (READY - 170) * MINUTE_MS, passed(200)],
    ['anew when nobody wanted to know', behind(200), (READY - 170) * MINUTE_MS + 1, ANEW],
    [
      'with its looks where they are',
      { ...behind(200), lookedUntil: READY - 9 },
      0,
      { ...passed(200), lookedUntil: READY - 9 },
    ],
    ['with a note of what was passed over last', { ...behind(61), skipped: { from: 1, until: 2 } }, 0, passed(61)],
    ['where it was, the clock put back by a few minutes', behind(-12), 0, behind(-12)],
    ['anew, the clock put back by more', behind(-13), 0, ANEW],
    ['anew, looked at before the clock was put back', { ...RECORD, lookedUntil: READY + 13 }, 0, ANEW],
  ])('%s', (_, record, wantedFromMs, next) => {
    expect(resumeRecord(record, NOW_MS, wantedFromMs)).toEqual({ ...(next === ANEW ? {} : record), ...next })
  })

  it('with one note of all that is passed over while reading fails for long', () => {
    const first = resumeRecord(behind(61), NOW_MS, 0)
    expect(resumeRecord(first, NOW_MS + 30 * MINUTE_MS, 0).skipped).toEqual({ from: READY - 61, until: READY - 30 })
  })
})

describe('trust', () => {
  it('knows how far behind reading is and how much of the last half hour was read', () => {
    const record = { ...RECORD, readUntil: READY - 4 }
    const partly = series((back) => back < 3)
    const trust = { failure: undefined, lagMs: 120_000, behindMinutes: 4, covered: 0.9, gap: undefined }
    expect(assessTrust(record, partly, NOW_MS)).toEqual(trust)
    expect(assessTrust({ ...RECORD, readUntil: READY + 2 }, partly, NOW_MS).behindMinutes).toBe(0)
  })

  it('does not count the time before the zone was watched', () => {
    const newest = series((back) => back >= 6)
    expect(assessTrust({ ...RECORD, since: READY - 6 }, newest, NOW_MS).covered).toBe(1)
    expect(assessTrust(RECORD, newest, NOW_MS).covered).toBeCloseTo(0.2)
  })

  it('tells since when reading fails, whatever it fails with by now, and forgets it with the next success', () => {
    const first = applyFailure(RECORD, NOW_MS, 'platform error')
    const second = applyFailure(first, NOW_MS + MINUTE_MS, 'logging off or no such zone')
    expect(assessTrust(second, series(), NOW_MS).failure).toEqual({
      cause: 'logging off or no such zone',
      sinceMs: NOW_MS,
    })
    expect(applyFailure(second, NOW_MS, undefined).failure).toBeUndefined()
  })

  it('tells of lines that were deleted before anybody read them, for as long as counts are kept', () => {
    const from = READY - 4 * 1_440
    const record = resumeRecord({ ...RECORD, readUntil: from, lookedUntil: from }, NOW_MS, 0)
    const untilMs = (READY - 60) * MINUTE_MS - 3 * DAY_MS
    expect(assessTrust(record, series(), NOW_MS).gap).toEqual({ fromMs: from * MINUTE_MS, untilMs })
    const lastMs = untilMs + 15 * DAY_MS - 1
    expect(assessTrust(record, series(), lastMs).gap).toBeDefined()
    expect(assessTrust(record, series(), lastMs + 1).gap).toBeUndefined()
    const stopped = resumeRecord({ ...RECORD, readUntil: READY - 1_440 }, NOW_MS, 0)
    expect(assessTrust(stopped, series(), NOW_MS).gap).toBeUndefined()
    const keptFor = (minutes: number) => ({ ...RECORD, skipped: { from, until: from + 3 * 1_440 + minutes } })
    expect(assessTrust(keptFor(0), series(), NOW_MS).gap).toBeUndefined()
    const lostMs = [from, from + 1].map((minute) => minute * MINUTE_MS)
    expect(assessTrust(keptFor(1), series(), NOW_MS).gap).toEqual({ fromMs: lostMs[0], untilMs: lostMs[1] })
  })
})

it('a record is kept as JSON', () => {
  const record = resumeRecord(
    { ...applyFailure(RECORD, NOW_MS, 'limited'), readUntil: READY - 100, perMinute: 12.5 },
    NOW_MS,
    0,
  )
  expect(ZoneRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record)
})

const rejected = (status: number, retryAfterMs?: number): CdnFailure => ({ kind: 'rejected', status, retryAfterMs })

it.each<[CdnFailure, string]>([
  [rejected(401), 'key refused or zone suspended'],
  [rejected(403), 'key refused or zone suspended'],
  [rejected(404), 'logging off or no such zone'],
  [rejected(429, 7_000), 'limited'],
  [rejected(400), 'platform error'],
  [rejected(500), 'platform error'],
  [{ kind: 'unreachable', reason: 'timeout', sent: 'maybe' }, 'platform error'],
  [{ kind: 'malformed', status: 200, why: 'no JSON' }, 'platform error'],
])('%o is a finding of its own', (failure, cause) => {
  const retryAfterMs = failure.kind === 'rejected' ? failure.retryAfterMs : undefined
  expect(classifyFailure(new CdnError('queryLogs', failure))).toEqual({ cause, retryAfterMs })
})

it('no slot of ours in time is the limit, too; a bug or a stop of ours is no finding', () => {
  expect(classifyFailure(new UserError('busy', 'No slot'))).toEqual({ cause: 'limited' })
  expect(classifyFailure(new UserError('invalid_input', 'No such zone'))).toEqual({ cause: 'platform error' })
  expect(classifyFailure(new TypeError('a bug'))).toBeUndefined()
  const aborted = new CdnError('queryLogs', { kind: 'unreachable', reason: 'aborted', sent: 'no' })
  expect(classifyFailure(aborted)).toBeUndefined()
})
