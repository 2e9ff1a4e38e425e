import * as z from 'zod'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { ApiKeyPage } from '../../src/cdn/contract/api-keys.ts'
import { DnsRecordRequest } from '../../src/cdn/contract/dns-record.ts'
import { issuesOf } from '../../src/cdn/contract/request-rules.ts'
import { LogQuery, TRANSCRIBING_LANGUAGES } from '../../src/cdn/contract/dialect.ts'
import { checkDayFilter, checkLogFilter, type LogFilter } from '../../src/cdn/contract/log-filter.ts'
import {
  completeVideoLibraryRequest,
  GENERATION_FLAGS,
  turnsTranscribingOn,
  VideoLibraryRequest,
  videoLibraryWarnings,
} from '../../src/cdn/contract/video-library.ts'
import { fillPath } from '../../src/cdn/contract/path-template.ts'
import { readId } from '../../src/operations/declaration/fields.ts'
import { anyCharacter } from '../block-kit/foreign-text.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000)

/** Each rule that is broken, with its field. */
const broken = (schema: z.ZodType, value: unknown): readonly string[] =>
  issuesOf(schema, value).map(({ field, message }) => `${field}: ${message}`)

describe('a video library request', () => {
  const NAMELESS = 'Name: A video library needs a name of at least 1 character.'
  const RESOLUTION = 'is not a resolution; allowed are 240p, 360p, 480p, 720p, 1080p, 1440p, 2160p.'
  const JIT = 'JitEncodingEnabled: JIT encoding is supported in the premium encoding tier only.'
  const FREE = 'OutputCodecs: The free encoding tier supports only x264;'
  const CODE = 'Codes are letters, such as NY or en.'
  it.each([
    [{ Name: '' }, [NAMELESS]],
    [{}, [NAMELESS]],
    [{ Name: 'x', EnabledResolutions: ' ' }, ['EnabledResolutions: At least one resolution must be enabled.']],
    [{ Name: 'x', EnabledResolutions: '720p,' }, [`EnabledResolutions: “” ${RESOLUTION}`]],
    [
      { Name: 'x', EnabledResolutions: '4k, 240p, 8k' },
      [`EnabledResolutions: “4k” ${RESOLUTION}`, `EnabledResolutions: “8k” ${RESOLUTION}`],
    ],
    [{ Name: 'x', OutputCodecs: 'X264' }, ['OutputCodecs: “X264” is not a codec; allowed are x264, vp9, hevc, av1.']],
    [{ Name: 'x', OutputCodecs: 'h264' }, ['OutputCodecs: “h264” is not a codec; allowed are x264, vp9, hevc, av1.']],
    [{ Name: 'x', OutputCodecs: 'x264, vp9' }, [`${FREE} vp9 needs the premium tier.`]],
    [{ Name: 'x', OutputCodecs: 'av1', EncodingTier: 0 }, [`${FREE} av1 needs the premium tier.`]],
    [{ Name: 'x', JitEncodingEnabled: true }, [JIT]],
    [{ Name: 'x', JitEncodingEnabled: true, EncodingTier: 0 }, [JIT]],
    [{ Name: 'x', EncodingTier: 2 }, ['EncodingTier: The encoding tier is 0 (free) or 1 (premium).']],
    [{ Name: 'x', PlayerVersion: 2_147_483_648 }, [expect.stringMatching(/^PlayerVersion: .*2147483647$/) as string]],
    [{ Name: 'x', PlayerVersion: 1.5 }, [expect.stringMatching(/^PlayerVersion: /) as string]],
    [
      { Name: 'x', ReplicationRegions: ['N', 'NY1'] },
      [`ReplicationRegions.0: ${CODE}`, `ReplicationRegions.1: ${CODE}`],
    ],
    [{ Name: 'x', TranscribingCaptionLanguages: ['', 'pt-BR'] }, [`TranscribingCaptionLanguages.0: ${CODE}`]],
    [{ Name: 'x', ReplicationRegions: Array(201).fill('NY') }, [expect.stringContaining('<=200') as string]],
    [{ Name: 'x', Nmae: 'y' }, [expect.stringContaining('Nmae') as string]],
  ])('%j is refused in words', (request, said) => {
    expect(broken(VideoLibraryRequest, request)).toEqual(said)
  })

  it.each(GENERATION_FLAGS)('with %s on and transcribing turned off is refused', (flag) => {
    expect(broken(VideoLibraryRequest, { Name: 'x', EnableTranscribing: false, [flag]: true })).toEqual([
      `${flag}: Generation turns transcribing on, but transcribing was turned off. Leave one of the two out.`,
    ])
  })

  it.each(GENERATION_FLAGS)('with %s on sends transcribing on as well, and says so', (flag) => {
    for (const others of [{}, { EnableTranscribing: null }]) {
      const request = { Name: 'x', ...others, [flag]: true }
      expect(turnsTranscribingOn(request)).toBe(true)
      expect(completeVideoLibraryRequest(request)).toEqual({ ...request, EnableTranscribing: true })
    }
    expect(turnsTranscribingOn({ Name: 'x', EnableTranscribing: true, [flag]: true })).toBe(false)
    expect(turnsTranscribingOn({ Name: 'x', [flag]: false })).toBe(false)
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
    expect(Object.entries(complete)).toEqual(Object.entries(request))
  })

  it('is warned about, not refused, where only experience speaks against it', () => {
    const request = {
      Name: 'x',
      EncodingTier: 1 as const,
      ReplicationRegions: ['NY', 'XX'],
      TranscribingCaptionLanguages: ['en', 'qq'],
      JitEncodingEnabled: true,
      AllowEarlyPlay: true,
    }
    expect(issuesOf(VideoLibraryRequest, request)).toEqual([])
    expect(videoLibraryWarnings(request)).toEqual([
      'XX is not a replication region known here.',
      'qq is not a caption language known here.',
      'Early play is known to stay off while JIT encoding is on.',
    ])
    expect(videoLibraryWarnings({ Name: 'x', AllowEarlyPlay: true })).toEqual([])
    expect(videoLibraryWarnings({ ...request, JitEncodingEnabled: false })).toHaveLength(2)
  })

  it('may have each region and language that is known', () => {
    const ReplicationRegions = ['UK', 'SE', 'NY', 'LA', 'SG', 'SYD', 'BR', 'JH']
    const TranscribingCaptionLanguages = TRANSCRIBING_LANGUAGES
    expect(videoLibraryWarnings({ Name: 'x', ReplicationRegions, TranscribingCaptionLanguages })).toEqual([])
    const names = new Intl.DisplayNames('en', { type: 'language' })
    expect(TRANSCRIBING_LANGUAGES.filter((code) => names.of(code) === code)).toEqual([])
    expect(new Set(TRANSCRIBING_LANGUAGES).size).toBe(56)
  })
})

