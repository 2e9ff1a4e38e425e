import { INT64_MAX } from '../../cdn/contract/wire-fields.ts'
import type { RawValue, RawValues } from '../../shared/raw-values.ts'
import type { Field, FieldControl, FieldResult, ParseContext } from './field.ts'

/**
 * The kinds of input that every operation is made of. Each reads what was typed or entered into a checked value, or
 * says in one sentence which rule it breaks. Choices, zones and instants have files of their own.
 */

export interface FieldText {
  readonly label: string
  readonly hint?: string
}

export interface TextOptions extends FieldText {
  readonly maxLength?: number
  readonly multiline?: boolean
  readonly secret?: boolean
  /** White space around the text is left to whoever reads the value. */
  readonly untrimmed?: boolean
  /** What the help writes for the value; `text` unless given. */
  readonly word?: string
}

export function text(options: TextOptions): Field<string, false> {
  const { label, maxLength = 1_000, multiline = false, word } = options
  return custom({
    ...options,
    control: { kind: 'text', maxLength, multiline, ...(word !== undefined && { word }) },
    read(raw) {
      const value = options.untrimmed === true ? one(raw) : one(raw).trim()
      if (value.length <= maxLength) return { ok: true, value }
      return problem(`${label} has ${value.length} characters; at most ${maxLength} are allowed.`)
    },
  })
}

export interface NumberOptions extends FieldText {
  readonly min: number
  readonly max: number
}

export function integer(options: NumberOptions): Field<number, false> {
  return number(options, false, /^[+-]?\d{1,15}$/, `a whole number from ${options.min} to ${options.max}`)
}

export function decimal(options: NumberOptions): Field<number, false> {
  const rule = `a number from ${options.min} to ${options.max}, with a point before decimals`
  return number(options, true, /^[+-]?\d{1,15}(\.\d{1,15})?$/, rule)
}

function number(options: NumberOptions, decimal: boolean, spelling: RegExp, rule: string): Field<number, false> {
  const { label, min, max } = options
  return custom({
    ...options,
    control: { kind: 'number', decimal, min, max },
    read(raw) {
      const typed = one(raw).trim()
      const value = spelling.test(typed) ? Number(typed) : Number.NaN
      return value >= min && value <= max ? { ok: true, value } : problem(`${label} must be ${rule}.`)
    },
  })
}

interface SpelledOptions<T> extends FieldText {
  readonly maxLength: number
  readonly word: string
  /** What the text means; undefined when it is not spelled so. */
  readonly parse: (typed: string, context: ParseContext) => T | undefined
  readonly rule: string
}

export function spelled<T>(options: SpelledOptions<T>): Field<T, false> {
  const { maxLength, word, parse, rule } = options
  return custom({
    ...options,
    control: { kind: 'text', maxLength, multiline: false, word },
    read(raw, context) {
      const value = parse(one(raw).trim(), context)
      return value === undefined ? problem(rule) : { ok: true, value }
    },
  })
}

/** A 64-bit id: a whole number from 1 to 2^63-1, without loss. */
export function id(options: FieldText): Field<bigint, false> {
  return spelled({
    ...options,
    maxLength: 19,
    word: 'id',
    parse: readId,
    rule: `${options.label} must be a numeric id.`,
  })
}

/** The id that `typed` spells in plain ASCII digits, or undefined. */
export function readId(typed: string): bigint | undefined {
  const digits = typed.trim()
  if (!/^[1-9]\d{0,18}$/.test(digits)) return undefined
  const value = BigInt(digits)
  return value <= INT64_MAX ? value : undefined
}

export function flag(options: FieldText): Field<boolean, false> {
  return custom({
    ...options,
    control: { kind: 'switch' },
    read(raw) {
      const value = readSwitch(one(raw))
      return value === undefined ? problem(`${options.label} is either on or off.`) : { ok: true, value }
    },
  })
}

/** A nullable boolean of the platform: on, off, or left to the platform, in which case nothing is sent. */
export function triState(options: FieldText): Field<boolean | undefined, false> {
  return custom<boolean | undefined>({
    ...options,
    control: { kind: 'tri-state' },
    read(raw) {
      const value = readSwitch(one(raw))
      const isLeft = one(raw).trim().toLowerCase() === 'default'
      return value === undefined && !isLeft ? problem(`${options.label} is on, off or default.`) : { ok: true, value }
    },
  })
}

const YES = new Set(['true', 'on', 'yes', '1'])
const NO = new Set(['false', 'off', 'no', '0'])

export function readSwitch(typed: string): boolean | undefined {
  const word = typed.trim().toLowerCase()
  if (YES.has(word)) return true
  return NO.has(word) ? false : undefined
}

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

/** A field of any kind, from its own control and reader: what all others are made of. */
export function custom<T>(
  options: FieldText & { readonly control: FieldControl; readonly read: Field<T>['read']; readonly secret?: boolean },
): Field<T, false> {
  const { label, hint, control, read, secret = false } = options
  return { label, hint, control, required: false, secret, read }
}

export function one(raw: RawValue): string {
  return typeof raw === 'string' ? raw : (raw[0] ?? '')
}

/** The strings of a raw value: a typed one is split at commas. Empty parts are left out. */
export function many(raw: RawValue): readonly string[] {
  const parts = typeof raw === 'string' ? raw.split(',') : raw
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

export function problem(sentence: string): Extract<FieldResult<never>, { readonly ok: false }> {
  return { ok: false, problem: sentence }
}

/**
 * Positionals that are told apart by how a word looks: `logs shop 5xx 2h`. The first alone, and after it whatever the words look
 * like; a word that looks like nothing finds no place.
 */
export function byLooks<Name extends string>(looks: Readonly<Record<Name, (typed: string) => boolean>>) {
  const all = Object.entries<(typed: string) => boolean>(looks) as [Name, (typed: string) => boolean][] // its very keys
  return (values: RawValues): readonly Name[] => {
    if (Object.keys(values).length === 0) return all.slice(0, 1).map(([name]) => name)
    const fits = ([name, looksSo]: (typeof all)[number]): boolean => looksSo(one(values[name] ?? ''))
    return all.filter((each) => values[each[0]] === undefined || fits(each)).map(([name]) => name)
  }
}

export function isLength(typed: string): boolean {
  return /^(?:\d+(?:\.\d+)?(?:m|min|h|d|w))+$/i.test(typed)
}

export function isClock(typed: string): boolean {
  return /^\d{1,2}:\d{2}$/.test(typed)
}

export function isTime(typed: string): boolean {
  return isLength(typed) || isClock(typed) || /^\d{4}-\d{2}-\d{2}/.test(typed)
}

export function isAnything(): boolean {
  return true
}
