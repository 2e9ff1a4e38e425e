import type { DnsRecordRequest } from '../../cdn/dns-record.ts'
import { DNS_RECORD_TYPES, type DnsRecordTypeName, MONITOR_TYPES, SMART_ROUTING_TYPES } from '../../cdn/enums.ts'
import type { DnsInput } from './record-fields.ts'
import { type RecordFieldName, takesField } from './record-types.ts'

/** Under which name each input is sent; `variables` in the platform's own spelling. */
export const REQUEST_NAMES = {
  value: 'Value',
  ttl: 'Ttl',
  weight: 'Weight',
  priority: 'Priority',
  flags: 'Flags',
  tag: 'Tag',
  port: 'Port',
  pullZone: 'PullZoneId',
  script: 'ScriptId',
  accelerated: 'Accelerated',
  monitor: 'MonitorType',
  latitude: 'GeolocationLatitude',
  longitude: 'GeolocationLongitude',
  latencyZone: 'LatencyZone',
  smartRouting: 'SmartRoutingType',
  disabled: 'Disabled',
  variables: 'EnviromentalVariables',
  comment: 'Comment',
  autoSsl: 'AutoSslIssuance',
} as const satisfies Readonly<Record<RecordFieldName, keyof DnsRecordRequest>>

/** Every input that not all types take. */
export const RECORD_FIELD_NAMES = Object.keys(REQUEST_NAMES) as readonly RecordFieldName[] // the keys of that very type

/**
 * The body that adds the record: the type, the name, and of the rest what was given and the type takes, nothing else,
 * since even an explicit 0 changes what the platform does. `name` and `value` are the normalised ones.
 */
export function recordRequest(
  type: DnsRecordTypeName,
  name: string,
  value: string | undefined,
  input: Partial<DnsInput>,
): DnsRecordRequest {
  const all = {
    Value: value,
    Ttl: input.ttl,
    Weight: input.weight,
    Priority: input.priority,
    Flags: input.flags,
    Tag: input.tag,
    Port: input.port,
    PullZoneId: input.pullZone?.id,
    ScriptId: input.script,
    Accelerated: input.accelerated,
    MonitorType: input.monitor && MONITOR_TYPES[input.monitor],
    GeolocationLatitude: input.latitude,
    GeolocationLongitude: input.longitude,
    LatencyZone: input.latencyZone?.toUpperCase(),
    SmartRoutingType: input.smartRouting && SMART_ROUTING_TYPES[input.smartRouting],
    Disabled: input.disabled,
    EnviromentalVariables: input.variables?.map((variable) => ({ Name: variable.name, Value: variable.value })),
    Comment: input.comment,
    AutoSslIssuance: input.autoSsl,
  }
  const sent = RECORD_FIELD_NAMES.filter((field) => takesField(type, field))
    .map((field) => [REQUEST_NAMES[field], all[REQUEST_NAMES[field]]] as const)
    .filter(([, given]) => given !== undefined)
  return { Type: DNS_RECORD_TYPES[type], Name: name, ...Object.fromEntries(sent) }
}
