import type { RawValue } from '../shared/raw-values.ts'
import type { Field } from './field.ts'
import { custom, type FieldText, one, problem } from './fields.ts'

/** A mention as Slack writes it, an id with a sign before it, or the bare id. */
const PERSON = /^(?:<@([UW][A-Z0-9]{2,20})(?:\|[^<>]*)?>|@?([UW][A-Z0-9]{2,20}))$/
const MAX_CHARACTERS = 120

/** Somebody in Slack, given by a mention or by their user id; the value is the id. */
export function person(options: FieldText): Field<string, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: MAX_CHARACTERS, multiline: false, word: '@person' },
    read(raw) {
      const id = personId(one(raw))
      return id === undefined
        ? problem(
            `${options.label} is nobody Slack knows: type @ and pick the name from Slack's list, or give a user id.`,
          )
        : { ok: true, value: id }
    },
  })
}

/**
 * Whether a word can only be meant as a person, so that what comes after an optional one can be typed without it. A
 * name with an @ that Slack did not turn into a mention counts, so that it is refused and not taken for other words.
 */
export function isMeantAsPerson(raw: RawValue): boolean {
  const typed = one(raw).trim()
  return typed.startsWith('@') || personId(typed) !== undefined
}

function personId(typed: string): string | undefined {
  const match = PERSON.exec(typed.trim())
  return match?.[1] ?? match?.[2]
}
