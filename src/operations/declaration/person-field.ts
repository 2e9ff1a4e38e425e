import type { RawValue } from '../../shared/raw-values.ts'
import type { Field } from './field.ts'
import { type FieldText, one, spelled } from './fields.ts'

/** Each is a mention as Slack writes it, an id with a sign before it, or the bare id. */
const PERSON = /^(?:<@([UW][A-Z0-9]{2,20})(?:\|[^<>]*)?>|@?([UW][A-Z0-9]{2,20}))$/
const GROUP = /^(?:<!subteam\^(S[A-Z0-9]{2,20})(?:\|[^<>]*)?>|@?(S[A-Z0-9]{2,20}))$/
const MAX_CHARACTERS = 120

/** Somebody in Slack, given by a mention or by their user id; the value is the id. */
export function person(options: FieldText): Field<string, false> {
  return spelled({
    ...options,
    maxLength: MAX_CHARACTERS,
    word: '@person',
    parse: (typed) => idIn(typed, PERSON),
    rule: `${options.label} is nobody Slack knows: type @ and pick the name from Slack's list, or give a user id.`,
  })
}

export function personOrGroup(options: FieldText): Field<string, false> {
  return spelled({
    ...options,
    maxLength: MAX_CHARACTERS,
    word: '@group-or-person',
    parse: (typed) => idIn(typed, GROUP) ?? idIn(typed, PERSON),
    rule: `${options.label} is no user group or person of Slack: pick one from the list Slack offers after @, or give its id (S… or U…).`,
  })
}

/**
 * Whether a word can only be meant as a person, so that what comes after an optional one can be typed without it. A
 * name with an @ that Slack did not turn into a mention counts, so that it is refused and not taken for other words.
 */
export function isMeantAsPerson(raw: RawValue): boolean {
  const typed = one(raw).trim()
  return typed.startsWith('@') || idIn(typed, PERSON) !== undefined
}

function idIn(typed: string, spelling: RegExp): string | undefined {
  const match = spelling.exec(typed)
  return match?.[1] ?? match?.[2]
}
