import {
  ACCELERATION_STATUSES,
  DNS_RECORD_TYPES,
  MONITOR_STATUSES,
  MONITOR_TYPES,
  SMART_ROUTING_TYPES,
} from '../../cdn/enums.ts'
import { MASK } from '../mask.ts'
import { fieldInWords, type FieldWords, numbered, said } from '../stored-fields.ts'
import { ttlWords } from './ttl-field.ts'

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
