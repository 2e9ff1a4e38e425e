import { describe, expect, it } from 'vitest'
import { emptyMinute } from '../../../src/alerts/series/minute-series.ts'
import { Backfiller } from '../../../src/alerts/log/backfill.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { benchOfTest } from '../alert-bench.ts'
import { ScriptedLog } from '../scripted-log.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const NOW = '2026-01-20T12:00:00Z'
const NOW_MINUTE = Date.parse(NOW) / MINUTE_MS
const DAYS = ['2026-01-20', '2026-01-19', '2026-01-18', '2026-01-17']

async function bench(failing: Readonly<Record<string, Error>> = {}) {
  const bench = await benchOfTest(NOW)
  const log = new ScriptedLog(bench.clock)
  const days: string[] = []
  /** Two lines in each minute of the day, the newest first, as the platform sends them. */
  const tallyDayFile: Cdn['tallyDayFile'] = async (zone, day, onLine, options) => {
    days.push(zone === 301n ? day : `${day} of ${zone}`)
    expect(options?.priority).toBe('background')
    if (options?.signal?.aborted === true) throw aborted
    const failure = failing[day]
    if (failure !== undefined) throw failure
    const startMs = Date.parse(`${day}T00:00:00Z`)
    for (let atMs = startMs + DAY_MS - 1; atMs >= startMs; atMs -= MINUTE_MS / 2) onLine(atMs, 'MISS', 404)
    options?.onProgress?.({ lines: 2_880, matched: 2_880, bytes: 1 })
    const counts = { countsByCacheStatus: new Map(), countsByStatusClass: new Map() }
    return { lines: 2_880, matched: 2_880, bytes: 1, malformedLines: 0, tooLongLines: 0, ...counts }
  }
  const told: string[] = []
  const stopping = new AbortController()
  const reader = new Backfiller({ cdn: { ...log.cdn, tallyDayFile }, store: bench.store, clock: bench.clock })
  const options = {
    signal: stopping.signal,
    progress: (sentence: string) => void told.push(sentence),
  }
  return { bench, log, days, told, stopping, read: (zone = 301n) => reader.read(zone, options) }
}

const aborted = new CdnError('streamDayFile', { kind: 'unreachable', reason: 'aborted', sent: 'maybe' })
const refused = new CdnError('streamDayFile', { kind: 'rejected', status: 403 })

