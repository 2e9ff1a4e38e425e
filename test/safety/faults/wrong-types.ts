import type { EndpointName } from '../../../src/cdn/endpoints.ts'
import * as contract from '../../fixtures/contract-fields.ts'

/** An answer in which one field has a type it cannot have. */
export interface WrongType {
  readonly field: string
  readonly body: string
}

/** For each type of the contract, values of other types. Text is taken for no number, and a number for no text. */
const WRONG: readonly (readonly [types: RegExp, values: readonly unknown[]])[] = [
  [/^(string|date|secret|codecs|resolutions)$/, [7, true, {}, []]],
  [/^(int64|id)$/, ['7', 1.5, {}, [], 1e300]],
  [/^(int32|port|byte|tier|recordType|monitorType|routingType)$/, ['7', 1.5, {}, 2_147_483_648]],
  [/^decimal$/, ['0.5', {}, []]],
  [/^boolean$/, ['true', 0, {}]],
  [/^strings$/, ['de', [7], {}]],
  [/^chart$/, ['x', 7, [1], { '2026-01-01': 'x' }, { '2026-01-01': 1.5 }]],
  [/^keys$/, ['x', {}, [7], [{ Id: 'x' }], [{ Key: 7 }], [{ Roles: 'x' }], [{ Roles: [7] }]]],
  [/^variables$/, ['x', [7], {}]],
  [/^(firstDrm|secondDrm|ipInfo|placeInfo)$/, ['x', 7, []]],
]

const TEXTS = ['cacheStatus', 'requestId', 'remoteIp', 'countryCode', 'host', 'path', 'url', 'userAgent', 'referer']
const AMOUNTS = ['bytesSent', 'pullZoneId', 'asn', 'bodyBytesSent']

/** Every field of an answer with every wrong type; nothing for lines of text, which have none. */
export function wrongTypes(endpoint: EndpointName): readonly WrongType[] {
  switch (endpoint) {
    case 'getStorageStatistics':
      return ofTable(contract.STATISTICS)
    case 'listApiKeys':
      return ofTable(contract.KEY_LIST)
    case 'createVideoLibrary':
      return ofTable(contract.LIBRARY)
    case 'addDnsRecord':
      return ofTable(contract.DNS_RECORD)
    case 'queryLogs':
      return [
        ...TEXTS.map((field) => inRow(field, 7)),
        ...AMOUNTS.flatMap((field) => [inRow(field, '7'), inRow(field, 1.5)]),
        inRow('statusCode', '200'),
        inRow('timestamp', 1_795_000_000_000),
        { field: 'row', body: page([7]) },
        { field: 'data', body: page('x') },
        { field: 'pagination', body: '{"data":[]}' },
        { field: 'pagination.hasMore', body: '{"data":[],"pagination":{"hasMore":"yes"}}' },
      ]
    case 'streamDayFile':
      return []
  }
}

function ofTable(table: string): readonly WrongType[] {
  const lines = table.trim().split('\n')
  return lines.flatMap((line) => {
    const [field = '', type = ''] = line.replace('?', '').split(' ')
    const values = WRONG.find(([types]) => types.test(type))?.[1]
    if (values === undefined) throw new Error(`No wrong value for ${line}`)
    return values.map((value) => ({ field, body: JSON.stringify({ Id: 7, [field]: value }) }))
  })
}

function inRow(field: string, value: unknown): WrongType {
  return { field, body: page([{ cacheStatus: 'HIT', [field]: value }]) }
}

function page(data: unknown): string {
  return JSON.stringify({ data, pagination: {} })
}
