import { distance } from 'fastest-levenshtein'
import type { Field } from '../../operations/field.ts'
import type { RawValue, RawValues } from '../../shared/raw-values.ts'
import { one } from '../../operations/fields.ts'
import { flagName } from '../../operations/usage.ts'
import type { Operation } from '../../operations/operation.ts'
import type { TypedText } from './slack-escapes.ts'
import type { Token } from './tokens.ts'

export interface ReadValues {
  readonly values: RawValues
  readonly problems: readonly string[]
}

/**
 * Takes up flags and positionals in the order they were typed. What the next positional is gets asked anew after
 * each value, since a record's type decides what follows it; a value that is then no longer wanted where it was put goes to the next
 * positional, as in `zones remove shop`, whose first word may also be a kind. The last positional takes the rest of the line up to the
 * next flag, exactly as typed; one zone or a number is one word.
 */
export function readValues(operation: Operation, tokens: readonly Token[], typed: TypedText): ReadValues {
  return new LineReader(operation, tokens, typed).read()
}

/** Nobody reads more of them; after so many the rest of the line is left alone. */
const MAX_PROBLEMS = 20
const ON_OFF = new Set(['on', 'off', 'yes', 'no', 'true', 'false'])

class LineReader {
  readonly #operation: Operation
  readonly #flags: readonly Flag[]
  readonly #tokens: readonly Token[]
  readonly #typed: TypedText
  /** By where each begins. */
  readonly #mentions: ReadonlyMap<number, TypedText['mentions'][number]>
  readonly #values = new Map<string, RawValue>()
  readonly #problems: string[] = []
  #at = 0

  constructor(operation: Operation, tokens: readonly Token[], typed: TypedText) {
    this.#operation = operation
    this.#flags = Object.entries(operation.fields).map(([name, field]) => ({ name, field, spelled: spelling(name) }))
    this.#tokens = tokens
    this.#typed = typed
    this.#mentions = new Map(typed.mentions.map((mention) => [mention.start, mention]))
  }

  read(): ReadValues {
    for (let token = this.#take(); token !== undefined && this.#problems.length < MAX_PROBLEMS; token = this.#take()) {
      if (token.flag === undefined) this.#readPositional(token)
      else this.#readFlag(token, token.flag)
    }
    return { values: Object.fromEntries(this.#values), problems: this.#problems }
  }

  #take(): Token | undefined {
    const token = this.#tokens[this.#at]
    if (token !== undefined) this.#at++
    return token
  }

  #readPositional(token: Token): void {
    const refused = new Set<string>()
    for (;;) {
      const name = this.#positionals().find((other) => !this.#values.has(other) && !refused.has(other))
      if (name === undefined) break
      this.#values.set(name, this.#textOf(token))
      const names = this.#positionals()
      if (names.includes(name)) return this.#fill(name, token, names)
      this.#values.delete(name)
      refused.add(name)
    }
    this.#problems.push(tooMuch(this.#sliceOf(token, this.#takeRest() ?? token)))
  }

