import { checkDnsRecordRequest, type DnsRecordRequest } from '../../cdn/dns-record.ts'
import type { Issue } from '../operation.ts'
import { type Normalised, normaliseRecordName, normaliseValue } from './record-value.ts'
import { type DnsInput, MAX_COMMENT_CHARACTERS, RECORD_FIELD_NAMES } from './record-fields.ts'
import { recordWarnings, typeIssues } from './record-warnings.ts'
import { type RecordFieldName, takesField } from './record-types.ts'
import { DNS_RECORD_TYPES, type DnsRecordTypeName, MONITOR_TYPES, SMART_ROUTING_TYPES } from '../../cdn/enums.ts'

export interface RecordDraft {
  /** What would be sent; right only when there are no issues. */
  readonly request: DnsRecordRequest
  /** Name and value as they would be sent; undefined when not given, not taken, or wrong. */
  readonly name: string | undefined
  readonly value: string | undefined
  readonly issues: readonly Issue[]
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Turns what was given into the request, with everything there is to say about it. Checking, reviewing and sending all
 * come here, so what was reviewed is what is sent. With a marker, a comment that was left empty is the marker.
 */
export function draftRecord(input: Partial<DnsInput>, marker?: string): RecordDraft {
  const { type } = input
  // Which rules hold depends on the type; without one the form is still being filled in.
  if (type === undefined) return { request: {}, name: undefined, value: undefined, issues: [], notes: [], warnings: [] }
  const name = input.name === undefined ? undefined : normaliseRecordName(input.name)
  const hasValue = input.value !== undefined && takesField(type, 'value')
  const value = hasValue ? normaliseValue(type, input.value ?? '', input.tag) : undefined
  const mark = markerIn(input, marker)
  const marked = mark === undefined ? input : { ...input, comment: mark }
  const request = recordRequest(type, sentText(name) ?? '', sentText(value), marked)
  const issues = [...issueOf('name', name), ...issueOf('value', value), ...typeIssues(type, input)]
  const zoneCode = takesField(type, 'latencyZone') ? input.latencyZone : undefined
  return {
    request,
    name: sentText(name),
    value: sentText(value),
    issues: issues.length > 0 ? issues : contractIssues(request),
    notes: [...notesOf(name), ...notesOf(value), ...upperCased(zoneCode), ...(mark === undefined ? [] : [MARKED])],
    warnings: recordWarnings(type, input, sentText(name), sentText(value)),
  }
}

const MARKED =
  'The comment was left empty, so it names this change: if no answer comes, the record can be found by it. MARK_RECORDS in the settings turns that off.'

/**
 * The marker, where the comment of this record is to be it: what people wrote goes first, and a marker that the
 * platform would not take whole is worth nothing.
 */
export function markerIn({ comment = '' }: Partial<DnsInput>, marker: string | undefined): string | undefined {
  return comment === '' && marker !== undefined && marker.length <= MAX_COMMENT_CHARACTERS ? marker : undefined
}

/** The rules of the client's own border, under the names our inputs have: a net below the checks above. */
function contractIssues(request: DnsRecordRequest): readonly Issue[] {
  const fields = requestFields(undefined, {})
  return checkDnsRecordRequest(request).map(({ field, message }) => ({
    field: RECORD_FIELD_NAMES.find((name) => fields[name][0] === field.split('.')[0]),
    problem: message,
  }))
}

function upperCased(code: string | undefined): readonly string[] {
  return code === undefined || code === code.toUpperCase() ? [] : [`The latency zone is sent as ${code.toUpperCase()}.`]
}

function sentText(normalised: Normalised | undefined): string | undefined {
  return normalised?.ok === true ? normalised.sent : undefined
}

function notesOf(normalised: Normalised | undefined): readonly string[] {
  return normalised?.ok === true ? normalised.notes : []
}

function issueOf(field: string, normalised: Normalised | undefined): readonly Issue[] {
  return normalised === undefined || normalised.ok ? [] : [{ field, problem: normalised.problem }]
}

/** Every input that not all types take: the name under which it is sent, in the platform's own spelling, and its value. */
export function requestFields(value: string | undefined, input: Partial<DnsInput>) {
  return {
    value: ['Value', value],
    ttl: ['Ttl', input.ttl],
    weight: ['Weight', input.weight],
    priority: ['Priority', input.priority],
    flags: ['Flags', input.flags],
    tag: ['Tag', input.tag],
    port: ['Port', input.port],
    pullZone: ['PullZoneId', input.pullZone?.id],
    script: ['ScriptId', input.script],
    accelerated: ['Accelerated', input.accelerated],
    monitor: ['MonitorType', input.monitor && MONITOR_TYPES[input.monitor]],
    latitude: ['GeolocationLatitude', input.latitude],
    longitude: ['GeolocationLongitude', input.longitude],
    latencyZone: ['LatencyZone', input.latencyZone?.toUpperCase()],
    smartRouting: ['SmartRoutingType', input.smartRouting && SMART_ROUTING_TYPES[input.smartRouting]],
    disabled: ['Disabled', input.disabled],
    variables: ['EnviromentalVariables', input.variables?.map(({ name, value: own }) => ({ Name: name, Value: own }))],
    comment: ['Comment', input.comment],
    autoSsl: ['AutoSslIssuance', input.autoSsl],
  } as const satisfies Readonly<Record<RecordFieldName, readonly [keyof DnsRecordRequest, unknown]>>
}

/**
 * The body that adds the record: the type, the name, and of the rest what was given and the type takes, nothing else,
 * since even an explicit 0 changes what the platform does. `name` and `value` are the normalised ones.
 */
function recordRequest(
  type: DnsRecordTypeName,
  name: string,
  value: string | undefined,
  input: Partial<DnsInput>,
): DnsRecordRequest {
  const fields = requestFields(value, input)
  const sent = RECORD_FIELD_NAMES.filter((field) => takesField(type, field))
    .map((field) => fields[field])
    .filter(([, given]) => given !== undefined)
  return { Type: DNS_RECORD_TYPES[type], Name: name, ...Object.fromEntries(sent) }
}
