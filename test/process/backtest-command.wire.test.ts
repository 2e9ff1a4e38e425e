import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MinuteLine } from '../../src/process/history-files.ts'
import type { MinuteCounts } from '../../src/store/schema/minute-counts.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { zonePastSuite } from '../store/zone-past-suite.ts'
import { backtestTool, minuteLines, minuteObject, PAST_FROM, threeDays, TROUBLE } from '../support/backtest-tool.ts'

const FAILING = { stale: 0.6 }
const BYPASS = { bypass: 0.6 }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cdn-ops-backtest-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const written = (content: string | Buffer, end = '.jsonl'): string => {
  files += 1
  const path = join(folder, `${files}${end}`)
  writeFileSync(path, content)
  return path
}
const past = (minutes: readonly MinuteCounts[]): string => written(minuteLines(minutes))
const tool = (...args: readonly string[]) => backtestTool({}, ...args)
/** What is told of a file, as objects. */
const listEvents = async (path: string, ...args: readonly string[]) => {
  const { code, output, complaints } = await tool('--minutes', path, '--json', ...args)
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
}
const kindsOf = async (path: string, ...args: readonly string[]) => [
  ...new Set((await listEvents(path, ...args)).map(({ kind }) => kind)),
]

describe('what is typed', () => {
  const WHAT = 'Say what to look at: --minutes, --log or --zone, and one of these alone.'
  const LAG = '--lag is a whole number of seconds from 0 to 600.'
  const SET =
    '--set is kind.parameter=value, such as cache-not-working.warning=10. Kinds: origin-failing, cache-not-working, traffic-gone, traffic-surge, cannot-look.'
  test.each([
    ['', WHAT],
    ['past.jsonl', 'Only --log takes several files.'],
    ['--minutes', /^Option '--minutes <value>' argument missing\.\n/],
    ['--minutes a b', 'Only --log takes several files.'],
    ['--minutes a --zone shop', WHAT],
    ['--minutes a --log b', WHAT],
    ['--minutes a --store b', '--store goes with --zone.'],
    ['--minutes a --quick', "Unknown option '--quick'."],
    ['--minutes a --lag 601', LAG],
    ['--minutes a --lag 1.5', LAG],
    ['--minutes a --purge yesterday', '--purge is a day such as 2026-11-20, or a time such as 2026-11-20T10:00Z.'],
    ['--minutes a --set traffic-gone', SET],
    ['--minutes a --set storage-change.warning=3', SET],
    ['--minutes a --set traffic-gone.warning=96', /^Warning of traffic-gone is a number from/i],
    ['--minutes a --set traffic-gone.warning=10 --set traffic-gone.critical=20', /^[^\n]*critical[^\n]*\n/i],
  ])('is refused where it makes no sense, with what can be typed: %s', async (typed, says) => {
    const { code, output, complaints } = await tool(...typed.split(' ').filter((word) => word !== ''))
    expect(complaints).toMatch(typeof says === 'string' ? new RegExp(`^${RegExp.escape(says)}\n`) : says)
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(complaints).toMatch(/^\S[\s\S]*\n\nTells what `alerts watch` would have told[\s\S]*--minutes file\.jsonl/)
  })

  test.each(['help', '-h', '--help'])('is what to type for %s', async (word) => {
    const { code, output, complaints } = await tool(word)
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
    expect(output).toMatch(/^Tells what `alerts watch` would have told/)
  })
})

