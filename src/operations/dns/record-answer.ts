import { link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { DnsRecord, type DnsRecordRequest, GeolocationInfo, IpGeoLocationInfo } from '../../cdn/contract/dns-record.ts'
import type { DnsRecordTypeName } from '../../cdn/contract/enums.ts'
import type { Answer } from '../declaration/answer.ts'
import type { OperationContext } from '../declaration/operation.ts'
import {
  type Difference,
  type FieldShape,
  isSame,
  storedFields,
  storedFieldsMessage,
  storedAnswer,
} from '../declaration/stored-fields.ts'
import { zoneLabel } from '../declaration/zone-field.ts'
import { draftRecord, recordLabel } from './record-draft.ts'
import type { DnsInput } from './record-fields.ts'
import { isAccelerated, RECORD_WORDS, recordInShort, recordWords } from './record-review.ts'
import { aRecord } from './record-types.ts'

const RECORD_SHAPE: FieldShape = {
  ...Object.fromEntries(Object.keys(DnsRecord.shape).map((name) => [name, undefined])),
  IPGeoLocationInfo: Object.keys(IpGeoLocationInfo.shape),
  GeolocationInfo: Object.keys(GeolocationInfo.shape),
}

const PULL_ZONE_COMES_LATER = md`The pull zone that accelerates it may take some minutes to appear.`

export function recordAnswer(record: DnsRecord, input: DnsInput, running: OperationContext): Answer {
  const { request } = draftRecord(input, running.marker)
  const fields = storedFields(RECORD_SHAPE, record, RECORD_WORDS)
  return storedAnswer({
    actorId: running.actor.id,
    did: whatWasDone(record, request, input, running),
    differences: recordDifferences(request, record, input.type),
    small: isAccelerated(input) ? [PULL_ZONE_COMES_LATER] : [],
    allFields: storedFieldsMessage(`DNS record ${record.Id}, all fields`, fields),
  })
}

/** With what mattered in the review. */
function whatWasDone(
  { Id }: DnsRecord,
  { Priority, Ttl, Disabled }: DnsRecordRequest,
  input: DnsInput,
  { panel }: OperationContext,
): Mrkdwn {
  const place = panel('dns-zone', input.zone.id)
  const facts = [
    `added ${aRecord(input.type)} ${recordInShort(input)} to DNS zone ${zoneLabel(input.zone)}`,
    Priority !== undefined && `priority ${Priority}`,
    Ttl !== undefined && `TTL ${recordWords('Ttl', Ttl)}`,
    isAccelerated(input) && 'accelerated (billed)',
    Disabled === true && 'disabled',
  ].filter((fact) => fact !== false)
  const id = `record ${Id}`
  return md`${facts.join(', ')} · ${place === undefined ? id : link(place, id)}`
}

/**
 * Every field of the request that the stored record does not repeat as it was asked. The platform gives back the pull
 * zone under `LinkName` and the script under `Value`, so these are compared there, if they are given back at all.
 */
function recordDifferences(
  request: DnsRecordRequest,
  record: DnsRecord,
  type: DnsRecordTypeName,
): readonly Difference[] {
  const differences: Difference[] = []
  for (const [field, asked] of Object.entries(request)) {
    const [storedAs, stored] = storedPlace(field, record)
    const isRepeated = storedAs === field || (stored !== undefined && stored !== '')
    if (!isRepeated || isSame(asked, stored)) continue
    const label = recordLabel(type, field)
    const found = stored === undefined ? undefined : recordWords(storedAs, stored)
    differences.push({ field: label, asked: recordWords(field, asked), stored: found })
  }
  return differences
}

function storedPlace(field: string, record: DnsRecord): readonly [place: string, stored: unknown] {
  if (field === 'PullZoneId') return ['LinkName', record.LinkName]
  if (field === 'ScriptId') return ['Value', record.Value]
  const stored: Readonly<Record<string, unknown>> = record
  return [field, stored[field]]
}
