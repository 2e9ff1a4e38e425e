import { checkDnsRecordRequest, type DnsRecordRequest } from '../../cdn/dns-record.ts'
import type { Issue } from '../operation.ts'
import { type Normalised, normaliseRecordName, normaliseValue } from './record-value.ts'
import { type DnsInput, MAX_COMMENT_CHARACTERS } from './record-fields.ts'
import { RECORD_FIELD_NAMES, recordRequest, REQUEST_NAMES } from './record-request.ts'
import { recordWarnings, typeIssues } from './record-warnings.ts'
import { takesField } from './record-types.ts'

export interface RecordDraft {
  /** What would be sent; right only when there are no issues. */
  readonly request: DnsRecordRequest
  /** Name and value as they would be sent; undefined when not given, not taken, or wrong. */
  readonly name: string | undefined
  readonly value: string | undefined
  readonly issues: readonly Issue[]
  /** What was changed on the way from what was typed. */
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
  return checkDnsRecordRequest(request).map(({ field, message }) => ({
    field: RECORD_FIELD_NAMES.find((name) => REQUEST_NAMES[name] === field.split('.')[0]),
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
