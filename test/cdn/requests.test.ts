import { describe, expect, it } from 'vitest'
import { checkApiKeyPage } from '../../src/cdn/api-keys.ts'
import { checkDnsRecordRequest } from '../../src/cdn/dns-record.ts'
import { checkDayFilter, checkLogFilter } from '../../src/cdn/log-filter.ts'
import {
  checkVideoLibraryRequest,
  completeVideoLibraryRequest,
  GENERATION_FLAGS,
  turnsTranscribingOn,
  videoLibraryWarnings,
} from '../../src/cdn/video-library.ts'

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
    expect(checkVideoLibraryRequest(request)).toContainEqual({
      field,
      message: expect.stringMatching(message) as string,
    })
  })

  it.each(GENERATION_FLAGS)('with %s on and transcribing turned off is refused', (flag) => {
    const request = { Name: 'x', EnableTranscribing: false, [flag]: true }
    expect(checkVideoLibraryRequest(request)).toEqual([
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
    expect(checkVideoLibraryRequest(request)).toEqual([])
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
    expect(checkVideoLibraryRequest(request)).toEqual([])
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
    ['EnviromentalVariables', [{ Name: 'A' }]],
    ['EnvironmentalVariables', []],
  ])('with %s = %s is refused', (field, value) => {
    expect(checkDnsRecordRequest({ [field]: value })).toHaveLength(1)
  })

  it('may be empty, as the contract has no required field', () => {
    expect(checkDnsRecordRequest({})).toEqual([])
  })
})

describe('a page of keys', () => {
  it.each([{ page: 0 }, { page: 2_147_483_648 }, { page: 1.5 }, { perPage: 4 }, { perPage: 1_001 }])(
    '%j is refused',
    (page) => {
      expect(checkApiKeyPage(page)).toEqual([
        { field: Object.keys(page)[0], message: expect.stringMatching(/whole number from \d+ to \d+/) as string },
      ])
    },
  )

  it.each([{}, { page: 1, perPage: 5 }, { page: 2_147_483_647, perPage: 1_000 }])('%j is within the bounds', (page) => {
    expect(checkApiKeyPage(page)).toEqual([])
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

  it.each([{}, { from: ago(72) }, { status: ['404', '5xx'], cacheStatus: ['-', 'EXPIRED'], country: ['DE'] }])(
    '%j is fine',
    (filter) => {
      expect(checkLogFilter(filter, NOW)).toEqual([])
    },
  )
})

describe('a day', () => {
  it.each(['2026-11-21', '2026-11-16', '2026-11-31', '20.11.2026', ''])('“%s” is refused', (day) => {
    expect(checkDayFilter(day, {}, NOW).map(({ field }) => field)).toEqual(['day'])
  })

  it.each(['2026-11-20', '2026-11-17'])('%s is within the three days', (day) => {
    expect(checkDayFilter(day, {}, NOW)).toEqual([])
  })
})
