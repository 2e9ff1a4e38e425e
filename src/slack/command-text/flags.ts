import { distance } from 'fastest-levenshtein'
import type { Field, Fields } from '../../operations/field.ts'
import { flagName } from '../../operations/flag-name.ts'
import type { Operation } from '../../operations/operation.ts'

export interface FoundFlag {
  /** The field's name. */
  readonly name: string
  readonly field: Field
  /** Typed as `--no-…`: off, for what is either on or off. */
  readonly negated: boolean
}

/** The field that a flag's name, in lower case and without dashes, stands for. */
export function findFlag(fields: Fields, typed: string): FoundFlag | undefined {
  const flags = FLAGS.get(fields) ?? flagsOf(fields)
  FLAGS.set(fields, flags)
  return flags.get(spelling(typed))
}

/** By what each is typed as, so that a command costs the same however many there are. */
const FLAGS = new WeakMap<Fields, ReadonlyMap<string, FoundFlag>>()

function flagsOf(fields: Fields): ReadonlyMap<string, FoundFlag> {
  const flags = new Map<string, FoundFlag>()
  // A name of its own replaces one that is only the opposite of another.
  for (const negated of [true, false]) {
    for (const [name, field] of Object.entries(fields)) {
      if (!negated || isOnOff(field))
        flags.set(`${negated ? 'no' : ''}${spelling(flagName(name))}`, { name, field, negated })
    }
  }
  return flags
}

/** A flag the operation does not take: what to say about it, and the flag that was probably meant. */
export interface UnknownFlag {
  readonly problem: string
  readonly meant: Field | undefined
}

/** Judges a flag's name, in lower case and without dashes, that `findFlag` does not know. */
export function unknownFlag(typed: string, { name, fields }: Operation): UnknownFlag {
  const near = Object.entries(fields)
    .map(([key, field]) => ({ field, flag: flagName(key), away: distance(flagName(key).slice(2), typed) }))
    .filter(({ away, flag }) => away <= Math.max(2, Math.floor(flag.length / 3)))
    .toSorted((a, b) => a.away - b.away)[0]
  const said = `${name} takes no --${typed}.`
  if (near !== undefined) return { problem: `${said} Did you mean ${near.flag}?`, meant: near.field }
  const none = Object.keys(fields).length === 0
  return {
    problem: none
      ? `${said} It takes no options at all.`
      : `${said} See: help ${name}. If it belongs to a value, put the value in quotes.`,
    meant: undefined,
  }
}

/** On or off: its flag stands alone. */
export function isOnOff({ control }: Field): boolean {
  return control.kind === 'switch' || control.kind === 'tri-state'
}

/** Dashes and underscores within a name are forgiven: `--perpage`, `--per_page`. */
function spelling(flag: string): string {
  return flag.toLowerCase().replace(/[-_]/g, '')
}
