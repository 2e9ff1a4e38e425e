import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { ApiKeyFields, SentApiKeyList, ROLES_THAT_READ_STATISTICS } from '../../src/cdn/contract/api-keys.ts'
import { DRM_VERSIONS, ENCODING_TIERS } from '../../src/cdn/contract/dialect.ts'
import {
  DnsRecord,
  DnsRecordRequest,
  EnvironmentVariable,
  GeolocationInfo,
  IpGeoLocationInfo,
} from '../../src/cdn/contract/dns-record.ts'
import { callKind, ENDPOINT_NAMES, endpoints } from '../../src/cdn/contract/endpoints.ts'
import * as enums from '../../src/cdn/contract/enums.ts'
import { parseJson, stringifyJson } from '../../src/shared/json.ts'
import { StorageStatisticsFields } from '../../src/cdn/contract/storage-statistics.ts'
import {
  FirstVendorDrm,
  RESOLUTIONS,
  SecondVendorDrm,
  VideoLibrary,
  VideoLibraryRequest,
} from '../../src/cdn/contract/video-library.ts'
import { Secret } from '../../src/shared/secret.ts'
import * as contract from '../fixtures/contract-fields.ts'

/** For each type of the transcription: what goes over the wire, and what the program then holds. */
const SAMPLES: Readonly<Record<string, readonly [wire: unknown, inside: unknown]>> = {
  string: ['text', 'text'],
  boolean: [false, false],
  int32: [2_147_483_647, 2_147_483_647],
  int64: [9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
  id: [9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
  port: [65_535, 65_535],
  byte: [255, 255],
  decimal: [0.125, 0.125],
  latitude: [-89.5, -89.5],
  longitude: [179.5, 179.5],
  date: ['2026-02-06T09:27:36.7357793Z', new Date('2026-02-06T09:27:36.735Z')],
  secret: ['0123456789abcdef-canary', new Secret('0123456789abcdef-canary')],
  strings: [
    ['de', 'en'],
    ['de', 'en'],
  ],
  chart: [
    { '2026-01-01T00:00:00Z': 9_007_199_254_740_993n },
    new Map([['2026-01-01T00:00:00Z', 9_007_199_254_740_993n]]),
  ],
  keys: [[{ Id: 7 }], [{ Id: 7 }]],
  tier: [1, 1],
  codecs: ['x264', 'x264'],
  resolutions: ['240p,2160p', '240p,2160p'],
  recordType: [15, 15],
  monitorType: [3, 3],
  routingType: [2, 2],
  variables: [[{ Name: 'A', Value: 'b' }], [{ Name: 'A', Value: 'b' }]],
  firstDrm: [{ Enabled: true }, { Enabled: true }],
  secondDrm: [{ SdOnlyForL3: true }, { SdOnlyForL3: true }],
  ipInfo: [{ ASN: 64_500 }, { ASN: 64_500n }],
  placeInfo: [{ Latitude: 1.5 }, { Latitude: 1.5 }],
}

/** For each type, values of other types. Text is taken for no number, and a number for no text. */
const WRONG: readonly (readonly [types: RegExp, values: readonly unknown[]])[] = [
  [/^(string|date|secret|codecs|resolutions)$/, [7, true, {}, []]],
  [/^(int64|id)$/, ['7', 1.5, {}, [], 1e300]],
  [/^(int32|port|byte|tier|recordType|monitorType|routingType)$/, ['7', 1.5, {}, 2_147_483_648]],
  [/^(decimal|latitude|longitude)$/, ['0.5', {}, []]],
  [/^boolean$/, ['true', 0, {}]],
  [/^strings$/, ['de', [7], {}]],
  [/^chart$/, ['x', 7, [1], { '2026-01-01': 'x' }, { '2026-01-01': 1.5 }]],
  [/^keys$/, ['x', {}, [7], [{ Id: 'x' }], [{ Key: 7 }], [{ Roles: 'x' }], [{ Roles: [7] }]]],
  [/^variables$/, ['x', [7], {}]],
  [/^(firstDrm|secondDrm|ipInfo|placeInfo)$/, ['x', 7, []]],
]

interface Table {
  readonly schema: z.ZodType
  readonly shape: object
  readonly lines: string
  /** What every answer or request must have besides the field looked at. */
  readonly always: Readonly<Record<string, unknown>>
  readonly answer: boolean
}

const answer = (schema: z.ZodObject, lines: string, always = {}): Table => ({
  schema,
  shape: schema.shape,
  lines,
  always,
  answer: true,
})

const TABLES: Readonly<Record<string, Table>> = {
  'storage statistics': answer(StorageStatisticsFields, contract.STATISTICS),
  'key list': answer(SentApiKeyList, contract.KEY_LIST),
  'key item': answer(ApiKeyFields, contract.KEY_ITEM),
  'video library': answer(VideoLibrary, contract.LIBRARY, { Id: 1 }),
  'first DRM object': answer(FirstVendorDrm, contract.FIRST_DRM),
  'second DRM object': answer(SecondVendorDrm, contract.SECOND_DRM),
  'DNS record': answer(DnsRecord, contract.DNS_RECORD, { Id: 1 }),
  'IP information': answer(IpGeoLocationInfo, contract.IP_INFO),
  'place information': answer(GeolocationInfo, contract.PLACE_INFO),
  'environment variable': answer(EnvironmentVariable, contract.ENVIRONMENT_VARIABLE),
  'video library request': {
    schema: VideoLibraryRequest,
    shape: VideoLibraryRequest.shape,
    lines: contract.LIBRARY_REQUEST,
    always: { Name: 'x', EncodingTier: 1 },
    answer: false,
  },
  'DNS record request': {
    schema: DnsRecordRequest,
    shape: DnsRecordRequest.shape,
    lines: contract.DNS_REQUEST,
    always: {},
    answer: false,
  },
}

function fieldsOf(lines: string) {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', type = ''] = line.split(' ')
      return { name, type: type.replace('?', ''), nullable: type.endsWith('?') }
    })
}

