import * as z from 'zod'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ApiKeyPage } from '../../src/cdn/contract/api-keys.ts'
import { DnsRecordRequest } from '../../src/cdn/contract/dns-record.ts'
import { issuesOf } from '../../src/cdn/contract/request-rules.ts'
import { checkDayFilter, checkLogFilter } from '../../src/cdn/contract/log-filter.ts'
import {
  completeVideoLibraryRequest,
  GENERATION_FLAGS,
  turnsTranscribingOn,
  VideoLibraryRequest,
  videoLibraryWarnings,
} from '../../src/cdn/contract/video-library.ts'
import { fillPath } from '../../src/cdn/contract/path-template.ts'
import { readId } from '../../src/operations/declaration/fields.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000)

describe('a video library request', () => {
  it.each([
    [{ Name: '' }, 'Name', /at least 1 character/],
    [{}, 'Name', /at least 1 character/],
    [{ Name: 'x', EnabledResolutions: '' }, 'EnabledResolutions', /At least one resolution/],
    [{ Name: 'x', EnabledResolutions: '720p,' }, 'EnabledResolutions', /allowed are 240p/],
    [{ Name: 'x', EnabledResolutions: '4k' }, 'EnabledResolutions', /“4k” is not a resolution/],
    [{ Name: 'x', OutputCodecs: 'h264' }, 'OutputCodecs', /allowed are x264, vp9, hevc, av1/],
    [{ Name: 'x', OutputCodecs: 'x264,vp9' }, 'OutputCodecs', /free encoding tier supports only x264/],
    [{ Name: 'x', OutputCodecs: 'av1', EncodingTier: 0 }, 'OutputCodecs', /av1 needs the premium tier/],
    [{ Name: 'x', JitEncodingEnabled: true }, 'JitEncodingEnabled', /premium encoding tier only/],
    [{ Name: 'x', JitEncodingEnabled: true, EncodingTier: 0 }, 'JitEncodingEnabled', /premium encoding tier only/],
    [{ Name: 'x', EncodingTier: 2 }, 'EncodingTier', /0 \(free\) or 1 \(premium\)/],
    [{ Name: 'x', PlayerVersion: 2_147_483_648 }, 'PlayerVersion', /./],
    [{ Name: 'x', PlayerVersion: 1.5 }, 'PlayerVersion', /./],
    [{ Name: 'x', Nmae: 'y' }, '', /Nmae/],
  ])('%j is refused for %s', (request, field, message) => {
    expect(issuesOf(VideoLibraryRequest, request)).toContainEqual({
      field,
      message: expect.stringMatching(message) as string,
    })
  })

  it.each(GENERATION_FLAGS)('with %s on and transcribing turned off is refused', (flag) => {
    const request = { Name: 'x', EnableTranscribing: false, [flag]: true }
    expect(issuesOf(VideoLibraryRequest, request)).toEqual([
      { field: flag, message: expect.stringContaining('turns transcribing on') as string },
    ])
  })

  it.each(GENERATION_FLAGS)('with %s on sends transcribing on as well, and says so', (flag) => {
    const request = { Name: 'x', [flag]: true }
    expect(turnsTranscribingOn(request)).toBe(true)
    expect(completeVideoLibraryRequest(request)).toEqual({ ...request, EnableTranscribing: true })
  })

  it('is sent with what was given and nothing else', () => {
    const request = {
      Name: 'x',
      JitEncodingEnabled: true,
      EncodingTier: 1 as const,
      OutputCodecs: 'x264,av1',
      EnableMP4Fallback: false,
    }
    expect(issuesOf(VideoLibraryRequest, request)).toEqual([])
    const complete = completeVideoLibraryRequest({ ...request, PlayerVersion: undefined })
    expect(Object.keys(complete)).toEqual(Object.keys(request))
  })

  it('is warned about, not refused, where only experience speaks against it', () => {
    const request = {
      Name: 'x',
      EncodingTier: 1 as const,
      ReplicationRegions: ['DE', 'NY', 'XX'],
      TranscribingCaptionLanguages: ['en', 'qq'],
      JitEncodingEnabled: true,
      AllowEarlyPlay: true,
    }
    expect(issuesOf(VideoLibraryRequest, request)).toEqual([])
    expect(videoLibraryWarnings(request).map(({ field }) => field)).toEqual([
      'ReplicationRegions',
      'ReplicationRegions',
      'TranscribingCaptionLanguages',
      'AllowEarlyPlay',
    ])
  })
})