  #fill(name: string, token: Token, names: readonly string[]): void {
    const field = this.#operation.fields[name]
    if (names.at(-1) !== name || field === undefined || isOneWord(field)) {
      this.#values.set(name, this.#listFrom(token))
      return
    }
    const last = this.#takeRest()
    if (last !== undefined) this.#values.set(name, this.#sliceOf(token, last))
  }

  #positionals(): readonly string[] {
    return this.#operation.positionals(Object.fromEntries(this.#values))
  }

  /** Moves on over the words before the next flag; returns the last of them, or nothing when there are none. */
  #takeRest(): Token | undefined {
    let last: Token | undefined
    while (this.#tokens[this.#at]?.flag === undefined && this.#at < this.#tokens.length) last = this.#take()
    return last
  }

  #readFlag(token: Token, typedName: string): void {
    const flag = findFlag(this.#flags, typedName)
    if (flag === undefined) {
      const { problem, meant } = unknownFlag(typedName, this.#operation)
      this.#problems.push(problem)
      // The value of a misspelt flag must not be taken for the next positional.
      if (token.flagValue === undefined && meant !== undefined) this.#valueAfter(meant)
      return
    }
    const { name, field, negated } = flag
    if (negated) {
      if (token.flagValue === undefined) this.#set(name, field, 'false')
      else this.#problems.push(`--${typedName} takes no value: write ${flagName(name)}=… instead.`)
      return
    }
    const value = token.flagValue === undefined ? this.#valueAfter(field) : this.#listFrom(token)
    if (value === undefined) this.#problems.push(`${flagName(name)} needs a value: ${field.label}.`)
    else this.#set(name, field, value)
  }

  /** A switch stands alone, though people also write `--csv on`; every other flag is followed by its value. */
  #valueAfter(field: Field): string | undefined {
    const next = this.#tokens[this.#at]
    if (isOnOff(field)) {
      const word = next?.flag === undefined && next?.quoted === false ? next.text.toLowerCase() : undefined
      if (word === undefined) return 'true'
      if (!ON_OFF.has(word) && !(field.control.kind === 'tri-state' && word === 'default')) return 'true'
      this.#at++
      return word
    }
    if (next === undefined || next.flag !== undefined) return undefined
    this.#at++
    return this.#listFrom(next)
  }

  /** People write `--cache MISS, STALE` as well: a comma at the end or the beginning of a word goes on with the list. */
  #listFrom(first: Token): string {
    let last = first
    for (let next = this.#tokens[this.#at]; next !== undefined; next = this.#tokens[this.#at]) {
      if (last.quoted || next.quoted || next.flag !== undefined) break
      if (!last.text.endsWith(',') && !next.text.startsWith(',')) break
      last = next
      this.#at++
    }
    return last === first ? this.#textOf(first) : this.#typed.text.slice(first.valueStart, last.end)
  }

  /** Lists and lines add up when a flag is repeated; of anything else there can be only one. */
  #set(name: string, field: Field, value: string): void {
    const { control } = field
    const given = this.#values.get(name)
    const before = given === undefined ? undefined : one(given)
    if (before === undefined) this.#values.set(name, value)
    else if (control.kind === 'choices' || (control.kind === 'zone' && control.several === true))
      this.#values.set(name, `${before},${value}`)
    else if (control.kind === 'text' && control.multiline) this.#values.set(name, `${before}\n${value}`)
    else if (before !== value) this.#problems.push(`${field.label} was given twice: ${before} and ${value}.`)
  }

  /** A mention that is a whole value means the person or channel, by id; within other text it is what was typed. */
  #textOf(token: Token): string {
    const mention = this.#mentions.get(token.valueStart)
    return (mention?.end === token.end ? mention.id : token.flagValue) ?? token.text
  }

  #sliceOf(first: Token, last: Token): string {
    return this.#typed.text.slice(first.start, last.end)
  }
}

function isOneWord({ control }: Field): boolean {
  return (
    (control.kind === 'zone' && control.several !== true) || control.kind === 'number' || control.kind === 'choices'
  )
}

function tooMuch(typed: string): string {
  return `Nothing more was expected at: ${typed}. Text with spaces goes in quotes, options begin with --.`
}

interface Flag {
  readonly name: string
  readonly field: Field
  readonly spelled: string
}

interface FoundFlag extends Flag {
  /** Typed as `--no-…`: off, for what is either on or off. */
  readonly negated: boolean
}

/** The field that a flag's name, in lower case and without dashes, stands for; its own name before the opposite of another. */
function findFlag(flags: readonly Flag[], typed: string): FoundFlag | undefined {
  const wanted = spelling(typed)
  const own = flags.find(({ spelled }) => spelled === wanted)
  const opposite = flags.find(({ field, spelled }) => isOnOff(field) && `no${spelled}` === wanted)
  const found = own ?? opposite
  return found && { ...found, negated: own === undefined }
}

/** A flag the operation does not take: what to say about it, and the flag that was probably meant. */
interface UnknownFlag {
  readonly problem: string
  readonly meant: Field | undefined
}

/** Judges a flag's name, in lower case and without dashes, that `findFlag` does not know. */
function unknownFlag(typed: string, { name, fields }: Operation): UnknownFlag {
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

function isOnOff({ control }: Field): boolean {
  return control.kind === 'switch' || control.kind === 'tri-state'
}

/** Dashes and underscores within a name are forgiven: `--perpage`, `--per_page`. */
function spelling(flag: string): string {
  return flag.toLowerCase().replace(/[-_]/g, '')
}
