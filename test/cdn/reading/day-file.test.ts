import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { MAX_LINE_BYTES, readDayFile, readEntries, tallyLines } from '../../../src/cdn/reading/day-file.ts'
import { LOG_FIELDS, type LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import type { EntryFilter } from '../../../src/cdn/contract/log-filter.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { noDeadline } from '../arrived-answer.ts'

const AT = Date.parse('2026-11-20T11:00:00Z')
const ID = '322b688bd63fb63f2babe9de30a5d262'
const REST = `412|390|192.0.2.0|-|https://a.example/v|WA|Agent|${ID}|DE`

function line(parts: Partial<Record<string, string | number>> = {}): string {
  const { cache = 'MISS', status = 404, at = AT, url = 'https://a.example/v.mp4?token=canary', more = '' } = parts
  const { ip = '192.0.2.0', referer = '-', edge = 'WA', agent = 'Player/1.0', id = ID, country = 'DE' } = parts
  return `${cache}|${status}|${at}|412|390|${ip}|${referer}|${url}|${edge}|${agent}|${id}|${country}${more}`
}

function read(lines: readonly string[], filter: EntryFilter = {}, fields = LOG_FIELDS) {
  const entries: LogEntry[] = []
  const reader = readEntries(filter, fields, (entry) => void entries.push(entry))
  reader.push(Buffer.from(lines.join('\n')))
  return { entries, summary: reader.finish() }
}

it.each([13, 1_000, MAX_LINE_BYTES * 3])('passes over lines beyond 64 KB and counts them, in chunks of %i', (size) => {
  const long = 'x'.repeat(MAX_LINE_BYTES + 1)
  const bytes = Buffer.from(['a', long, 'b', 'y'.repeat(MAX_LINE_BYTES), long, 'c'].join('\n'))
  const tally = readEntries({ status: ['599'] }, LOG_FIELDS, () => undefined)
  for (let at = 0; at < bytes.length; at += size) tally.push(bytes.subarray(at, at + size))
  expect(tally.finish()).toMatchObject({ lines: 6, malformedLines: 4, tooLongLines: 2 })
})

describe('a day file', () => {
  it('tells of its progress once a second at most', async () => {
    const clock = new TurnedClock()
    const waits = [0, 999, 1, 999, 5_000]
    const body = Readable.from(waits.map(() => Buffer.from(`x\n${line()}\n`)))
    const reader = readEntries({}, LOG_FIELDS, () => clock.turn(waits.shift() ?? 0))
    const told: unknown[] = []
    const onProgress = (progress: unknown) => void told.push(progress)
    const deadline = noDeadline()
    await readDayFile({ status: 200, headers: {}, body }, deadline, reader, { clock, onProgress })
    deadline.stop()
    const bytes = line().length + 3
    expect(told).toEqual([3, 5].map((matched) => ({ lines: 2 * matched, matched, bytes: matched * bytes })))
  })

  it('never tells the authorization header, nor a line in which it could stand elsewhere', () => {
    const { entries } = read([line({ more: '|400|bytes=0-1|Bearer hush' })])
    expect(entries).toMatchObject([{ bodyBytesSent: 400n, contentRange: 'bytes=0-1' }])
    expect(Object.values(entries[0] ?? {}).join()).not.toContain('hush')
    // Of a line with too many separators it is not certain which field it is.
    const { summary } = read([
      line({ more: '|400|bytes=0-1|Bearer hush|x' }),
      line({ more: '|x|400|bytes=0-1|Bearer hush' }),
    ])
    expect(summary).toMatchObject({ matched: 0, malformedLines: 2 })
    // An answer says of malformed lines that they are in no count.
    expect([summary.countsByCacheStatus.size, summary.countsByStatusClass.size]).toEqual([0, 0])
  })

  it('counts every line by cache status and class, whatever the filter', () => {
    const lines = [
      line(),
      line({ cache: 'HIT', status: 200 }),
      line({ cache: 'HIT', status: 206 }),
      line({ cache: '-', status: 500 }),
    ]
    const { entries, summary } = read(lines, { cacheStatus: ['MISS'] })
    expect(entries).toHaveLength(1)
    expect(summary).toMatchObject({ lines: 4, matched: 1, malformedLines: 0, tooLongLines: 0 })
    expect(summary.countsByCacheStatus).toEqual(
      new Map([
        ['HIT', 2],
        ['MISS', 1],
        ['-', 1],
      ]),
    )
    expect(summary.countsByStatusClass).toEqual(
      new Map([
        ['2xx', 2],
        ['4xx', 1],
        ['5xx', 1],
      ]),
    )
  })

  it.each<[EntryFilter, number]>([
    [{}, 1],
    [{ cacheStatus: ['STALE', 'MISS'] }, 1],
    [{ cacheStatus: ['STALE'] }, 0],
    [{ status: ['404'] }, 1],
    [{ status: ['4xx'] }, 1],
    [{ status: ['403', '5xx'] }, 0],
    [{ from: new Date(AT) }, 1],
    [{ from: new Date(AT + 1) }, 0],
    [{ to: new Date(AT) }, 0],
    [{ to: new Date(AT + 1) }, 1],
    [{ urlContains: 'V.MP4?TOKEN=CAN' }, 1],
    [{ urlContains: 'other' }, 0],
    [{ userAgentContains: 'player' }, 1],
    [{ refererContains: 'x' }, 0],
    [{ country: ['FR', 'DE'] }, 1],
    [{ country: ['FR'] }, 0],
    [{ edgeLocation: 'WA' }, 1],
    [{ edgeLocation: 'W' }, 0],
    [{ remoteIp: '192.0.2.0' }, 1],
    [{ remoteIp: '192.0.2.77' }, 1],
    [{ remoteIp: '192.0.3.77' }, 0],
    [{ remoteIp: 'nobody' }, 0],
    [{ remoteIp: 'fe80::1%eth0.1' }, 0],
    [{ requestId: '322B688B-D63F-B63F-2BAB-E9DE30A5D262' }, 1],
    [{ requestId: ID }, 1],
    [{ requestId: ID.replace('3', '4') }, 0],
    [{ search: 'nothing player' }, 1],
    [{ search: 'nothing 192.0.2.0' }, 0],
  ])('matches %j %i times', (filter, times) => {
    expect(read([line()], filter).summary.matched).toBe(times)
  })

  it.each([
    ['2001:db8:1:2::9', '2001:DB8:1:2:0:0:0:9', 1],
    ['2001:db8:1:2::', '2001:db8:1:2::9', 1],
    ['2001:db8:0:0::', '2001:db8::9', 1],
    ['2001:db8:1:3::', '2001:db8:1:2::9', 0],
    ['0.0.0.0', '192.0.2.77', 0],
    ['::', '2001:db8::9', 0],
    ['-', '192.0.2.77', 0],
  ])('with the address %s matches a filter by %s %i times', (ip, remoteIp, times) => {
    expect(read([line({ ip })], { remoteIp }).summary.matched).toBe(times)
  })

  it('leaves out numbers that are none, and fields that are not allowed', () => {
    const { entries } = read([line({ at: 'soon' })], {}, ['timestamp', 'cacheStatus'])
    expect(entries).toEqual([{ cacheStatus: 'MISS' }])
    expect(read([line({ at: 'soon' })], { to: new Date(AT) }).entries).toEqual([])
  })

  it('counts more cache statuses than there can be under one name', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    const lines = Array.from({ length: 100 }, (_, n) =>
      line({ cache: `S${letters[n % 26]}${letters[Math.floor(n / 26)]}` }),
    )
    const frequent = lines.map(() => line({ cache: 'HIT' }))
    const { summary } = read([...frequent, ...lines])
    expect(summary.countsByCacheStatus.size).toBe(65)
    expect(summary.countsByCacheStatus.get('HIT')).toBe(100)
    expect(summary.countsByCacheStatus.get('other')).toBe(37)
    expect(summary.matched).toBe(200)
  })

  it('gives the lines of a status that has that name, and no others under it', () => {
    const others = Array.from({ length: 70 }, (_, n) => line({ cache: `S${n}` }))
    const { entries, summary } = read([line({ cache: 'other' }), ...others], { cacheStatus: ['other'] })
    expect(entries.map(({ cacheStatus }) => cacheStatus)).toEqual(['other'])
    expect(summary.countsByCacheStatus.get('other')).toBe(8)
    const none = Array.from({ length: 70 }, () => line({ cache: '-' }))
    expect(read([...none, line()]).summary.countsByCacheStatus).toEqual(
      new Map([
        ['-', 70],
        ['MISS', 1],
      ]),
    )
  })
})

it.each([
  ['no time', `HIT|200||${REST}`],
  ['a time that is no number', `HIT|200|17x|${REST}`],
  ['a time of too many digits', `HIT|200|1234567890123456|${REST}`],
  ['nothing after the time', `HIT|200|${AT}`],
  ['no code', `HIT|abc|${AT}|${REST}`],
  ['a word alone', 'HIT'],
])('a line with %s is malformed, and not told', (_, line) => {
  const lines: unknown[] = []
  const reader = tallyLines((...told) => void lines.push(told))
  reader.push(Buffer.from(`${line}\nMISS|404|${AT}|${REST}\n`))
  const summary = reader.finish()
  expect(lines).toEqual([[AT, 'MISS', 404]])
  expect(summary).toMatchObject({ lines: 2, matched: 1, malformedLines: 1 })
})
