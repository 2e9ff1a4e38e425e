import type { DnsRecordTypeName } from '../../cdn/enums.ts'
import type { Issue } from '../operation.ts'
import { sentenceStart } from '../sentence-start.ts'
import { DNS_FIELDS, type DnsInput } from './record-fields.ts'
import { aRecord, RECORD_TYPES, type RecordFieldName } from './record-types.ts'

/** What a field is called in records of this type. */
export function labelOf(type: DnsRecordTypeName, field: RecordFieldName): string {
  return field === 'value' ? (RECORD_TYPES[type].value?.label ?? DNS_FIELDS.value.label) : DNS_FIELDS[field].label
}

/** The rules of a type that go beyond the form of its name and value: what it needs, its bounds, how it is routed. */
export function typeIssues(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly Issue[] {
  return [...missing(type, input), ...bounds(type, input), ...nameIssues(type, input), ...routingIssues(type, input)]
}

function missing(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly Issue[] {
  return RECORD_TYPES[type].needs
    .filter((field) => input[field] === undefined)
    .map((field) => ({
      field,
      problem: `${sentenceStart(aRecord(type))} needs ${labelOf(type, field)}.`,
      missing: true,
    }))
}

function bounds(type: DnsRecordTypeName, { weight }: Partial<DnsInput>): readonly Issue[] {
  const { maxWeight } = RECORD_TYPES[type]
  if (weight === undefined || maxWeight === undefined || weight <= maxWeight) return []
  return [{ field: 'weight', problem: `The weight of ${aRecord(type)} is a whole number from 0 to ${maxWeight}.` }]
}

function nameIssues(type: DnsRecordTypeName, { name }: Partial<DnsInput>): readonly Issue[] {
  if (name === undefined) return []
  if (type === 'NS' && name === '@') {
    return [
      { field: 'name', problem: 'The platform takes no NS record for the zone itself: give the name of a part of it.' },
    ]
  }
  if (type === 'SRV' && !/^_[^.]+\._[^.]+/.test(name)) {
    return [
      { field: 'name', problem: 'The name of an SRV record begins with service and protocol, such as _sip._tcp.' },
    ]
  }
  return []
}

function routingIssues(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly Issue[] {
  if (
    input.smartRouting === 'Latency' &&
    input.latencyZone === undefined &&
    RECORD_TYPES[type].takes.includes('latencyZone')
  ) {
    return [
      {
        field: 'latencyZone',
        problem: 'Latency routing needs the latency zone this record stands for.',
        missing: true,
      },
    ]
  }
  if (input.smartRouting !== 'Geolocation') return []
  if (type === 'CNAME') {
    return [{ field: 'smartRouting', problem: 'A CNAME record can be routed by latency only, not by geolocation.' }]
  }
  if (!RECORD_TYPES[type].takes.includes('latitude')) return []
  return (['latitude', 'longitude'] as const)
    .filter((field) => input[field] === undefined)
    .map((field) => ({ field, problem: `Geolocation routing needs the ${field} of this record.`, missing: true }))
}
