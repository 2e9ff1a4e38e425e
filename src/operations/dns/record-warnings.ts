import type { DnsRecordTypeName } from '../../cdn/enums.ts'
import { lookAlikeWarnings } from './look-alikes.ts'
import type { DnsInput } from './record-fields.ts'
import { RECORD_FIELD_NAMES } from './record-request.ts'
import { labelOf } from './record-rules.ts'
import { aRecord, takesField } from './record-types.ts'

/** What a person should know before the record is added, though nothing forbids it. `name` is the one sent. */
export function recordWarnings(
  type: DnsRecordTypeName,
  input: Partial<DnsInput>,
  name: string | undefined,
  value: string | undefined,
): readonly string[] {
  return [
    ...leftOut(type, input),
    ...aboutType(type, name, value),
    ...doubledZone(input, name),
    ...unusedRouting(type, input),
    ...lookAlikeWarnings(type, { name, value, comment: input.comment }),
  ]
}

function leftOut(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly string[] {
  return RECORD_FIELD_NAMES.filter((field) => input[field] !== undefined && !takesField(type, field)).map(
    (field) => `${labelOf(type, field)} is not sent: ${aRecord(type)} takes none.`,
  )
}

function aboutType(type: DnsRecordTypeName, name: string | undefined, value: string | undefined): readonly string[] {
  if (type === 'Flatten')
    return ['The platform has discontinued Flatten records and may refuse this one; CNAME takes their place.']
  if (type === 'CNAME' && name === '') {
    return ['At the zone itself a CNAME record is flattened: the platform answers with the addresses of its target.']
  }
  if ((type === 'SVCB' || type === 'HTTPS') && value !== undefined && !value.includes(' ')) {
    return ['The value has no parameters, and the platform has been known to refuse such records.']
  }
  return []
}

/** A name that ends with the zone's own would stand there twice. A zone is often called by its domain. */
function doubledZone({ zone }: Partial<DnsInput>, name: string | undefined): readonly string[] {
  const domain = zone?.name?.toLowerCase()
  if (name === undefined || domain === undefined || !domain.includes('.')) return []
  const doubled = name.toLowerCase() === domain || name.toLowerCase().endsWith(`.${domain}`)
  return doubled ? [`Names are relative to the zone, so this record would be ${name}.${domain}.`] : []
}

function unusedRouting(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly string[] {
  const warnings: string[] = []
  if (input.latencyZone !== undefined && input.smartRouting !== 'Latency' && takesField(type, 'latencyZone')) {
    warnings.push('The latency zone counts only with smart routing by latency.')
  }
  const placed = input.latitude !== undefined || input.longitude !== undefined
  if (placed && input.smartRouting !== 'Geolocation' && takesField(type, 'latitude')) {
    warnings.push('Latitude and longitude count only with smart routing by geolocation.')
  }
  return warnings
}
