import { describe, expect, it } from 'vitest'
import type { LogFilter } from '../../../src/cdn/contract/log-filter.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { dayFilter, logFilter, questionValues } from '../../../src/operations/logs/log-request.ts'
import { logQuestion } from '../../support/log-entries.ts'
import { NOW } from '../../support/operation-context.ts'

function sent(values: RawValues): Partial<LogFilter> {
  const filter = Object.entries(logFilter(logQuestion(values), NOW)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(filter)
}

const SHOWN_ALL = { cache: 'all' }

describe('the question as the platform gets it', () => {
  it.each<[RawValues, Partial<LogFilter>]>([
    [{}, { cacheStatus: ['MISS', 'STALE'] }],
    [{ cache: 'all' }, {}],
    [{ cache: 'hit,none' }, { cacheStatus: ['HIT', '-'] }],
    [{ cache: ['expired', 'MISS', 'miss'] }, { cacheStatus: ['EXPIRED', 'MISS'] }],
    [{ status: '404, 5XX' }, { status: ['404', '5xx'] }],
    [{ status: 'error' }, { status: ['5xx'] }],
    [{ status: '404,Errors' }, { status: ['404', '5xx'] }],
    [{ ...SHOWN_ALL, since: '1h' }, { from: new Date('2026-11-20T11:00Z') }],
    [
      { ...SHOWN_ALL, since: '2026-11-19', until: '03:10' },
      { from: new Date('2026-11-19Z'), to: new Date('2026-11-20T03:10Z') },
    ],
    [{ ...SHOWN_ALL, url: '/Check' }, { urlContains: '/Check' }],
    [{ ...SHOWN_ALL, ip: '203.0.113.7' }, { remoteIp: '203.0.113.7' }],
    [{ ...SHOWN_ALL, ip: '2001:DB8::1' }, { remoteIp: '2001:db8::1' }],
    [{ ...SHOWN_ALL, ip: 'all' }, {}],
    [{ ...SHOWN_ALL, country: 'de,at' }, { country: ['DE', 'AT'] }],
    [{ ...SHOWN_ALL, edge: 'wa' }, { edgeLocation: 'WA' }],
    [{ ...SHOWN_ALL, agent: 'curl' }, { userAgentContains: 'curl' }],
    [{ ...SHOWN_ALL, referer: 'example' }, { refererContains: 'example' }],
    [{ ...SHOWN_ALL, search: 'two words' }, { search: 'two words' }],
    [{ request: 'a'.repeat(32) }, { requestId: 'a'.repeat(32) }],
    [{ ...SHOWN_ALL, order: 'oldest' }, { order: 'asc' }],
    [{ ...SHOWN_ALL, order: 'newest' }, { order: 'desc' }],
    [{ ...SHOWN_ALL, shield: 'true' }, { includeOriginShield: true }],
    [{ ...SHOWN_ALL, shield: 'false' }, {}],
  ])('%j becomes %j', (values, filter) => {
    expect(sent(values)).toEqual(filter)
  })

  it('leaves out an end in the future, which could stretch the range beyond 3 days', () => {
    expect(sent({ ...SHOWN_ALL, since: '3d', until: '2026-11-23' })).toEqual({ from: new Date('2026-11-17T12:00Z') })
    expect(sent({ ...SHOWN_ALL, until: '2026-11-23' })).toEqual({})
  })

  it('keeps the end an earlier answer was pinned to, even if that lies a little ahead of this clock', () => {
    const until = '2026-11-20T12:00:05.000Z'
    expect(sent({ ...SHOWN_ALL, since: '1h', until, continueAt: '0.1000.1' }).to).toEqual(new Date(until))
  })

  it('starts a day before an end that was given alone', () => {
    expect(sent({ ...SHOWN_ALL, until: '1d' }).from).toEqual(new Date('2026-11-18T12:00Z'))
  })

  it('never starts before what the platform keeps, where the start was not given', () => {
    expect(sent({ ...SHOWN_ALL, until: '60h' }).from).toEqual(new Date('2026-11-17T12:00Z'))
  })

  it('moves a start that has just left retention along with its edge, and leaves an older one to be refused', () => {
    expect(sent({ ...SHOWN_ALL, since: '2026-11-17T11:40Z' }).from).toEqual(new Date('2026-11-17T12:00Z'))
    expect(sent({ ...SHOWN_ALL, since: '2026-11-17T11:20Z' }).from).toEqual(new Date('2026-11-17T11:20Z'))
  })

  it('asks a day file for the same, without what only version 2 knows', () => {
    const asked = { day: '2026-11-19', since: '2026-11-19T03:00Z', status: '5xx', ip: '203.0.113.7' }
    const filter = dayFilter(logQuestion(asked))
    expect(filter).toMatchObject({ from: new Date('2026-11-19T03:00Z'), status: ['5xx'], remoteIp: '203.0.113.7' })
    expect(filter).not.toHaveProperty('order')
  })
})

describe('the question in the form it can be asked again in', () => {
  it('is read back as the same question, whatever it holds', () => {
    const filters = { cache: 'none,HIT', status: '404', url: 'a b', ip: 'all', country: 'DE', edge: 'WA', agent: 'x' }
    const further = { referer: 'y', search: 'z', request: 'f'.repeat(32), since: '1h', until: 'now', order: 'oldest' }
    const shown = { shield: 'true', limit: '7', by: 'edge', csv: 'true', continueAt: '4000.1000.37' }
    const everything = logQuestion({ ...filters, ...further, ...shown })
    expect(logQuestion(questionValues(everything, {}))).toEqual({ ...everything, pullZone: { id: 201n, name: 'shop' } })
    const allOfADay = logQuestion({ cache: 'all', day: 'yesterday' })
    expect(logQuestion(questionValues(allOfADay, {}))).toEqual(allOfADay)
  })

  it('takes changes, undefined leaving a value out', () => {
    const values = questionValues(logQuestion({ since: '1h', by: 'path' }), { by: undefined, csv: 'true' })
    expect(values).toEqual({ pullZone: '201', since: '2026-11-20T11:00:00.000Z', csv: 'true' })
  })
})
