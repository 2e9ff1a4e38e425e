import {
  type AlertKind,
  PARAMETER_NAMES,
  type ParameterName,
  parameterProblems,
  type Parameters,
} from '../../alerts/kinds/alert-kind.ts'
import { ALERT_KINDS, findAlertKind, FORMER_NAMES } from '../../alerts/kinds/kinds.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { choice } from '../declaration/choice-field.ts'
import type { Field } from '../declaration/field.ts'
import { decimal, one } from '../declaration/fields.ts'
import type { FieldWording, Issue } from '../declaration/operation.ts'

const KIND_HINT = 'What to look for; the kinds are explained by alerts kinds.'

export function kindField(label: string, fits: (kind: AlertKind) => boolean = () => true): Field<string, false> {
  const choices = ALERT_KINDS.filter(fits).map(({ name, title }) => ({ value: name, label: title }))
  return choice({ label, hint: KIND_HINT, choices, former: FORMER_NAMES })
}

/** Wide enough for every kind; what a kind takes is checked with it. */
const MOST = 999_999_999_999_999

/** Every parameter of any kind as a field of the same name. In a form each has the words of the kind that is chosen. */
export const PARAMETER_FIELDS: Readonly<Record<ParameterName, Field<number, false>>> = {
  warning: parameter('Warning', 'From where it warns'),
  critical: parameter('Critical', 'From where it is critical'),
  'also-warning': parameter('Also warning', 'The second threshold of a warning, where a kind has two'),
  'also-critical': parameter('Also critical', 'The second threshold of what is critical, where a kind has two'),
  bypass: parameter('Bypass', 'How much may go round the cache'),
  quota: parameter('Quota', 'How much there may be'),
  change: parameter('Change', 'How much more than the day before is a jump'),
  lost: parameter('Lost', 'How many of the files have to be gone since the day before'),
}

function parameter(label: string, meaning: string): Field<number, false> {
  return decimal({ label, hint: `${meaning}; unit and default depend on the kind.`, min: 0, max: MOST })
}

export function wordParameters(kind: AlertKind | undefined): Readonly<Record<string, FieldWording>> {
  const words = (kind?.parameters ?? []).map(({ name, label, meaning, unit, default: standard }) => {
    return [name, { label, hint: `${meaning.replace(/\.?$/, '.')} In ${unit}; ${standard} unless given.` }]
  })
  return Object.fromEntries(words)
}

export function listParameterFields(kind: AlertKind | undefined): readonly ParameterName[] {
  const own = new Set(kind?.parameters.map(({ name }) => name))
  return PARAMETER_NAMES.filter((name) => own.has(name))
}

export function readKind(values: RawValues): AlertKind | undefined {
  const typed = one(values['kind'] ?? '')
    .trim()
    .toLowerCase()
  return findAlertKind(typed) ?? ALERT_KINDS.find(({ title }) => title.toLowerCase() === typed)
}

export function pickParameters(input: Readonly<Partial<Record<ParameterName, number | undefined>>>): Parameters {
  return Object.fromEntries(PARAMETER_NAMES.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])))
}

export function parameterValues(parameters: Parameters): RawValues {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
}

export function parameterIssues(kind: AlertKind, parameters: Parameters): readonly Issue[] {
  const known = kind.parameters.map(({ name }) => name)
  const unknown = PARAMETER_NAMES.filter((name) => parameters[name] !== undefined && !known.includes(name))
  if (unknown.length > 0) {
    const has = known.length === 0 ? 'It has no parameters.' : `It has ${known.map((name) => `--${name}`).join(', ')}.`
    return unknown.map((name) => ({ field: name, problem: `${kind.name} has no --${name}. ${has}` }))
  }
  return parameterProblems(kind, parameters).map((problem) => ({ field: undefined, problem }))
}

export function parameterWords(parameters: Parameters): string {
  return Object.entries(pickParameters(parameters))
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}
