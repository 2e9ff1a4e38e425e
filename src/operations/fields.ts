import type { Choice, Field, FieldControl, FieldResult } from './field.ts'
import type { RawValue } from '../shared/raw-values.ts'
import { nearestWord } from './nearest-word.ts'

/**
 * The kinds of input that every operation is made of. Each reads what was typed or entered into a checked value, or
 * says in one sentence which rule it breaks. Zones and instants have files of their own.
 */

/** What a field's declaration says of itself. */
export interface FieldText {
  readonly label: string
  readonly hint?: string
}

const DEFAULT_MAX_LENGTH = 1_000

export interface TextOptions extends FieldText {
  readonly maxLength?: number
  readonly multiline?: boolean
  readonly secret?: boolean
  /** What the help writes for the value; `text` unless given. */
  readonly word?: string
}

/** Any text of at most `maxLength` characters, trimmed; several lines when `multiline`. */
export function text(options: TextOptions): Field<string, false> {
  const maxLength = options.maxLength ?? DEFAULT_MAX_LENGTH
  return {
    ...describe(options),
    control: {
      kind: 'text',
      maxLength,
      multiline: options.multiline ?? false,
      ...(options.word !== undefined && { word: options.word }),
    },
    required: false,
    secret: options.secret ?? false,
    read(raw) {
      const value = one(raw).trim()
      if (value.length > maxLength)
        return problem(`${options.label} has ${value.length} characters; at most ${maxLength} are allowed.`)
      return { ok: true, value }
    },
  }
}

/** A whole number between `min` and `max`, both included. */
export function integer(options: FieldText & { readonly min: number; readonly max: number }): Field<number, false> {
  const { label, min, max } = options
  return {
    ...describe(options),
    control: { kind: 'number', decimal: false, min, max },
    required: false,
    secret: false,
    read(raw) {
      const typed = one(raw).trim()
      const value = /^[+-]?\d{1,15}$/.test(typed) ? Number(typed) : Number.NaN
      if (value >= min && value <= max) return { ok: true, value }
      return problem(`${label} must be a whole number from ${min} to ${max}.`)
    },
  }
}

/** A 64-bit id: a whole number from 1 to 2^63-1, without loss. */
export function id(options: FieldText): Field<bigint, false> {
  return {
    ...describe(options),
    control: { kind: 'text', maxLength: 19, multiline: false, word: 'id' },
    required: false,
    secret: false,
    read(raw) {
      const value = readId(one(raw))
      return value === undefined ? problem(`${options.label} must be a numeric id.`) : { ok: true, value }
    },
  }
}

const MAX_INT64 = 2n ** 63n - 1n

/** The id that `typed` spells in plain ASCII digits, or undefined. */
export function readId(typed: string): bigint | undefined {
  const digits = typed.trim()
  if (!/^[1-9]\d{0,18}$/.test(digits)) return undefined
  const value = BigInt(digits)
  return value <= MAX_INT64 ? value : undefined
}

/** A number with decimals between `min` and `max`, both included. */
export function decimal(options: FieldText & { readonly min: number; readonly max: number }): Field<number, false> {
  const { label, min, max } = options
  return {
    ...describe(options),
    control: { kind: 'number', decimal: true, min, max },
    required: false,
    secret: false,
    read(raw) {
      const typed = one(raw).trim()
      const value = /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(typed) ? Number(typed) : Number.NaN
      if (value >= min && value <= max) return { ok: true, value }
      return problem(`${label} must be a number from ${min} to ${max}, with a point before decimals.`)
    },
  }
}

const YES = new Set(['true', 'on', 'yes', '1'])
const NO = new Set(['false', 'off', 'no', '0'])

/** On when the flag is there, else absent: `--csv`. */
export function flag(options: FieldText): Field<boolean, false> {
  return {
    ...describe(options),
    control: { kind: 'switch' },
    required: false,
    secret: false,
    read(raw) {
      const typed = one(raw).trim().toLowerCase()
      if (YES.has(typed)) return { ok: true, value: true }
      if (NO.has(typed)) return { ok: true, value: false }
      return problem(`${options.label} is either on or off.`)
    },
  }
}