describe('minutes in a file', () => {
  test('tell when an incident begins and ends, with the lag of reading, to the second', async () => {
    const path = past(threeDays(FAILING, 20))
    const told = await listEvents(path, '--lag', '137')
    expect(told.map(({ event }) => event)).toEqual(['begin', 'reminder', 'end'])
    expect(told[0]).toEqual({
      at: '2026-03-04T10:04:17Z',
      event: 'begin',
      incident: '1',
      kind: 'origin-failing',
      severity: 'critical',
      aloud: true,
      title: 'Origin failing',
    })
    expect((await listEvents(path, '--lag', '60'))[0]?.['at']).toBe('2026-03-04T10:03Z')
    expect((await listEvents(path))[0]?.['at']).toBe('2026-03-04T10:04Z')
  })

  test('are a table and a summary for people', async () => {
    const { code, output } = await tool('--minutes', past(threeDays(FAILING, 20)))
    expect(code).toBe(0)
    const [titles, begin, reminder, end, empty, ...summary] = output.split('\n')
    expect(titles).toMatch(/^Time \(UTC\) +What +Incident +After +Alert$/)
    expect(begin).toMatch(/^2026-03-04 10:04 +begin +1 +🔴 Critical: Origin failing\. .*% (STALE|5xx|failing)/)
    expect(reminder).toMatch(/^2026-03-04 10:19 +reminder +1 +15 min +🔴 Critical: Origin failing\. /)
    expect(end).toMatch(/^2026-03-04 10:\d\d +end +1 +\d\d min +Origin failing\. /)
    expect([empty, ...summary]).toEqual([
      '',
      'The file: 2026-03-02 00:00 to 2026-03-05 00:00 UTC, 3 d, of which 100.0 % was read.',
      expect.stringMatching(/^1 incident, 2\.3 a week, open for \d\d min, 0\.\d % of the time\.$/),
      'Alerts by kind: origin-failing 1.',
      'The week before is what is usual. It is known whole from 2026-03-09 00:00 UTC on.',
      '',
    ])
  })

  test('say of what is told where it is said in the thread alone', async () => {
    const [before, after] = [threeDays(FAILING, 25), threeDays({ stale: 0.4, bypass: 0.5 }, 25)]
    const then = TROUBLE + 10
    const path = past([
      ...before.filter(({ minute }) => minute < then),
      ...after.filter(({ minute }) => minute >= then),
    ])
    const { output } = await tool('--minutes', path)
    expect(output).toMatch(
      /^2026-03-04 10:\d\d +joined \(in the thread\) +1 +\d+ min +\S+ Warning: Cache not working\. /m,
    )
    expect(output.match(/\(in the thread\)/g)).toHaveLength(1)
  })

  test('count what is open at the end beside what was open before', async () => {
    const days = threeDays(FAILING, 20)
    const bad = days.slice(-30).map((minute) => ({ ...minute, hit: 0, stale: minute.hit }))
    const { output } = await tool('--minutes', past([...days.slice(0, -30), ...bad]))
    const [, open] = /^2 incidents, 4\.7 a week, open for (\d+) min, /m.exec(output) ?? []
    const [, first] = /^1 incident, .*open for (\d+) min, /m.exec((await tool('--minutes', past(days))).output) ?? []
    expect(Number(open) - Number(first)).toBeGreaterThanOrEqual(25)
  })

  test('of a zone that was well are a summary alone, and no line of JSON', async () => {
    const path = past(threeDays())
    expect((await tool('--minutes', path)).output).toMatch(/^The file: .*\n0 incidents, 0\.0 a week\.\nThe week before/)
    expect(await tool('--minutes', path, '--json')).toEqual({ code: 0, output: '', complaints: '' })
    const day = threeDays().slice(0, 1_440)
    expect((await tool('--minutes', past(day))).output).toMatch(/\n0 incidents, 0\.0 a week\.\n/)
    expect((await tool('--minutes', past(day.slice(1)))).output).toMatch(/\n0 incidents\.\n/)
  })

  test('are unpacked where the name says so, and empty lines and the ends of other systems do not matter', async () => {
    const text = minuteLines(threeDays(FAILING, 20))
    const plain = await tool('--minutes', written(text), '--json')
    expect(plain.output).not.toBe('')
    expect(await tool('--minutes', written(gzipSync(text), '.jsonl.gz'), '--json')).toEqual(plain)
    expect(await tool('--minutes', written(`\n${text.replaceAll('\n', '\r\n')}\n`), '--json')).toEqual(plain)
  })

  test('that are not there were not read, and are no silence of the zone', async () => {
    const silent = threeDays({ times: 0 }, 30)
    const without = silent.filter(({ minute }) => minute < TROUBLE || minute >= TROUBLE + 30)
    expect(await kindsOf(past(silent))).toEqual(['traffic-gone'])
    expect(await kindsOf(past(without))).not.toContain('traffic-gone')
    expect((await tool('--minutes', past(without))).output).toContain('of which 99.3 % was read')
  })

  test('may say that a part of them was read, and leave out three numbers', async () => {
    const half = threeDays().map((counts) => ({ ...counts, coveredMs: 30_000 }))
    expect((await tool('--minutes', past(half))).output).toContain('of which 50.0 % was read')
    const bare = threeDays(FAILING, 20).map((counts) => {
      const { uncoded: _, readMs: __, miss4xx: ___, ...left } = minuteObject(counts)
      return `${JSON.stringify(left)}\n`
    })
    expect(await kindsOf(written(bare.join('')))).toEqual(['origin-failing'])
  })

  test('have lines without a status where the classes of status do not add up to all, unless it is said how many', () => {
    const { uncoded: _, ...object } = minuteObject({ ...threeDays()[0]!, hit: 90, miss: 10, c2xx: 95, c5xx: 2 })
    const bare = { ...object, stale: 0, bypass: 0, miss4xx: 0, '4xx': 0 }
    expect(MinuteLine.parse(bare)).toMatchObject({ uncoded: 3, c2xx: 95 })
    expect(MinuteLine.parse({ ...bare, uncoded: 1 })).toMatchObject({ uncoded: 1 })
    expect(MinuteLine.parse({ ...bare, '2xx': 200 })).toMatchObject({ uncoded: 0 })
  })

  test('are judged with parameters that are set, of kinds by former names as well', async () => {
    const path = past(threeDays(BYPASS, 12))
    expect(await kindsOf(path)).toEqual(['cache-not-working'])
    expect(await kindsOf(path, '--set', 'cache-not-working.bypass=95')).toEqual([])
    expect(await kindsOf(path, '--set', 'bypass-share.bypass=95')).toEqual([])
  })

  test('are told without what a purge explains', async () => {
    const path = past(threeDays(BYPASS, 12))
    expect(await kindsOf(path, '--purge', '2026-03-04T10:00Z')).toEqual([])
    expect(await kindsOf(path, '--purge', '2026-03-04T09:30Z', '--purge', '2026-03-04T12:01+02:00')).toEqual([])
    expect(await kindsOf(path, '--purge', '2026-03-03')).toEqual(['cache-not-working'])
  })
})

