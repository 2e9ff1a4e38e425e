import { joinMd, md, openInPanel } from '../../block-kit/mrkdwn.ts'
import { DnsRecord, type DnsRecordRequest, GeolocationInfo, IpGeoLocationInfo } from '../../cdn/contract/dns-record.ts'
import {
  ACCELERATION_STATUSES,
  DNS_RECORD_TYPES,
  MONITOR_STATUSES,
  MONITOR_TYPES,
  SMART_ROUTING_TYPES,
} from '../../cdn/contract/enums.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { defineOperation, MASK } from '../declaration/define-operation.ts'
import { one } from '../declaration/fields.ts'
import { nearestWord } from '../declaration/nearest-word.ts'
import type { CheckContext, FieldWording, FormStep, OperationContext, Review } from '../declaration/operation.ts'
import { named, said, storedAnswer, storedFieldsMessage, thingWords } from '../declaration/stored-fields.ts'
import { zoneLabel } from '../declaration/zone-field.ts'
import { draftRecord, markerIn, recordLabel } from './record-checks.ts'
import {
  DNS_FIELDS,
  type DnsInput,
  ttlWords,
  aRecord,
  RECORD_TYPES,
  recordTypeNamed,
  takesField,
  typeNames,
} from './record-fields.ts'
import { visible } from '../../shared/untrusted.ts'

type Name = keyof typeof DNS_FIELDS

const ALWAYS = ['zone', 'type', 'name'] as const satisfies readonly Name[]

const RECORD_FORM: FormStep<Name> = {
  title: 'Add a DNS record',
  intro: 'Adds a record and replaces nothing. What you leave empty is left to the CDN.',
  fields(values) {
    const type = typeIn(values)
    if (type !== undefined) return [...ALWAYS, ...RECORD_TYPES[type].needs, ...RECORD_TYPES[type].takes]
    // A value that came with a mistyped type stays in sight; else there is nothing to ask before the type is known.
    return values['value'] === undefined ? ALWAYS : [...ALWAYS, 'value']
  },
  redrawOn: ['type'],
  wording(values) {
    const type = typeIn(values)
    if (type === undefined) return {}
    const { needs, value } = RECORD_TYPES[type]
    const wording: Partial<Record<Name, FieldWording>> = {}
    for (const name of needs) wording[name] = { needed: true, ...(name === 'value' && value) }
    return wording
  },
}

function recordPositionals(values: RawValues): readonly Name[] {
  const type = typeIn(values)
  // `dns add shop www A …`: what is no type, nor like one, is the name.
  const isName =
    values['type'] !== undefined && type === undefined && nearestWord(one(values['type']), typeNames()) === undefined
  if (isName) return ['zone', 'name', 'value']
  return [...ALWAYS, ...(type === undefined ? (['value'] as const) : RECORD_TYPES[type].needs)]
}

function typeIn({ type }: RawValues): ReturnType<typeof recordTypeNamed> {
  return type === undefined ? undefined : recordTypeNamed(one(type))
}

export const dnsAdd = defineOperation({
  name: 'dns add',
  aliases: ['dns'],
  summary: 'Add a record to a DNS zone',
  question: 'A DNS record is missing?',
  verb: 'Add record',
  // Acceleration creates a pull zone beside the record, which is billed and stays.
  effect: (input) => (isAccelerated(input) ? 'billed or irreversible' : 'write'),
  audience: 'channel',
  fields: DNS_FIELDS,
  positionals: recordPositionals,
  form: RECORD_FORM,
  examples: [
    'dns add 201 A www 192.0.2.10 --ttl 5m',
    'dns add shop MX @ 10 mail.example.net',
    'dns add shop TXT @ v=spf1 include:mail.example.net -all',
    'dns add shop SRV _sip._tcp 10 5 5060 sip.example.net',
    'dns add shop CAA @ 0 issue ca.example.net',
    'dns add shop HTTPS @ 1 . alpn=h2,h3',
    'dns add shop PullZone cdn shop',
  ],
  check: (input) => draftRecord(input).issues,
  review: recordReview,
  describe: recordSentence,
  lookFor: recordLookFor,
  run: (input, { cdn, signal, marker }) =>
    cdn.addDnsRecord({ zoneId: input.zone.id, body: draftRecord(input, marker).request }, { signal }),
  present(record, input, running) {
    const { request } = draftRecord(input, running.marker)
    const label = (field: string): string => recordLabel(input.type, field)
    return storedAnswer({
      actorId: running.actor.id,
      did: whatWasDone(record, request, input, running),
      differences: RECORD.differences(request, record, label, PLACES),
      small: isAccelerated(input) ? [md`The pull zone that accelerates it may take some minutes to appear.`] : [],
      allFields: storedFieldsMessage(`DNS record ${record.Id}, all fields`, RECORD.all(record)),
    })
  },
})

