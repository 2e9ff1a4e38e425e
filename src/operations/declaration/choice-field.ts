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
  const named = byName(options.choices)
  return custom({
    ...options,
    control: { kind: 'choice', choices: options.choices },
    read(raw) {
      const typed = one(raw).trim().toLowerCase()
      const value = named.get(Object.hasOwn(former, typed) ? (former[typed] ?? typed) : typed)
      return value === undefined
        ? problem(notAmong(options.label, one(raw), options.choices, former))
        : { ok: true, value }
    },
  })
}

/** Several of a list, typed with commas between; each at most once, in the order of the list. */
export function choices<T extends string>(options: ChoiceOptions<T>): Field<readonly T[], false> {
  const named = byName(options.choices)
  return custom<readonly T[]>({
    ...options,
    control: { kind: 'choices', choices: options.choices },
    read(raw) {
      const found = new Set<T>()
      for (const typed of many(raw)) {
        const value = named.get(typed.toLowerCase())
        if (value === undefined) return problem(notAmong(options.label, typed, options.choices))
        found.add(value)
      }
      return { ok: true, value: options.choices.map(({ value }) => value).filter((value) => found.has(value)) }
    },
  })
}

/** Of two alike the first counts, which a map would replace. */
function byName<T extends string>(list: ChoiceOptions<T>['choices']): ReadonlyMap<string, T> {
  const names = list.flatMap(({ value, label }) => [value, label].map((name) => [name.toLowerCase(), value] as const))
  return new Map(names.toReversed())
}

/** Enough for the longest list of which people type one by heart: the types of DNS records. */
const MAX_NAMED = 16

function notAmong(
  label: string,
  typed: string,
  list: readonly Choice[],
  former: Readonly<Record<string, string>> = {},
): string {
  const values = list.map(({ value }) => value)
  const close = nearestWord(typed, [
    ...values,
    ...Object.keys(former).filter((name) => values.some((value) => value === former[name])),
  ])
  const meant = close === undefined ? undefined : (former[close] ?? close)
  if (meant !== undefined) return `${label} cannot be ${typed}. Did you mean ${meant}?`
  const named = values.slice(0, MAX_NAMED).join(', ')
  return `${label} cannot be ${typed}. It is one of ${named}${list.length > MAX_NAMED ? ' and others; see the help' : ''}.`
}