/** A nullable boolean of the platform: on, off, or left to the platform, in which case nothing is sent. */
export function triState(options: FieldText): Field<boolean | undefined, false> {
  return {
    ...describe(options),
    control: { kind: 'tri-state' },
    required: false,
    secret: false,
    read(raw) {
      const typed = one(raw).trim().toLowerCase()
      if (YES.has(typed)) return { ok: true, value: true }
      if (NO.has(typed)) return { ok: true, value: false }
      if (typed === 'default') return { ok: true, value: undefined }
      return problem(`${options.label} is on, off or default.`)
    },
  }
}

/** One of a list, whatever its case. `said` turns what was found into the value the operation works with. */
export function choice<T extends string>(
  options: FieldText & { readonly choices: readonly (Choice & { readonly value: T })[] },
): Field<T, false> {
  return {
    ...describe(options),
    control: { kind: 'choice', choices: options.choices },
    required: false,
    secret: false,
    read(raw) {
      const value = find(options.choices, one(raw))
      return value === undefined ? problem(notAmong(options.label, one(raw), options.choices)) : { ok: true, value }
    },
  }
}

/** Several of a list, typed with commas between; each at most once, in the order of the list. */
export function choices<T extends string>(
  options: FieldText & { readonly choices: readonly (Choice & { readonly value: T })[] },
): Field<readonly T[], false> {
  return {
    ...describe(options),
    control: { kind: 'choices', choices: options.choices },
    required: false,
    secret: false,
    read(raw) {
      const found = new Set<T>()
      for (const typed of many(raw)) {
        const value = find(options.choices, typed)
        if (value === undefined) return problem(notAmong(options.label, typed, options.choices))
        found.add(value)
      }
      return { ok: true, value: options.choices.map(({ value }) => value).filter((value) => found.has(value)) }
    },
  }
}

/** The same field, but an operation cannot do without it. */
export function required<T>(field: Field<T, false>): Field<T, true> {
  return { ...field, required: true }
}

/** The same field with a further rule: `check` returns what is wrong, or nothing. */
export function checked<T, Needed extends boolean>(
  field: Field<T, Needed>,
  check: (value: T) => string | undefined,
): Field<T, Needed> {
  return {
    ...field,
    read(raw, context) {
      const result = field.read(raw, context)
      if (!result.ok) return result
      const wrong = check(result.value)
      return wrong === undefined ? result : problem(wrong)
    },
  }
}

/** A field of a kind that is not among these, from its own control and reader. */
export function custom<T>(
  options: FieldText & { readonly control: FieldControl; readonly read: Field<T>['read'] },
): Field<T, false> {
  return { ...describe(options), control: options.control, required: false, secret: false, read: options.read }
}

/** The single string of a raw value; of several the first. */
export function one(raw: RawValue): string {
  return typeof raw === 'string' ? raw : (raw[0] ?? '')
}

/** The strings of a raw value: a typed one is split at commas. Empty parts are left out. */
export function many(raw: RawValue): readonly string[] {
  const parts = typeof raw === 'string' ? raw.split(',') : raw
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

export function problem(sentence: string): FieldResult<never> {
  return { ok: false, problem: sentence }
}

function describe({ label, hint }: FieldText): { label: string; hint: string | undefined } {
  return { label, hint }
}

function find<T extends string>(list: readonly (Choice & { readonly value: T })[], typed: string): T | undefined {
  const wanted = typed.trim().toLowerCase()
  const match = list.find(({ value, label }) => value.toLowerCase() === wanted || label.toLowerCase() === wanted)
  return match?.value
}

/** Enough for the longest list of which people type one by heart: the types of DNS records. */
const MAX_NAMED = 16

function notAmong(label: string, typed: string, list: readonly Choice[]): string {
  const values = list.map(({ value }) => value)
  const meant = nearestWord(typed, values)
  if (meant !== undefined) return `${label} cannot be ${typed}. Did you mean ${meant}?`
  const named = values.slice(0, MAX_NAMED).join(', ')
  return `${label} cannot be ${typed}. It is one of ${named}${list.length > MAX_NAMED ? ' and others; see the help' : ''}.`
}
