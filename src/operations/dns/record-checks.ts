import type { DnsRecordRequest } from '../../cdn/contract/dns-record.ts'
import type { Issue } from '../declaration/operation.ts'
import { type Normalised, normaliseRecordName, normaliseValue } from './record-value.ts'
import {
  DNS_FIELDS,
  type DnsInput,
  MAX_COMMENT_CHARACTERS,
  RECORD_FIELD_NAMES,
  aRecord,
  RECORD_TYPES,
  type RecordFieldName,
  takesField,
} from './record-fields.ts'
import { sentenceStart } from '../declaration/prompt-words.ts'
import {
  DNS_RECORD_TYPES,
  type DnsRecordTypeName,
  MONITOR_TYPES,
  SMART_ROUTING_TYPES,
} from '../../cdn/contract/enums.ts'
import { domainToUnicode } from 'node:url'
import { hidesSomething } from '../../shared/untrusted.ts'

/**
 * Turns what was given into the request, with everything there is to say about it. Checking, reviewing and sending all
 * come here, so what was reviewed is what is sent. With a marker, a comment that was left empty is the marker.
 */
export function draftRecord(input: Partial<DnsInput>, marker?: string) {
  const { type, latencyZone = '' } = input
  // Which rules hold depends on the type; without one the form is still being filled in.
  if (type === undefined) return { request: {}, name: undefined, value: undefined, issues: [], notes: [], warnings: [] }
  const hasValue = input.value !== undefined && takesField(type, 'value')
  const name = readText('name', input.name === undefined ? undefined : normaliseRecordName(input.name))
  const value = readText('value', hasValue ? normaliseValue(type, input.value, input.tag) : undefined)
  const mark = markerIn(input, marker)
  const marked = mark === undefined ? input : { ...input, comment: mark }
  const code = latencyZone.toUpperCase()
  const isCodeChanged = code !== latencyZone && takesField(type, 'latencyZone')
  return {
    /** What would be sent; right only when there are no issues. */
    request: recordRequest(type, name.sent ?? '', requestFields(value.sent, marked)),
    /** Name and value as they would be sent; undefined when not given, not taken, or wrong. */
    name: name.sent,
    value: value.sent,
    issues: [name.issues, value.issues, ...TYPE_RULES.map((rule) => rule(type, input))].flat(),
    notes: [
      ...name.notes,
      ...value.notes,
      ...(isCodeChanged ? [`The latency zone is sent as ${code}.`] : []),
      ...(mark === undefined ? [] : ['The comment is set to this change’s id, so the record can be found by it.']),
    ],
    /** What a person should know before the record is added, though nothing forbids it. */
    warnings: [
      ...leftOut(type, input),
      ...aboutType(type, name.sent, value.sent),
      ...doubledZone(input, name.sent),
      ...unusedRouting(type, input),
      ...lookAlikeWarnings(type, { name: name.sent, value: value.sent, comment: input.comment }),
    ],
  }
}

function readText(field: string, normalised: Normalised | undefined) {
  if (normalised === undefined) return { sent: undefined, notes: [], issues: [] }
  if (!normalised.ok) return { sent: undefined, notes: [], issues: [{ field, problem: normalised.problem }] }
  return { sent: normalised.sent, notes: normalised.notes, issues: [] }
}

/**
 * The marker, where the comment of this record is to be it: what people wrote goes first, and a marker that the
 * platform would not take whole is worth nothing.
 */
