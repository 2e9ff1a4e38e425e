import {
  type AlertKind,
  type Parameter,
  PARAMETER_MEANINGS,
  PARAMETER_NAMES,
  type ParameterName,
  type Parameters,
  type TrafficKind,
} from '../../alerts/kinds/alert-kind.ts'
import { ALERT_KINDS, findAlertKind, FORMER_NAMES } from '../../alerts/kinds/kinds.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { choice } from '../declaration/choice-field.ts'
import type { Field } from '../declaration/field.ts'
import { one, text } from '../declaration/fields.ts'
import { nearestWord } from '../declaration/nearest-word.ts'
import type { FieldWording } from '../declaration/operation.ts'
import { sentenceStart } from '../declaration/prompt-words.ts'

export const LOOKS_AT = { pull: 'a pull zone', storage: 'storage zones', account: 'the account' } as const
/** What people call a kind by what they see of it. */
const SPOKEN: Readonly<Record<string, string>> = {
  '5xx': 'origin-failing',
  errors: 'origin-failing',
  origin: 'origin-failing',
  stale: 'origin-failing',
  miss: 'cache-not-working',
  misses: 'cache-not-working',
  traffic: 'traffic-gone',
  keys: 'api-keys-changed',
  'key-change': 'api-keys-changed',
  storage: 'storage-change',
}
const KIND_HINT = 'What to look for; the kinds are explained by alerts kinds.'

export function kindField(fits: (kind: AlertKind) => boolean = () => true): Field<string, false> {
  const choices = ALERT_KINDS.filter(fits).map(({ name, title }) => ({ value: name, label: title }))
  return choice({ label: 'Kind', hint: KIND_HINT, choices, former: { ...FORMER_NAMES, ...SPOKEN } })
}

/** Whether it can be tried on the past: the minutes that are kept say nothing of how reading went. */
export function isTriable(kind: AlertKind | undefined): kind is TrafficKind {
  return kind?.subject === 'pull' && kind.name !== 'cannot-look'
}

/** Whether what stands in the place of a kind is one, or may be meant as one: a zone may come first. */
export function isKindWord({ kind: typed }: RawValues): boolean {
  const names = [...ALERT_KINDS.map(({ name }) => name), ...Object.keys({ ...FORMER_NAMES, ...SPOKEN })]
  return typed === undefined || nearestWord(one(typed), names) !== undefined
}

/**
 * Every parameter of any kind as a field of the same name. In a form each has the words of the kind that is chosen. Unit and
 * bounds are the kind's, so what was typed is read with it.
 */
export const PARAMETER_FIELDS = Object.fromEntries(
  PARAMETER_NAMES.map((name) => {
    const hint = `${PARAMETER_MEANINGS[name]}; unit and default depend on the kind.`
    return [name, text({ label: sentenceStart(name.replace('-', ' ')), hint, maxLength: 40, word: 'number' })]
  }),
) as Readonly<Record<ParameterName, Field<string, false>>> // of all names

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
  return findAlertKind(SPOKEN[typed] ?? typed) ?? ALERT_KINDS.find(({ title }) => title.toLowerCase() === typed)
}

export type TypedParameters = Readonly<Partial<Record<ParameterName, string | undefined>>>

/** What was typed as numbers; NaN where it is none in the unit of the kind. */
export function pickParameters(typed: TypedParameters & { readonly kind: string }): Parameters {
  const declared = findAlertKind(typed.kind)?.parameters ?? []
  const read = PARAMETER_NAMES.flatMap((name) => {
    const unit = declared.find((each) => each.name === name)?.unit
    return typed[name] === undefined ? [] : [[name, readAmount(typed[name], unit)]]
  })
  return Object.fromEntries(read)
}

/** The unit may stand behind the number, as messages write it: `3`, `3%`, `3 %`. */
function readAmount(typed: string, unit: Parameter['unit'] | undefined): number {
  const [, number = '', word = ''] = /^([\d.]*)\s*(.*)$/.exec(typed) ?? []
  const isMeant = ['', unit].includes(word) || (unit === 'points' && word === '%')
  return isMeant && /^\d{1,19}(?:\.\d{1,15})?$/.test(number) ? Number(number) : Number.NaN
}

/** The limits in force, those that nobody set included; what is 0 is off: `warning 1.5 %; critical 20 %`. */
export function limitWords(kind: string, parameters: Parameters): string {
  return (findAlertKind(kind)?.parameters ?? [])
    .map(({ name, label, unit, default: usual }) => ({ label, unit, value: parameters[name] ?? usual }))
    .flatMap(({ label, unit, value }) => (value === 0 ? [] : [`${label.toLowerCase()} ${value} ${unit}`]))
    .join('; ')
}

/** `warning 3 %, critical 20 %` */
export function parameterWords(kind: string, parameters: Parameters): string {
  return (findAlertKind(kind)?.parameters ?? [])
    .flatMap(({ name, unit }) => (parameters[name] === undefined ? [] : [`${name} ${parameters[name]} ${unit}`]))
    .join(', ')
}