describe('a file that cannot be taken', () => {
  const object = minuteObject(threeDays()[0]!)
  const line = (change: Readonly<Record<string, unknown>>): string => JSON.stringify({ ...object, ...change })
  const refused = async (...lines: readonly string[]) => {
    const { code, output, complaints } = await tool('--minutes', written(lines.join('\n')))
    expect({ code, output }).toEqual({ code: 2, output: '' })
    return complaints
  }

  test.each([
    ['{"minute":', 'expected object'],
    ['[]', 'expected object'],
    [line({ hits: 3 }), '"hits"'],
    [line({ minute: undefined }), 'minute: '],
    [line({ minute: '2026-02-30T00:00Z' }), 'minute: '],
    [line({ minute: '2026-03-02T00:00' }), 'minute: '],
    [line({ minute: '2026-03-02T00:00:30Z' }), 'minute: is not a whole minute'],
    [line({ '5xx': undefined }), '5xx: '],
    [line({ hit: -1 }), 'hit: '],
    [line({ '4xx': 0.5 }), '4xx: '],
    [line({ readMs: 60_001 }), 'readMs: '],
    [line({ readMs: 0 }), 'it has lines, though nothing of it was read'],
    [line({ miss: 3, '4xx': 9, miss4xx: 4 }), 'it has more miss4xx than miss'],
    [line({ hit: 2e7, miss: 2e7 }), 'it has more than 20000000 lines'],
    [line({ minute: '2026-03-02T00:00Z' }), 'it is not of a later minute than the line before'],
    [line({ minute: '2027-04-06T00:00Z' }), 'the file covers more than 400 days'],
  ])('is told by the number of the line: %s', async (bad, problem) => {
    const complaints = await refused(JSON.stringify(object), '', bad)
    expect(complaints).toMatch(/^Line 3: [^\n]*\.$/)
    expect(complaints).toContain(problem)
  })

  test('is one that is not there, is not packed as its name says, or has nothing', async () => {
    const missing = join(folder, 'missing.jsonl')
    expect(await tool('--minutes', missing)).toEqual({
      code: 2,
      output: '',
      complaints: `${missing} cannot be read (ENOENT).`,
    })
    expect((await tool('--minutes', written('{}', '.gz'))).complaints).toMatch(/cannot be read \(Z_DATA_ERROR\)/)
    expect((await tool('--minutes', written('\n'))).complaints).toMatch(/has no minutes\.$/)
  })
})