/** Over the wire and back, as the client does it. */
const overTheWire = (value: unknown): unknown => parseJson(stringifyJson(value))

describe.each(Object.entries(TABLES))('the table of the %s', (_, { schema, shape, lines, always, answer }) => {
  const fields = fieldsOf(lines)

  it('has the same fields as the schema, none missing and none invented', () => {
    expect(Object.keys(shape).toSorted()).toEqual(fields.map(({ name }) => name).toSorted())
  })

  it.each(fields)('carries $name without loss', ({ name, type }) => {
    const [wire, inside] = SAMPLES[type]!
    const read = schema.parse(overTheWire({ ...always, [name]: wire })) as Record<string, unknown>
    expect(read[name]).toEqual(inside)
    if (inside instanceof Secret) expect((read[name] as Secret).reveal()).toBe(wire)
  })

  it.each(fields.filter(({ name, nullable }) => (answer ? !(name in always) : nullable)))(
    'accepts $name as null and as missing',
    ({ name }) => {
      expect(schema.safeParse({ ...always, [name]: null }).success).toBe(true)
      expect(schema.safeParse(always).success).toBe(true)
    },
  )

  it.each(fields)('does not take $name of another type', ({ name, type }) => {
    const wrong = WRONG.find(([types]) => types.test(type))?.[1] ?? []
    const taken = [...wrong, Symbol('no such type')].filter(
      (value) => schema.safeParse({ ...always, [name]: value }).success,
    )
    expect(taken).toEqual([])
  })
})

describe('the numbered choices', () => {
  it.each([
    ['recordType', enums.DNS_RECORD_TYPES],
    ['monitorType', enums.MONITOR_TYPES],
    ['routingType', enums.SMART_ROUTING_TYPES],
    ['monitorStatus', enums.MONITOR_STATUSES],
    ['accelerationStatus', enums.ACCELERATION_STATUSES],
    ['pullZoneType', enums.PULL_ZONE_TYPES],
  ] as const)('%s has every value of the contract and no other', (name, choice) => {
    const stated = contract.ENUMS[name].split(', ').map((pair) => pair.split(' = ').toReversed())
    expect(Object.entries(choice).map(([word, number]) => [word, String(number)])).toEqual(stated)
    for (const [word, number] of Object.entries(choice)) expect(enums.nameOf(choice, number)).toBe(word)
  })

  it('name every number the contract leaves without a name', () => {
    expect(Object.values(ENCODING_TIERS)).toEqual(contract.NUMBERS_WITHOUT_NAMES.EncodingTier)
    expect(Object.values(DRM_VERSIONS)).toEqual(contract.NUMBERS_WITHOUT_NAMES.DrmVersion)
  })

  it('show a number nobody has named as the number', () => {
    expect(enums.nameOf(enums.DNS_RECORD_TYPES, 16)).toBe('16')
    expect(DnsRecord.parse({ Id: 1, Type: 16, MonitorStatus: 9 })).toMatchObject({ Type: 16, MonitorStatus: 9 })
  })

  it.each(Object.entries(enums.DNS_RECORD_TYPES))('%s may be sent as a record type', (_, number) => {
    expect(DnsRecordRequest.safeParse({ Type: number }).success).toBe(true)
  })

  it('list the cache statuses, resolutions and roles of the contract', () => {
    expect(Object.keys(enums.CACHE_STATUSES)).toEqual(contract.CACHE_STATUS_NAMES)
    expect(RESOLUTIONS).toEqual(contract.RESOLUTION_NAMES)
    expect([...ROLES_THAT_READ_STATISTICS]).toEqual(contract.STATISTICS_ROLES)
  })
})

describe('the endpoint table', () => {
  it('has every call of the contract, with its method and path', () => {
    const declared = Object.values(endpoints).map(({ method, base, path }) => `${method} ${base} ${path}`)
    expect(declared).toEqual(
      expect.arrayContaining([
        'GET management /storagezone/{id}/statistics',
        'GET management /apikey',
        'POST management /videolibrary',
        'PUT management /dnszone/{zoneId}/records',
        'GET logging /v2/pullzones/{pullZoneId}/logs',
        'GET logging /{MM}-{DD}-{YY}/{pullZoneId}.log',
      ]),
    )
  })

  it.each(ENDPOINT_NAMES)('repeats %s only if it is a GET, although a PUT looks as if it could be', (name) => {
    expect(callKind(name) === 'write').toBe(endpoints[name].method !== 'GET')
  })
})
