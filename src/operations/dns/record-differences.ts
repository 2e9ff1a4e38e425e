import type { DnsRecord } from '../../cdn/dns-record.ts'
import type { DnsRecordRequest } from '../../cdn/dns-record-request.ts'
import { type Difference, isSame } from '../stored-differences.ts'
import { recordWords } from './record-words.ts'

/** What describes the record rather than being a setting of it. */
const NOT_ASKED_FOR = ['Id', 'LinkName', 'IPGeoLocationInfo', 'GeolocationInfo']

/**
 * Every field of the request that the stored record does not repeat as it was asked. The platform gives back the pull
 * zone under `LinkName` and the script under `Value`, so these are compared there, if they are given back at all.
 */
export function recordDifferences(request: DnsRecordRequest, record: DnsRecord): readonly Difference[] {
  const differences: Difference[] = []
  for (const [field, asked] of Object.entries(request)) {
    const [storedAs, stored] = storedPlace(field, record)
    const isRepeated = storedAs === field || (stored !== undefined && stored !== '')
    if (!isRepeated || isSame(asked, stored)) continue
    differences.push({ field, asked: recordWords(field, asked), stored: storedWords(field, storedAs, stored) })
  }
  return differences
}

/** What the platform filled in by itself: fields that were not asked for and hold something. */
export function filledIn(request: DnsRecordRequest, record: DnsRecord): readonly (readonly [string, string])[] {
  const own = new Set<string>(NOT_ASKED_FOR)
  // The value of a script record is the script's id, which was asked for in a field of its own.
  if (request.ScriptId !== undefined || request.PullZoneId !== undefined) own.add('Value')
  return Object.entries(record)
    .filter(([field, stored]) => !own.has(field) && !Object.hasOwn(request, field) && holdsSomething(stored))
    .map(([field, stored]) => [field, recordWords(field, stored)] as const)
}

function storedPlace(field: string, record: DnsRecord): readonly [place: string, stored: unknown] {
  if (field === 'PullZoneId') return ['LinkName', record.LinkName]
  if (field === 'ScriptId') return ['Value', record.Value]
  const stored: Readonly<Record<string, unknown>> = record
  return [field, stored[field]]
}

function storedWords(field: string, storedAs: string, stored: unknown): string | undefined {
  if (stored === undefined) return undefined
  return storedAs === field ? recordWords(field, stored) : `${storedAs} ${recordWords(storedAs, stored)}`
}

const NOTHING: ReadonlySet<unknown> = new Set([undefined, '', 0, 0n, false])

function holdsSomething(stored: unknown): boolean {
  if (Array.isArray(stored)) return stored.length > 0
  return !NOTHING.has(stored)
}
