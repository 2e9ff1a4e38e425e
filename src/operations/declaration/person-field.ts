import type { RawValue, RawValues } from '../../shared/raw-values.ts'
import type { Field, Fields } from './field.ts'
import { custom, type FieldText, one, problem } from './fields.ts'

/** Each is a mention as Slack writes it, an id with a sign before it, or the bare id. */
const PERSON = /^(?:<@([UW][A-Z0-9]{2,20})(?:\|[^<>]*)?>|@?([UW][A-Z0-9]{2,20}))$/
const GROUP = /^(?:<!subteam\^(S[A-Z0-9]{2,20})(?:\|[^<>]*)?>|@?(S[A-Z0-9]{2,20}))$/
const MAX_NAMED = 4

/** Somebody in Slack, given by a mention, by their name or by their user id; the value is the id. */
export function person(options: FieldText): Field<string, false> {
  const rule = `${options.label} is nobody CDN Ops found in Slack: type @ and pick the name from Slack's list, or give a user id.`
  return somebody(options, '@person', (typed) => idIn(typed, PERSON), rule)
}

export function personOrGroup(options: FieldText): Field<string, false> {
  const rule = `${options.label} is no user group or person that CDN Ops found in Slack: in a command type @ and pick one from the list, or give its name as Slack shows it, or its id (S… or U…).`
  return somebody(options, '@group-or-person', (typed) => idIn(typed, GROUP) ?? idIn(typed, PERSON), rule)
}

function somebody(options: FieldText, word: string, idOf: (typed: string) => string | undefined, rule: string) {
  return custom<string>({
    ...options,
    control: { kind: 'text', maxLength: 120, multiline: false, word, isPerson: true },
    read(raw, { named }) {
      const typed = one(raw).trim()
      const id = idOf(typed)
      if (id !== undefined) return { ok: true, value: id }
      const known = named?.get(nameIn(typed) ?? '')?.filter((each) => idOf(each.id) !== undefined) ?? []
      const found = known.filter(({ isOther }) => isOther !== true)
      const [only, ...others] = found
      if (only === undefined && known.length === 0) return problem(rule)
      if (only === undefined) {
        const groups = known.map(({ name }) => name).join(', ')
        return problem(`${options.label}: nobody is called ${typed}. User groups are ${groups}.`)
      }
      if (others.length === 0) return { ok: true, value: only.id }
      const names = found.map(({ name }) => name).slice(0, MAX_NAMED)
      return problem(`${options.label} can be several, such as ${names.join(', ')}. Give the one by its @name.`)
    },
  })
}

/** The names among these values that have to be looked up in Slack, as `ParseContext` has them. */
export function namesIn(values: RawValues, fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, { control }]) => {
    const raw = control.kind === 'text' && control.isPerson === true ? values[name] : undefined
    return raw === undefined ? [] : (nameIn(one(raw).trim()) ?? [])
  })
}

function nameIn(typed: string): string | undefined {
  const name = typed.replace(/^@/, '').trim().toLowerCase()
  return name === '' || idIn(typed, PERSON) !== undefined || idIn(typed, GROUP) !== undefined ? undefined : name
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