function whatWasDone({ Id }: DnsRecord, request: DnsRecordRequest, input: DnsInput, { panel }: OperationContext) {
  const { Priority, Ttl, Disabled } = request
  const facts = [
    `added ${aRecord(input.type)} ${recordInShort(input)} to DNS zone ${zoneLabel(input.zone)}`,
    Priority !== undefined && `priority ${Priority}`,
    Ttl !== undefined && `TTL ${RECORD.say('Ttl', Ttl)}`,
    isAccelerated(input) && 'accelerated (billed)',
    Disabled === true && 'disabled',
  ].filter((fact) => fact !== false)
  const parts = [md`${facts.join(', ')}`, md`record ${Id}`, ...openInPanel(panel('dns-zone', input.zone.id))]
  return joinMd(parts, ' · ')
}

/** Where the platform gives back what was asked under another name, if at all. */
const PLACES = { PullZoneId: 'LinkName', ScriptId: 'Value' }

const MAX_VALUE_IN_SENTENCE = 80
const MAX_VALUE_IN_REVIEW = 3_000

function recordSentence(input: DnsInput): string {
  return `Add ${aRecord(input.type)} ${recordInShort(input)} to DNS zone ${zoneLabel(input.zone)}`
}

function recordReview(input: DnsInput, { panel, marker }: CheckContext): Review {
  const { request, notes, warnings } = draftRecord(input, marker)
  const accelerated = isAccelerated(input)
  const slow = 'Acceleration can take half a minute, and fails if a pull zone has this host name already.'
  return {
    sentence: recordSentence(input),
    request: RECORD.request(request, (field) => recordLabel(input.type, field), MAX_VALUE_IN_REVIEW),
    notes,
    warnings: accelerated ? [...warnings, slow] : warnings,
    costs: accelerated ? ['Acceleration creates a pull zone, and the traffic it serves is billed by the CDN.'] : [],
    follows: [
      'Adds a record; others of its name stay. CDN Ops can’t remove it, and an identical one would be added twice.',
      ...(accelerated ? ['The pull zone of the acceleration stays when the record is removed.'] : []),
    ],
    irreversible: [],
    panel: panel('dns-zone', input.zone.id),
  }
}

function recordLookFor(input: DnsInput, { marker }: Pick<CheckContext, 'marker'>): string {
  const { name, target } = inShort(input)
  const value = target === undefined ? '' : ` with ${target}`
  const mark = markerIn(input, marker)
  const comment = mark === undefined ? '' : ` (comment ${mark})`
  const acceleration = isAccelerated(input) ? ' With acceleration it can take half a minute to appear.' : ''
  return `Look in DNS zone ${zoneLabel(input.zone)} for ${aRecord(input.type)} named ${name}${value}${comment}.${acceleration}`
}

function recordInShort(input: DnsInput): string {
  const { name, target } = inShort(input)
  return target === undefined ? name : `${name} → ${target}`
}

function isAccelerated({ type, accelerated }: Partial<DnsInput>): boolean {
  return accelerated === true && type !== undefined && takesField(type, 'accelerated')
}

function pointedAt({ type, pullZone, script }: DnsInput): string | undefined {
  if (type === 'PullZone' && pullZone !== undefined) return `pull zone ${zoneLabel(pullZone)}`
  return type === 'Script' && script !== undefined ? `script ${script}` : undefined
}

function inShort(input: DnsInput): { readonly name: string; readonly target: string | undefined } {
  const { name = '', value = pointedAt(input) } = draftRecord(input)
  return {
    name: name === '' ? '@' : visible(name, MAX_VALUE_IN_SENTENCE),
    target: value === undefined ? undefined : visible(value, MAX_VALUE_IN_SENTENCE),
  }
}

const NESTED = { IPGeoLocationInfo: IpGeoLocationInfo, GeolocationInfo }

/** The apex is said by what it is, and of environment variables only the names, for their values may be secrets. */
const RECORD = thingWords(DnsRecord, NESTED, {
  Type: named(DNS_RECORD_TYPES),
  Name: (value) => (value === '' ? '@ (zone root)' : said(value)),
  Ttl: (value) => (typeof value === 'number' ? ttlWords(value) : said(value)),
  MonitorType: named(MONITOR_TYPES),
  MonitorStatus: named(MONITOR_STATUSES),
  SmartRoutingType: named(SMART_ROUTING_TYPES),
  AccelerationStatus: named(ACCELERATION_STATUSES),
  EnviromentalVariables: variableNames,
})

function variableNames(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return 'none'
  const names = value.map((variable: { readonly Name?: string | undefined }) => `${said(variable.Name)}=${MASK}`)
  return names.join(', ')
}
