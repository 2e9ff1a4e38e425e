import type { CheckContext, Review } from '../operation.ts'
import { zoneLabel } from '../zone-field.ts'
import { visible } from '../../shared/untrusted.ts'
import { draftRecord, markerIn } from './record-draft.ts'
import { type DnsInput, ttlWords } from './record-fields.ts'
import { aRecord, takesField } from './record-types.ts'
import {
  ACCELERATION_STATUSES,
  DNS_RECORD_TYPES,
  MONITOR_STATUSES,
  MONITOR_TYPES,
  SMART_ROUTING_TYPES,
} from '../../cdn/enums.ts'
import { MASK } from '../mask.ts'
import { fieldInWords, type FieldWords, numbered, said } from '../stored-fields.ts'

const MAX_VALUE_IN_SENTENCE = 80
/** A person confirms what is sent, so nothing of it is cut here: no value may be longer. */
const MAX_VALUE_IN_REVIEW = 3_000

export function recordSentence(input: DnsInput): string {
  const { name, target } = inShort(input)
  return `Add ${aRecord(input.type)} ${name}${target === undefined ? '' : ` → ${target}`} to DNS zone ${zoneLabel(input.zone)}`
}

export function recordReview(input: DnsInput, { panel, marker }: CheckContext): Review {
  const { request, notes, warnings } = draftRecord(input, marker)
  return {
    sentence: recordSentence(input),
    request: Object.entries(request).map(
      ([field, value]) => [field, recordWords(field, value, MAX_VALUE_IN_REVIEW)] as const,
    ),
    notes,
    warnings: [...warnings, ...accelerationWarnings(input)],
    costs: isAccelerated(input)
      ? ['Acceleration creates a pull zone, and the traffic it serves is billed by the platform.']
      : [],
    irreversible: [
      'This adds a record; it replaces nothing, and CDN Ops cannot remove it. If the same record is there already, there will be two.',
      ...(isAccelerated(input)
        ? ['The pull zone that acceleration creates stays when acceleration is turned off or the record is removed.']
        : []),
    ],
    panel: panel('dns-zone', input.zone.id),
  }
}

export function recordLookFor(input: DnsInput, { marker }: Pick<CheckContext, 'marker'>): string {
  const { name, target } = inShort(input)
  const value = target === undefined ? '' : ` with ${target}`
  const mark = markerIn(input, marker)
  const comment = mark === undefined ? '' : `, whose comment is ${mark}`
  const acceleration = isAccelerated(input)
    ? ' Acceleration can take half a minute; a pull zone for the name may appear too.'
    : ''
  return (
    `Look in DNS zone ${zoneLabel(input.zone)} for ${aRecord(input.type)} named ${name}${value}${comment}.${acceleration} ` +
    'If it is there, it was added. If not, add it again: adding a record that exists makes a second one.'
  )
}

export function isAccelerated({ type, accelerated }: Partial<DnsInput>): boolean {
  return accelerated === true && type !== undefined && takesField(type, 'accelerated')
}

function accelerationWarnings(input: DnsInput): readonly string[] {
  if (!isAccelerated(input)) return []
  return ['Acceleration can take half a minute, and fails if a pull zone has this host name already.']
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

/**
 * How the fields of a record are said, in requests and in answers: numbered choices by name, the apex by what it is,
 * and of environment variables only the names, for their values may be secrets.
 */
export const RECORD_WORDS: FieldWords = {
  Type: numbered(DNS_RECORD_TYPES),
  Name: (value) => (value === '' ? '@ (the zone itself, an empty name)' : said(value)),
  Ttl: (value) => (typeof value === 'number' ? ttlWords(value) : said(value)),
  MonitorType: numbered(MONITOR_TYPES),
  MonitorStatus: numbered(MONITOR_STATUSES),
  SmartRoutingType: numbered(SMART_ROUTING_TYPES),
  AccelerationStatus: numbered(ACCELERATION_STATUSES),
  EnviromentalVariables: variableNames,
}

/** One field of a record in words; long text is cut to `maxCodePoints`, 200 unless given. */
export function recordWords(field: string, value: unknown, maxCodePoints?: number): string {
  return fieldInWords(RECORD_WORDS, field, value, maxCodePoints)
}

function variableNames(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return 'none'
  const names = value.map((variable: { readonly Name?: string | undefined }) => `${said(variable.Name)}=${MASK}`)
  return names.join(', ')
}