describe('day files of the log', () => {
  const DAY = 1_440
  const logLine = (minute: number, second: number, status: string, code: number): string =>
    `${status}|${code}|${minute * 60_000 + second * 1_000}|100|301|-|-|-|-|-|-|-\n`
  /** One line a second for a day, from the cache but for one in ten; where it fails, old. */
  const day = (number: number, failing: readonly number[] = []): string =>
    Array.from({ length: DAY * 30 }, (_, index) => {
      const minute = PAST_FROM + number * DAY + Math.floor(index / 30)
      const status = failing.includes(minute) ? 'STALE' : index % 10 === 0 ? 'MISS' : 'HIT'
      return logLine(minute, (index % 30) * 2, status, 200)
    }).join('')
  const bad = Array.from({ length: 15 }, (_, index) => PAST_FROM + DAY + 600 + index)
  let paths: readonly string[]
  beforeAll(() => {
    paths = [written(day(0), '.log'), written(gzipSync(day(1, bad)), '.log.gz')]
  })

  test('are counted as the bot counts them, in any order, with what a shell makes of a pattern', async () => {
    const [first = '', second = ''] = paths
    const run = await tool('--json', '--log', first, second)
    expect(run).toMatchObject({ code: 0, complaints: '' })
    expect(run.output).toMatch(/^\{"at":"2026-03-03T10:0\dZ","event":"begin","incident":"1","kind":"origin-failing"/)
    expect(await tool('--json', '--log', second, '--log', first)).toEqual(run)
    expect((await tool('--log', first)).output).toContain('The log: 2026-03-02 00:00 to 2026-03-03 00:00 UTC, 24 h')
  })

  test('cover their days whole, and days between that are not given were not read', async () => {
    const few = Array.from({ length: 30 }, (_, index) => logLine(PAST_FROM + 2 * DAY, index, 'HIT', 200)).join('')
    const [first = ''] = paths
    const { output } = await tool('--log', first, written(few, '.log'))
    expect(output).toContain('2026-03-02 00:00 to 2026-03-05 00:00 UTC, 3 d, of which 66.7 % was read.')
  })

  test('are of the day of most of their lines: others are left out, and said to be', async () => {
    const [first = ''] = paths
    const stray = written(`${day(0)}${logLine(PAST_FROM - 1, 59, 'HIT', 200)}no line\n`, '.log')
    const { code, output, complaints } = await tool('--log', stray)
    expect({ code, output }).toEqual({ code: 0, output: (await tool('--log', first)).output })
    expect(complaints).toBe(
      `${stray}: 1 line is not of a log and left out.\n${stray}: 1 line is of other days than 2026-03-02 and left out.`,
    )
  })

  test('are refused where two are of one day, where one has no line of a log, and beyond 400 days', async () => {
    const [first = ''] = paths
    const again = written(day(0), '.log')
    expect(await tool('--log', first, again)).toEqual({
      code: 2,
      output: '',
      complaints: `${first} and ${again} are both of 2026-03-02.`,
    })
    expect((await tool('--log', written('{}\n', '.log'))).complaints).toMatch(/has no lines of a log\.$/)
    const late = written(logLine(PAST_FROM + 400 * DAY, 0, 'HIT', 200), '.log')
    expect((await tool('--log', first, late)).complaints).toBe('What the files hold covers more than 400 days.')
    const year = Array.from({ length: 401 }, (_, number) => logLine(PAST_FROM + number * DAY, 0, 'HIT', 200))
    const long = written(year.join(''), '.log')
    expect((await tool('--log', long)).complaints).toBe(`${long} covers more than 400 days.`)
  })
})

describe('a zone in the store of a stopped bot', () => {
  const harness = createSqliteHarness()
  afterAll(() => harness.close())

  zonePastSuite(harness, () => harness.path)

  test('is not looked at while the bot runs, nor where there is no store', async () => {
    await harness.open()
    const run = await backtestTool({ STORE_URL: harness.path }, '--zone', '301')
    expect(run).toMatchObject({ code: 78, output: '' })
    expect(run.complaints).toMatch(/^The store could not be read: .*The bot is using/)
    const missing = join(folder, 'missing.sqlite')
    expect((await backtestTool({}, '--zone', '301', '--store', missing)).complaints).toContain(`no file ${missing}`)
    expect(await backtestTool({ STORE_URL: 'mysql://u:hush@h/x' }, '--zone', '301')).toEqual({
      code: 78,
      output: '',
      complaints: 'STORE_URL is neither the path of a file nor postgres://….',
    })
  })
})
