import { type AlertKind, type Parameter, PARAMETER_NAMES, type ParameterName } from '../../alerts/alert-kind.ts'
import { ALERT_KINDS, alertKind, FORMER_NAMES } from '../../alerts/kinds.ts'
import { parameterProblems } from '../../alerts/parameters.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { choice } from '../choice-field.ts'
import type { Field } from '../field.ts'
import { decimal, one } from '../fields.ts'
import type { FieldWording, Issue } from '../operation.ts'

const KIND_HINT = 'What to look for; the kinds are explained by alerts kinds.'

export function kindField(label: string, fits: (kind: AlertKind) => boolean = () => true): Field<string, false> {
  const choices = ALERT_KINDS.filter(fits).map(({ name, title }) => ({ value: name, label: title }))
  return choice({ label, hint: KIND_HINT, choices, former: FORMER_NAMES })
}

/** The field of each parameter: flags are its name, `--also-warning`. */
const FIELD_NAMES = {
  warning: 'warning',
  critical: 'critical',
  'also-warning': 'alsoWarning',
  'also-critical': 'alsoCritical',
  bypass: 'bypass',
  quota: 'quota',
  change: 'change',
  lost: 'lost',
} as const satisfies Record<ParameterName, string>
export type ParameterField = (typeof FIELD_NAMES)[ParameterName]

/** Wide enough for every kind; what a kind takes is checked with it. */
const MOST = 999_999_999_999_999

/** Every parameter of any kind as a field. In a form each has the words of the kind that is chosen. */
export const PARAMETER_FIELDS: Readonly<Record<ParameterField, Field<number, false>>> = {
  warning: parameter('Warning', 'From where a warning is told'),
  critical: parameter('Critical', 'From where it is critical'),
  alsoWarning: parameter('Also warning', 'The second threshold of a warning, where a kind has two'),
  alsoCritical: parameter('Also critical', 'The second threshold of what is critical, where a kind has two'),
  bypass: parameter('Bypass', 'How much may go round the cache'),
  quota: parameter('Quota', 'How much there may be'),
  change: parameter('Change', 'How much more than the day before is a jump'),
  lost: parameter('Lost', 'How many of the files have to be gone since the day before'),
}

function parameter(label: string, meaning: string): Field<number, false> {
  return decimal({ label, hint: `${meaning}; unit and default depend on the kind.`, min: 0, max: MOST })
}

export function parameterWording(kind: AlertKind | undefined): Readonly<Partial<Record<ParameterField, FieldWording>>> {
  const words = (kind?.parameters ?? []).map((each): [ParameterField, FieldWording] => [
    FIELD_NAMES[each.name],
    { label: each.label, hint: parameterHint(each) },
  ])
  return Object.fromEntries(words)
}

function parameterHint({ meaning, unit, default: standard }: Parameter): string {
  return `${meaning.replace(/\.?$/, '.')} In ${unit}; ${standard} unless given.`
}

export function parameterFieldsOf(kind: AlertKind | undefined): readonly ParameterField[] {
  const own = new Set(kind?.parameters.map(({ name }) => name))
  return PARAMETER_NAMES.filter((name) => own.has(name)).map((name) => FIELD_NAMES[name])
}

export function kindIn(values: RawValues): AlertKind | undefined {
  const typed = one(values['kind'] ?? '')
    .trim()
    .toLowerCase()
  return alertKind(typed) ?? ALERT_KINDS.find(({ title }) => title.toLowerCase() === typed)
}

export type Overrides = Readonly<Record<string, number>>

export function parametersIn(input: Readonly<Partial<Record<ParameterField, number | undefined>>>): Overrides {
  const given = PARAMETER_NAMES.flatMap((name): [ParameterName, number][] => {
    const value = input[FIELD_NAMES[name]]
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(given)
}

export function parameterValues(parameters: Overrides): RawValues {
  const values = PARAMETER_NAMES.flatMap((name): [string, string][] => {
    const value = parameters[name]
    return value === undefined ? [] : [[FIELD_NAMES[name], String(value)]]
  })
  return Object.fromEntries(values)
}

export function parameterIssues(kind: AlertKind, parameters: Overrides): readonly Issue[] {
  const known = kind.parameters.map(({ name }) => name)
  const strange = PARAMETER_NAMES.filter((name) => parameters[name] !== undefined && !known.includes(name))
  if (strange.length > 0) {
    const has = known.length === 0 ? 'It has no parameters.' : `It has ${known.map((name) => `--${name}`).join(', ')}.`
    return strange.map((name) => ({ field: FIELD_NAMES[name], problem: `${kind.name} has no --${name}. ${has}` }))
  }
  return parameterProblems(kind, parameters).map((problem) => ({ field: undefined, problem }))
}

export function parameterWords(parameters: Overrides): string {
  return PARAMETER_NAMES.flatMap((name) =>
    parameters[name] === undefined ? [] : [`${name} ${parameters[name]}`],
  ).join(', ')
}