describe('a DNS record request', () => {
  it.each([
    ['Type', 16],
    ['Type', '0'],
    ['Ttl', -1],
    ['Ttl', 2_147_483_648],
    ['Weight', 1.5],
    ['Priority', 65_536],
    ['Flags', 256],
    ['Port', 65_536],
    ['PullZoneId', 0],
    ['ScriptId', 9_223_372_036_854_775_808n],
    ['MonitorType', 4],
    ['SmartRoutingType', 3],
    ['GeolocationLatitude', 90.1],
    ['GeolocationLongitude', Number.POSITIVE_INFINITY],
    ['GeolocationLongitude', Number.NaN],
    ['Weight', 65_536],
    ['Flags', -1],
    ['PullZoneId', 9_223_372_036_854_775_808n],
    ['ScriptId', 0n],
    ['GeolocationLongitude', -180.1],
    ['EnviromentalVariables', [{ Name: 'A' }]],
    ['EnviromentalVariables', Array.from({ length: 201 }, () => ({ Name: 'A', Value: '' }))],
    ['EnvironmentalVariables', []],
  ])('with %s = %s is refused', (field, value) => {
    expect(issuesOf(DnsRecordRequest, { [field]: value })).toHaveLength(1)
  })

  it.each([
    {},
    { Ttl: 0, Weight: 0, Priority: 0, Flags: 0, Port: 0, GeolocationLatitude: -90, GeolocationLongitude: -180 },
    { Ttl: 2 ** 31 - 1, Weight: 65_535, Priority: 65_535, Flags: 255, Port: 65_535 },
    { GeolocationLatitude: 90, GeolocationLongitude: 180, PullZoneId: 1n, ScriptId: 2n ** 63n - 1n },
    { Type: 0, MonitorType: 0, SmartRoutingType: 0, Value: '', Name: '', Tag: null, Accelerated: null },
    { EnviromentalVariables: Array.from({ length: 200 }, () => ({ Name: 'A', Value: '' })), Comment: 'c' },
  ])('may be at its bounds, and empty, as the contract has no required field (%#)', (request) => {
    expect(issuesOf(DnsRecordRequest, request)).toEqual([])
  })
})

describe('a page of keys', () => {
  it.each([{ page: 0 }, { page: 2_147_483_648 }, { page: 1.5 }, { perPage: 4 }, { perPage: 1_001 }])(
    '%j is refused',
    (page) => {
      expect(z.safeEncode(ApiKeyPage, page).error?.issues).toMatchObject([
        { path: Object.keys(page), message: expect.stringMatching(/whole number from \d+ to \d+/) as string },
      ])
    },
  )

  it.each([{}, { page: 1, perPage: 5 }, { page: 2_147_483_647, perPage: 1_000 }])('%j is within the bounds', (page) => {
    expect(z.safeEncode(ApiKeyPage, page).success).toBe(true)
  })
})

describe('a log filter', () => {
  it.each([
    [{ from: ago(1), to: ago(2) }, 'from', /before the end/],
    [{ from: ago(1), to: ago(1) }, 'from', /before the end/],
    [{ from: ago(73) }, 'from', /kept for 3 days/],
    [{ to: ago(73) }, 'to', /kept for 3 days/],
    [{ from: ago(-1) }, 'from', /future/],
    [{ status: ['4x'] }, 'status', /404 or a class such as 5xx/],
    [{ status: ['600'] }, 'status', /./],
    [{ cacheStatus: ['miss'] }, 'cacheStatus', /./],
    [{ country: ['Germany'] }, 'country', /./],
    [{ requestId: 'xyz' }, 'requestId', /32 hexadecimal/],
    [{ urlContains: 'x'.repeat(1_001) }, 'urlContains', /1000 characters/],
    [{ status: Array.from({ length: 101 }, () => '404') }, 'status', /100 values/],
    [{ search: 'w '.repeat(17) }, 'search', /16 words/],
    [{ search: 'w'.repeat(129) }, 'search', /128 characters/],
  ])('%j is refused for %s', (filter, field, message) => {
    expect(checkLogFilter(filter, NOW)).toContainEqual({ field, message: expect.stringMatching(message) as string })
  })

  it.each([
    {},
    { from: ago(72) },
    { search: 'w'.repeat(128) },
    { status: ['404', '5xx'], cacheStatus: ['-', 'EXPIRED'], country: ['DE'] },
  ])('%j is fine', (filter) => {
    expect(checkLogFilter(filter, NOW)).toEqual([])
  })
})

describe('a day', () => {
  it.each(['2026-11-21', '2026-11-16', '2026-11-31', '20.11.2026', ''])('“%s” is refused', (day) => {
    expect(checkDayFilter(day, {}, NOW).map(({ field }) => field)).toEqual(['day'])
  })

  it.each(['2026-11-20', '2026-11-17'])('%s is within the three days', (day) => {
    expect(checkDayFilter(day, {}, NOW)).toEqual([])
  })
})

const MAX = 2n ** 63n - 1n
const RUNS = 4_000
describe('an id', () => {
  test('is any whole number from 1 to 2^63-1, without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MAX), (id) => {
        expect(readId(String(id))).toBe(id)
      }),
      { numRuns: RUNS },
    )
  })

  test('is nothing else, whatever is typed', () => {
    const pieces = [
      '1',
      '7',
      '0',
      '/',
      '..',
      '%2f',
      '?',
      '#',
      '\\',
      ' ',
      '\n',
      '-',
      '.',
      '\u0661',
      'e',
      'n',
      '９',
      '9'.repeat(20),
    ]
    const piece = fc.constantFrom(...pieces)
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 24 }),
      fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(typed, (text) => {
        const id = readId(text)
        expect(id === undefined || (String(id) === text.trim() && id > 0n && id <= MAX)).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  test('stays one part of the path, whatever it is', () => {
    const piece = fc.constantFrom('1', '/', '..', '.', '%2f', '?', '#', '\\', ';', '@', ':', '\n')
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 3 })), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.join(''))
      .filter((joined) => joined.isWellFormed() && !/^\.{0,2}$/.test(joined))
    fc.assert(
      fc.property(text, (zoneId) => {
        const path = fillPath('/dnszone/{zoneId}/records', { zoneId })
        const { pathname, search, hash } = new URL(`https://a.example${path}`)
        expect([pathname.split('/').length, search, hash]).toEqual([4, '', ''])
      }),
    )
  })
})
