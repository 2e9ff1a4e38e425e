import type { Choice } from '../../block-kit/inputs.ts'
import type { Field } from './field.ts'
import { custom, type FieldText, many, one, problem } from './fields.ts'
import { nearestWord } from './nearest-word.ts'

export interface ChoiceOptions<T extends string> extends FieldText {
  readonly choices: readonly (Choice & { readonly value: T })[]
  /** What values were called before, in lower case: taken, and never offered. */
  readonly former?: Readonly<Record<string, string>>
}

export function choice<T extends string>(options: ChoiceOptions<T>): Field<T, false> {
  const { former = {} } = options
  return custom({
    ...options,
    control: { kind: 'choice', choices: options.choices },
    read(raw) {
      const typed = one(raw).trim().toLowerCase()
      const value = valueNamed(Object.hasOwn(former, typed) ? (former[typed] ?? typed) : typed, options.choices)
      return value === undefined ? notAmong(options, one(raw)) : { ok: true, value }
    },
  })
}

/** Several of a list, typed with commas between; each at most once, in the order of the list. */
export function choices<T extends string>(options: ChoiceOptions<T>): Field<readonly T[], false> {
  return custom<readonly T[]>({
    ...options,
    control: { kind: 'choices', choices: options.choices },
    read(raw) {
      const found = new Set<T>()
      for (const typed of many(raw)) {
        const value = valueNamed(typed, options.choices)
        if (value === undefined) return notAmong(options, typed)
        found.add(value)
      }
      return { ok: true, value: options.choices.map(({ value }) => value).filter((value) => found.has(value)) }
    },
  })
}

/** Of two alike the first counts. */
export function valueNamed<T extends string>(typed: string, list: ChoiceOptions<T>['choices']): T | undefined {
  const wanted = typed.toLowerCase()
  return list.find(({ value, label }) => [value, label].some((name) => name.toLowerCase() === wanted))?.value
}

/** Enough for the longest list of which people type one by heart: the types of DNS records. */
const MAX_NAMED = 16

function notAmong({ label, choices: list, former = {} }: ChoiceOptions<string>, typed: string) {
  const values = list.map(({ value }) => value)
  const formerNames = Object.keys(former).filter((name) => values.includes(former[name] ?? ''))
  const close = nearestWord(typed, [...values, ...formerNames])
  if (close !== undefined) return problem(`${label} cannot be ${typed}. Did you mean ${former[close] ?? close}?`)
  const named = values.slice(0, MAX_NAMED).join(', ')
  const more = values.length > MAX_NAMED ? ' and others; see the help' : ''
  return problem(`${label} cannot be ${typed}. It is one of ${named}${more}.`)
}