export function markerIn({ comment = '' }: Partial<DnsInput>, marker: string | undefined): string | undefined {
  return comment === '' && marker !== undefined && marker.length <= MAX_COMMENT_CHARACTERS ? marker : undefined
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

type RequestFields = ReturnType<typeof requestFields>

/**
 * The body that adds the record: the type, the name, and of the rest what was given and the type takes, nothing else,
 * since even an explicit 0 changes what the platform does. `name` and the value are the normalised ones.
 */
function recordRequest(type: DnsRecordTypeName, name: string, fields: RequestFields): DnsRecordRequest {
  const sent = RECORD_FIELD_NAMES.filter((field) => takesField(type, field))
    .map((field) => fields[field])
    .filter(([, given]) => given !== undefined)
  return { Type: DNS_RECORD_TYPES[type], Name: name, ...Object.fromEntries(sent) }
}

/** What the form of this type calls a field of the request; what is no field of it keeps its name. */
export function recordLabel(type: DnsRecordTypeName, sentAs: string): string {
  const fields = requestFields(undefined, {})
  const field = RECORD_FIELD_NAMES.find((name) => fields[name][0] === sentAs)
  return field === undefined ? sentAs : labelOf(type, field)
}

function labelOf(type: DnsRecordTypeName, field: RecordFieldName): string {
  return field === 'value' ? RECORD_TYPES[type].value.label : DNS_FIELDS[field].label
}

const TYPE_RULES = [missing, bounds, nameIssues, routingIssues]

function missing(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly Issue[] {
  const record = sentenceStart(aRecord(type))
  return RECORD_TYPES[type].needs
    .filter((field) => input[field] === undefined)
    .map((field) => ({ field, problem: `${record} needs ${labelOf(type, field)}.`, missing: true }))
}

function bounds(type: DnsRecordTypeName, { weight = 0 }: Partial<DnsInput>): readonly Issue[] {
  const { maxWeight } = RECORD_TYPES[type]
  if (weight <= maxWeight) return []
  return [{ field: 'weight', problem: `The weight of ${aRecord(type)} is a whole number from 0 to ${maxWeight}.` }]
}

function nameIssues(type: DnsRecordTypeName, { name }: Partial<DnsInput>): readonly Issue[] {
  const refuse = (problem: string): readonly Issue[] => [{ field: 'name', problem }]
  if (type === 'NS' && name === '@') {
    return refuse('The CDN takes no NS record for the zone itself: give the name of a part of it.')
  }
  if (type === 'SRV' && name !== undefined && !/^_[^.]+\._[^.]+/.test(name)) {
    return refuse('The name of an SRV record begins with service and protocol, such as _sip._tcp.')
  }
  return []
}

function routingIssues(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly Issue[] {
  if (input.smartRouting === 'Latency' && input.latencyZone === undefined && takesField(type, 'latencyZone')) {
    const problem = 'Latency routing needs the latency zone this record stands for.'
    return [{ field: 'latencyZone', problem, missing: true }]
  }
  if (input.smartRouting !== 'Geolocation') return []
  if (type === 'CNAME') {
    return [{ field: 'smartRouting', problem: 'A CNAME record can be routed by latency only, not by geolocation.' }]
  }
  if (!takesField(type, 'latitude')) return []
  return (['latitude', 'longitude'] as const)
    .filter((field) => input[field] === undefined)
    .map((field) => ({ field, problem: `Geolocation routing needs the ${field} of this record.`, missing: true }))
}

function leftOut(type: DnsRecordTypeName, input: Partial<DnsInput>): readonly string[] {
  return RECORD_FIELD_NAMES.filter((field) => input[field] !== undefined && !takesField(type, field)).map(
    (field) => `${labelOf(type, field)} is not sent: ${aRecord(type)} takes none.`,
  )
}

function aboutType(type: DnsRecordTypeName, name: string | undefined, value: string | undefined): readonly string[] {
  if (type === 'Flatten')
    return ['The CDN has discontinued Flatten records and may refuse this one; CNAME takes their place.']
  if (type === 'CNAME' && name === '') {
    return ['At the zone itself a CNAME record is flattened: the CDN answers with the addresses of its target.']
  }
  if ((type === 'SVCB' || type === 'HTTPS') && value !== undefined && !value.includes(' ')) {
    return ['The value has no parameters, and the CDN has been known to refuse such records.']
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

/**
 * What a name or value may be taken for: letters beyond ASCII that look like others, and characters nobody sees. None of
 * it is forbidden; a person who reviews a record has to know.
 */
export function lookAlikeWarnings(
  type: DnsRecordTypeName,
  { name, value = '', comment = '' }: Partial<Record<'name' | 'value' | 'comment', string | undefined>>,
) {
  return [
    ...hostWarnings(name),
    ...hostWarnings(hostIn(type, value)),
    hidesSomething(value) &&
      'The value holds characters that cannot be seen or that reorder text; they are shown as \\u{…}.',
    /[\r\n\t]/.test(value) && 'The value holds line ends or tabs, which are sent with it.',
    /[^\S \r\n\t]/.test(value) &&
      'The value holds spaces of another kind, as web pages have them, which are sent as they are.',
    hidesSomething(comment) && 'The comment holds characters that cannot be seen or that reorder text.',
  ].filter((warning) => warning !== false)
}

const HOSTS: ReadonlySet<DnsRecordTypeName> = new Set(['CNAME', 'Flatten', 'PTR', 'NS', 'MX', 'SRV', 'SVCB', 'HTTPS'])

function hostIn(type: DnsRecordTypeName, value: string): string | undefined {
  if (type === 'Redirect') return URL.canParse(value) ? new URL(value).hostname : undefined
  return HOSTS.has(type) ? value.split(' ')[0] : undefined
}

/** Only names in their ASCII form of other letters can be mistaken; all that is plain ASCII is what it looks like. */
function hostWarnings(host = ''): readonly string[] {
  return host
    .split('.')
    .filter((label) => /^xn--/i.test(label))
    .map(warnOfLabel)
}

function warnOfLabel(label: string): string {
  const letters = domainToUnicode(label)
  if (letters === '' || letters === label.toLowerCase())
    return `${label} looks like the ASCII form of other letters, and is none.`
  const [script, other] = ALIKE.filter((each) => new RegExp(`\\p{Script=${each}}`, 'u').test(letters))
  const stands = `${label} stands for ${letters}`
  if (script !== undefined && other !== undefined)
    return `${stands}, which mixes ${script} and ${other} letters: it can be taken for another name.`
  return script === undefined || script === 'Latin'
    ? `${stands}.`
    : `${stands}. Check each letter: some ${script} ones look like Latin ones.`
}

const ALIKE = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'] as const