describe('a DNS record request', () => {
  const ID = 'An id is a whole number above 0 that fits into 64 bits.'
  it.each<[field: string, says: string, values: readonly unknown[]]>([
    ['Type', 'The record type is a number from 0 (A) to 15 (TLSA).', [-1, 16, '0']],
    ['Ttl', 'The TTL is a whole number from 0 to 2147483647.', [-1, 2_147_483_648, 1.5]],
    ['Weight', 'The weight is a whole number from 0 to 65535.', [-1, 65_536, 1.5]],
    ['Priority', 'The priority is a whole number from 0 to 65535.', [-1, 65_536]],
    ['Flags', 'The flags byte is a whole number from 0 to 255.', [-1, 256]],
    ['Port', 'The port is a whole number from 0 to 65535.', [-1, 65_536]],
    ['PullZoneId', ID, [0, 0n, 9_223_372_036_854_775_808n]],
    ['ScriptId', ID, [-1, 0n, 9_223_372_036_854_775_808n]],
    ['MonitorType', 'The monitor type is a number from 0 (None) to 3 (Monitor).', [-1, 4]],
    ['SmartRoutingType', 'The smart routing type is 0 (None), 1 (Latency) or 2 (Geolocation).', [-1, 3]],
    ['GeolocationLatitude', 'The latitude is a number of degrees from -90 to 90.', [-90.1, 90.1, '1']],
    [
      'GeolocationLongitude',
      'The longitude is a number of degrees from -180 to 180.',
      [-180.1, 180.1, Number.NaN, Infinity],
    ],
    [
      'EnviromentalVariables',
      'At most 200 environment variables are sent.',
      [Array.from({ length: 201 }, () => ({ Name: 'A', Value: '' }))],
    ],
    ['EnviromentalVariables', expect.any(String) as string, [[{ Name: 'A' }]]],
    ['EnvironmentalVariables', expect.any(String) as string, [[]]],
  ])('with a wrong %s is refused', (field, says, values) => {
    for (const value of values)
      expect(issuesOf(DnsRecordRequest, { [field]: value }).map(({ message }) => message)).toEqual([says])
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
  const PAGE = 'A whole number from 1 to 2147483647 is needed.'
  const SIZE = 'A whole number from 5 to 1000 is needed.'
  it.each([
    [{ page: 0 }, PAGE],
    [{ page: 2_147_483_648 }, PAGE],
    [{ page: 1.5 }, PAGE],
    [{ perPage: 4 }, SIZE],
    [{ perPage: 1_001 }, SIZE],
  ])('%j is refused', (page, message) => {
    expect(z.safeEncode(ApiKeyPage, page).error?.issues).toMatchObject([{ path: Object.keys(page), message }])
  })

  it.each([{}, { page: 1, perPage: 5 }, { page: 2_147_483_647, perPage: 1_000 }])('%j is within the bounds', (page) => {
    expect(z.safeEncode(ApiKeyPage, page).success).toBe(true)
  })
})

it('a query of logs is read as it was sent', () => {
  const from = new Date('2026-11-20T10:00:00.5Z')
  for (const includeOriginShield of [true, false]) {
    const query = { from, status: ['404', '5xx'], includeOriginShield, limit: 20, offset: 2n ** 63n - 1n }
    expect(z.decode(LogQuery, z.encode(LogQuery, query))).toEqual(query)
  }
  expect(z.safeDecode(LogQuery, { from: 'soon' }).error?.issues).toMatchObject([{ message: 'must be a date-time' }])
  expect(z.safeDecode(LogQuery, { limit: '10001' }).success).toBe(false)
})

const TOO_OLD = 'Logs are kept for 3 days; older ones cannot be read.'

describe('a log filter', () => {
  const HASTE = 'The start must lie before the end.'
  const STATUS = 'A status is a code such as 404 or a class such as 5xx.'
  const CACHE = 'A cache status is a word such as MISS; none is the word for no cache involved.'
  const ID = 'A request id has 32 hexadecimal digits.'
  const LONG = 'A filter has at most 1000 characters.'
  const FIVE_MINUTES = 5 / 60
  it.each<[LogFilter, field: string, says: string]>([
    [{ from: ago(1), to: ago(2) }, 'from', HASTE],
    [{ from: ago(1), to: ago(1) }, 'from', HASTE],
    [{ from: ago(72.1) }, 'from', TOO_OLD],
    [{ to: ago(72 - FIVE_MINUTES) }, 'to', TOO_OLD],
    [{ from: ago(-0.001) }, 'from', 'The start lies in the future.'],
    [{ status: ['4x'] }, 'status', STATUS],
    [{ status: ['404', '600'] }, 'status', STATUS],
    [{ status: ['099'] }, 'status', STATUS],
    [{ cacheStatus: ['miss'] }, 'cacheStatus', CACHE],
    [{ cacheStatus: ['M'] }, 'cacheStatus', CACHE],
    [{ cacheStatus: ['M'.repeat(33)] }, 'cacheStatus', CACHE],
    [{ country: ['Germany'] }, 'country', 'A country is two letters such as DE.'],
    [{ requestId: 'xyz' }, 'requestId', ID],
    [{ requestId: '0'.repeat(33) }, 'requestId', ID],
    ...(['edgeLocation', 'remoteIp', 'urlContains', 'userAgentContains', 'refererContains'] as const).map(
      (field) => [{ [field]: 'x'.repeat(1_001) }, field, LONG] as [LogFilter, string, string],
    ),
    [{ search: 'w w'.repeat(334) }, 'search', LONG],
    [{ status: Array(101).fill('404') }, 'status', 'A filter lists at most 100 values.'],
    [{ search: 'w '.repeat(17) }, 'search', 'A search has at most 16 words.'],
    [{ search: 'w'.repeat(129) }, 'search', 'A word to search for has at most 128 characters.'],
  ])('%j is refused for %s', (filter, field, message) => {
    expect(checkLogFilter(filter, NOW)[0]).toEqual({ field, message })
  })

  it.each([
    {},
    { from: ago(72 + FIVE_MINUTES) },
    { from: NOW },
    { to: ago(72 - FIVE_MINUTES - 0.001) },
    { search: 'w'.repeat(128), urlContains: 'x'.repeat(1_000) },
    { search: 'w '.repeat(16) },
    { requestId: '322B688B-D63F-B63F-2BAB-E9DE30A5D262' },
    { status: Array(100).fill('404'), cacheStatus: ['-', 'EXPIRED', 'HI', 'A_'.repeat(16)], country: ['DE'] },
    { status: ['100', '599', '1xx', '5xx'] },
  ])('%j is fine', (filter) => {
    expect(checkLogFilter(filter, NOW)).toEqual([])
  })
})

describe('a day', () => {
  const NO_DAY = 'The day is a date such as 2026-11-20.'
  it.each([
    ['2026-11-21', 'The day lies in the future; days are UTC.'],
    ['2026-11-16', TOO_OLD],
    ['2026-11-31', NO_DAY],
    ['20.11.2026', NO_DAY],
    ['+002026-11-20', NO_DAY],
    ['', NO_DAY],
  ])('“%s” is refused', (day, message) => {
    expect(checkDayFilter(day, {}, NOW)).toEqual([{ field: 'day', message }])
  })

  it.each(['2026-11-20', '2026-11-17'])('%s is within the three days', (day) => {
    expect(checkDayFilter(day, {}, NOW)).toEqual([])
    expect(checkDayFilter(day, { from: NOW, to: NOW, country: ['de'] }, NOW).map(({ field }) => field)).toEqual([
      'from',
      'country',
    ])
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
      fc.string({ unit: anyCharacter, maxLength: 24 }),
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
      .array(fc.oneof(piece, fc.string({ unit: anyCharacter, maxLength: 3 })), { minLength: 1, maxLength: 8 })
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
