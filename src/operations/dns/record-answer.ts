import { factList, paragraphs, titledList } from '../../block-kit/message.ts'
import { dateTime, link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { DnsRecord, type DnsRecordRequest, GeolocationInfo, IpGeoLocationInfo } from '../../cdn/dns-record.ts'
import { DNS_RECORD_TYPES, nameOf } from '../../cdn/enums.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Answer } from '../answer.ts'
import type { OperationContext } from '../operation.ts'
import {
  type Difference,
  differencesList,
  type FieldShape,
  isSame,
  storedFields,
  storedFieldsMessage,
  storedAnswer,
} from '../stored-fields.ts'
import { zoneLabel } from '../zone-field.ts'
import { draftRecord } from './record-draft.ts'
import type { DnsInput } from './record-fields.ts'
import { isAccelerated, RECORD_WORDS, recordWords } from './record-review.ts'

const RECORD_SHAPE: FieldShape = {
  ...Object.fromEntries(Object.keys(DnsRecord.shape).map((name) => [name, undefined])),
  IPGeoLocationInfo: Object.keys(IpGeoLocationInfo.shape),
  GeolocationInfo: Object.keys(GeolocationInfo.shape),
}

const MAX_NAME_IN_SENTENCE = 80

const SUMMARY = ['Type', 'Name', 'Value', 'Priority', 'Ttl', 'Disabled'] as const
const PULL_ZONE_COMES_LATER = 'The pull zone that accelerates the record may take some minutes to appear.'

export function recordAnswer(record: DnsRecord, input: DnsInput, running: OperationContext): Answer {
  const { request } = draftRecord(input, running.marker)
  const lead = leadSentence(record, request, input)
  const summary = SUMMARY.filter((field) => record[field] !== undefined && Object.hasOwn(request, field)).map(
    (field) => [field, recordWords(field, record[field])] as const,
  )
  const differences = differencesList(recordDifferences(request, record))
  const filled = titledList(
    'Filled in by the platform',
    filledIn(request, record).map(([field, value]) => md`*${field}*: ${value}`),
  )
  const fields = storedFields(RECORD_SHAPE, record, RECORD_WORDS)
  const all = storedFieldsMessage(`DNS record ${record.Id}, all fields`, fields)
  return storedAnswer([paragraphs(lead), factList(summary), differences, filled], footnotes(input, running), all)
}

function leadSentence(record: DnsRecord, request: DnsRecordRequest, { type, zone }: DnsInput): Mrkdwn {
  const storedType = record.Type === undefined ? type : nameOf(DNS_RECORD_TYPES, record.Type)
  const name = record.Name ?? request.Name ?? ''
  return md`:white_check_mark: The ${storedType} record *${name === '' ? '@' : visible(name, MAX_NAME_IN_SENTENCE)}* was added to DNS zone *${zoneLabel(zone)}*. Its id is *${String(record.Id)}*.`
}

function footnotes(input: DnsInput, { panel, now }: OperationContext): readonly Mrkdwn[] {
  const place = panel('dns-zone', input.zone.id)
  return [
    md`Stored ${dateTime(now)}. CDN Ops cannot change or remove records.`,
    ...(isAccelerated(input) ? [md`${PULL_ZONE_COMES_LATER}`] : []),
    ...(place === undefined ? [] : [link(place, 'Open the zone in the panel')]),
  ]
}

/** What describes the record rather than being a setting of it. */
const NOT_ASKED_FOR = ['Id', 'LinkName', 'IPGeoLocationInfo', 'GeolocationInfo']

/**
 * Every field of the request that the stored record does not repeat as it was asked. The platform gives back the pull
 * zone under `LinkName` and the script under `Value`, so these are compared there, if they are given back at all.
 */
function recordDifferences(request: DnsRecordRequest, record: DnsRecord): readonly Difference[] {
  const differences: Difference[] = []
  for (const [field, asked] of Object.entries(request)) {
    const [storedAs, stored] = storedPlace(field, record)
    const isRepeated = storedAs === field || (stored !== undefined && stored !== '')
    if (!isRepeated || isSame(asked, stored)) continue
    differences.push({ field, asked: recordWords(field, asked), stored: storedWords(field, storedAs, stored) })
  }
  return differences
}

function filledIn(request: DnsRecordRequest, record: DnsRecord): readonly (readonly [string, string])[] {
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
