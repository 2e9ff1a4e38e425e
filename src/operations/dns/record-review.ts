import type { CheckContext, Review } from '../declaration/operation.ts'
import { zoneLabel } from '../declaration/zone-field.ts'
import { visible } from '../../shared/untrusted.ts'
import { draftRecord, markerIn, recordLabel } from './record-draft.ts'
import { type DnsInput, ttlWords } from './record-fields.ts'
import { aRecord, takesField } from './record-types.ts'
import {
  ACCELERATION_STATUSES,
  DNS_RECORD_TYPES,
  MONITOR_STATUSES,
  MONITOR_TYPES,
  SMART_ROUTING_TYPES,
} from '../../cdn/contract/enums.ts'
import { MASK } from '../declaration/mask.ts'
import { fieldInWords, type FieldWords, named, numbered, said } from '../declaration/stored-fields.ts'

const MAX_VALUE_IN_SENTENCE = 80
/** A person confirms what is sent, so nothing of it is cut here: no value may be longer. */
const MAX_VALUE_IN_REVIEW = 3_000

export function recordSentence(input: DnsInput): string {
  return `Add ${aRecord(input.type)} ${recordInShort(input)} to DNS zone ${zoneLabel(input.zone)}`
}

export function recordReview(input: DnsInput, { panel, marker }: CheckContext): Review {
  const { request, notes, warnings } = draftRecord(input, marker)
  const accelerated = isAccelerated(input)
  const slow = 'Acceleration can take half a minute, and fails if a pull zone has this host name already.'
  const cost = 'Acceleration creates a pull zone, and the traffic it serves is billed by the CDN.'
  const stays = 'The pull zone of the acceleration stays when the record is removed.'
  return {
    sentence: recordSentence(input),
    request: Object.entries(request).map(
      ([field, value]) => [recordLabel(input.type, field), recordWords(field, value, MAX_VALUE_IN_REVIEW)] as const,
    ),
    notes,
    warnings: accelerated ? [...warnings, slow] : warnings,
    costs: accelerated ? [cost] : [],
    follows: [
      'Adds a record. CDN Ops can’t remove it, and an identical one would be added twice.',
      ...(accelerated ? [stays] : []),
    ],
    irreversible: [],
    panel: panel('dns-zone', input.zone.id),
  }
}

export function recordLookFor(input: DnsInput, { marker }: Pick<CheckContext, 'marker'>): string {
  const { name, target } = inShort(input)
  const value = target === undefined ? '' : ` with ${target}`
  const mark = markerIn(input, marker)
  const comment = mark === undefined ? '' : ` (comment ${mark})`
  const acceleration = isAccelerated(input) ? ' With acceleration it can take half a minute to appear.' : ''
  return `Look in DNS zone ${zoneLabel(input.zone)} for ${aRecord(input.type)} named ${name}${value}${comment}.${acceleration}`
}

/** Its name and what it points to. */
export function recordInShort(input: DnsInput): string {
  const { name, target } = inShort(input)
  return target === undefined ? name : `${name} → ${target}`
}

export function isAccelerated({ type, accelerated }: Partial<DnsInput>): boolean {
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

/**
 * How the fields of a record are said, in requests and in answers: numbered choices by name, the apex by what it is,
 * and of environment variables only the names, for their values may be secrets.
 */
function wordFields(choice: typeof named): FieldWords {
  return {
    Type: choice(DNS_RECORD_TYPES),
    Name: (value) => (value === '' ? '@ (zone root)' : said(value)),
    Ttl: (value) => (typeof value === 'number' ? ttlWords(value) : said(value)),
    MonitorType: choice(MONITOR_TYPES),
    MonitorStatus: choice(MONITOR_STATUSES),
    SmartRoutingType: choice(SMART_ROUTING_TYPES),
    AccelerationStatus: choice(ACCELERATION_STATUSES),
    EnviromentalVariables: variableNames,
  }
}

/** For all fields, which bear the names of the interface and its numbers. */
export const RECORD_WORDS = wordFields(numbered)
const IN_SHORT = wordFields(named)

/** One field of a record in words; long text is cut to `maxCodePoints`, 200 unless given. */
export function recordWords(field: string, value: unknown, maxCodePoints?: number): string {
  return fieldInWords(IN_SHORT, field, value, maxCodePoints)
}

function variableNames(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return 'none'
  const names = value.map((variable: { readonly Name?: string | undefined }) => `${said(variable.Name)}=${MASK}`)
  return names.join(', ')
}