describe('reading back', () => {
  it('takes the newest minutes from pages and three days from their files, the newest day first', async () => {
    const { bench: own, log, days, told, read } = await bench()
    const { covered, problems } = await read()
    expect(days).toEqual(DAYS)
    expect(
      log.asked.map(({ fromMs, untilMs }) => [fromMs / MINUTE_MS - NOW_MINUTE, untilMs / MINUTE_MS - NOW_MINUTE]),
    ).toEqual([[-17, -2]])
    expect(problems).toEqual([])
    expect(covered).toBe(1)
    // The last few minutes before the platform deletes them are left out.
    expect(await own.store.minutes.span('301')).toEqual({ from: NOW_MINUTE - 3 * 1_440 + 6, until: NOW_MINUTE - 2 })
    expect(log.asked).toMatchObject([{ pullZoneId: 301n, maxEntries: 12_000 }])
    const [first, ...others] = await own.store.minutes.read('301', NOW_MINUTE - 20, NOW_MINUTE)
    expect(first).toEqual({ ...emptyMinute(NOW_MINUTE - 20, MINUTE_MS), miss: 2, c4xx: 2, miss4xx: 2 })
    expect(others.at(-1)).toEqual({ ...emptyMinute(NOW_MINUTE - 3, MINUTE_MS), hit: 60, c2xx: 60 })
    expect(told.slice(0, 2)).toEqual([
      'Reading the log of 2026-01-20',
      'Reading the log of 2026-01-20: 2,880 lines so far',
    ])
  })

  it('leaves out what is known, and never replaces what was read from pages', async () => {
    const { bench: own, log, days, read } = await bench()
    const known = { ...emptyMinute(NOW_MINUTE - 40, MINUTE_MS), hit: 7 }
    await own.store.minutes.put('301', [known])
    await read()
    expect(await own.store.minutes.read('301', NOW_MINUTE - 40, NOW_MINUTE - 39)).toEqual([known])
    expect(await read()).toEqual({ covered: 1, problems: [] })
    expect([days.length, log.asked.length]).toEqual([4, 1])
  })

  it('keeps all of it at once, so that looks at the zone are disturbed but once, and not for nothing', async () => {
    const { bench: own, days, read } = await bench()
    const { store, clock } = own
    const revision = async () => (await store.alerts.view('pull/301', clock.now())).watch?.revision
    await store.alerts.commit({ subject: 'pull/301', revision: 0, watch: {} })
    await read()
    expect([days.length, await revision()]).toEqual([4, 2])
    await read()
    expect(await revision()).toBe(2)
  })

  it('keeps what it has when it is told to stop on the way', async () => {
    const { stopping, read, told } = await bench()
    told.push = (...sentences) => {
      if (sentences[0] === 'Reading the log of 2026-01-18') stopping.abort()
      return sentences.length
    }
    const { covered, problems } = await read()
    expect(covered).toBeGreaterThan(1 / 3)
    expect(covered).toBeLessThan(2 / 3)
    expect(problems).toEqual(['Reading back was stopped before its end.'])
  })

  it('asks for nothing when it was told to stop before', async () => {
    const { log, stopping, read, days } = await bench()
    stopping.abort()
    expect((await read()).problems).toEqual(['Reading back was stopped before its end.'])
    expect([log.asked, days]).toEqual([[], []])
  })

  it('reads a day again of which more than a hundredth is missing', async () => {
    const { bench: own, days, read } = await bench()
    await read()
    const forget = (minutes: number) => {
      const from = Date.parse('2026-01-19T06:00:00Z') / MINUTE_MS
      return own.store.minutes.put(
        '301',
        Array.from({ length: minutes }, (_, n) => emptyMinute(from + n, 0)),
      )
    }
    await forget(14)
    expect(await read()).toMatchObject({ covered: expect.closeTo(0.997, 3) as number })
    await forget(15)
    expect(await read()).toMatchObject({ covered: 1 })
    expect(days).toEqual([...DAYS, '2026-01-19'])
  })

  it('goes through with what is no failure of the platform, and can be asked for again', async () => {
    const failing: Record<string, Error> = { '2026-01-19': new TypeError('a bug') }
    const { read } = await bench(failing)
    await expect(read()).rejects.toThrow('a bug')
    delete failing['2026-01-19']
    expect(await read()).toMatchObject({ covered: 1, problems: [] })
  })

  it('reads the newest minutes in several pieces where there are many lines, and says when they are too many', async () => {
    const { bench: own, log, read } = await bench()
    log.perMinute = () => 2_000
    expect(await read()).toMatchObject({ covered: 1, problems: [] })
    expect(log.asked.length).toBeGreaterThan(1)
    const newest = await own.store.minutes.read('301', NOW_MINUTE - 17, NOW_MINUTE - 2)
    expect(newest.every(({ hit, coveredMs }) => hit === 2_000 && coveredMs === MINUTE_MS)).toBe(true)
    log.perMinute = () => 9_500
    let pages = log.pages
    expect(await read(303n)).toMatchObject({ covered: 1, problems: [] })
    expect(log.pages - pages).toBe(72)
    log.perMinute = () => 12_000
    pages = log.pages
    const { problems } = await read(302n)
    expect(problems).toEqual(['Not all of the newest minutes were read: they have too many lines for pages.'])
    expect(log.pages - pages).toBeLessThanOrEqual(72)
  })

  it('says why a day was not read, and reads none before it', async () => {
    const { days, read } = await bench({ '2026-01-19': refused })
    const { problems } = await read()
    expect(problems).toEqual([
      'The log of 2026-01-19 was not read: the API key is refused, or the zone is suspended: check the key.',
    ])
    expect(days).toEqual(['2026-01-20', '2026-01-19'])
  })

  it('says once why nothing could be read', async () => {
    const off = new CdnError('queryLogs', { kind: 'rejected', status: 404 })
    const { log, read, days } = await bench(Object.fromEntries(DAYS.map((day) => [day, off])))
    log.failures = [off]
    const said = 'The newest minutes were not read: logging is off, or there is no such zone: switch it on.'
    expect(await read()).toEqual({ covered: 0, problems: [said] })
    expect(days).toEqual([])
  })

  it.each([
    ['no slot came free in time', new UserError('busy', 'No slot'), 'the CDN limits how often it may be read'],
    [
      'the platform failed at one',
      new CdnError('streamDayFile', { kind: 'rejected', status: 500 }),
      'the CDN answers with errors or not at all',
    ],
  ])('goes on with the day before when %s', async (_case, failed, why) => {
    const { days, read } = await bench({ '2026-01-19': failed })
    const { problems, covered } = await read()
    expect(problems).toEqual([`The log of 2026-01-19 was not read: ${why}.`])
    expect(days).toEqual(DAYS)
    expect(covered).toBeCloseTo(2 / 3, 2)
  })

  it('is done once at a time for a zone', async () => {
    const { read, days } = await bench()
    const [first, second, other] = await Promise.all([read(), read(), read(302n)])
    expect([first.problems, other.problems]).toEqual([[], []])
    expect(second.problems).toEqual(['The last three days are being read already.'])
    expect(days.toSorted()).toEqual(DAYS.flatMap((day) => [day, `${day} of 302`]).toSorted())
    const all = await Promise.all([1n, 2n, 3n, 4n, 5n].map((zone) => read(zone)))
    const later = 'Other zones are being read back just now, so this one was not; try again in some minutes.'
    expect(all.map(({ problems }) => problems)).toEqual([[], [], [], [], [later]])
  })
})
