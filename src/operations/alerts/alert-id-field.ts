import type { Field } from '../field.ts'
import { custom, type FieldText, one, problem } from '../fields.ts'

/** A whole id has 32 digits; the first of them are enough where only one begins so. */
const LEAST_CHARACTERS = 4
const SPELLING = /^[0-9a-f]{4,64}$/

/** The id of a rule, a silence or an incident, or how it begins: lists and messages show its first eight digits. */
export function alertIdField(options: FieldText): Field<string, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: 64, multiline: false, word: 'id' },
    read(raw) {
      const id = one(raw).trim().toLowerCase()
      return SPELLING.test(id)
        ? { ok: true, value: id }
        : problem(`${options.label} is an id as lists show it, or its first ${LEAST_CHARACTERS} digits or more.`)
    },
  })
}

/** What an id, or its beginning, may mean: one of these, or why none. */
export type IdMatch<T> = { readonly found: T } | { readonly found: undefined; readonly several: boolean }

/** The one of these whose id is this, or begins so. */
export function byId<T extends { readonly id: string }>(id: string, all: readonly T[]): IdMatch<T> {
  const exact = all.find((each) => each.id === id)
  if (exact !== undefined) return { found: exact }
  const [first, second] = all.filter((each) => each.id.startsWith(id))
  if (first !== undefined && second === undefined) return { found: first }
  return { found: undefined, several: second !== undefined }
}
