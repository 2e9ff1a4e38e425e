import type { Field } from '../../operations/declaration/field.ts'
import type { RawValue, RawValues } from '../../shared/raw-values.ts'
import { one } from '../../operations/declaration/fields.ts'
import { countSlips } from '../../operations/declaration/nearest-word.ts'
import { flagName } from '../../operations/declaration/usage.ts'
import type { Operation } from '../../operations/declaration/operation.ts'
import { isSinceWords } from '../../operations/declaration/time-field.ts'
import type { Edit, TypedText } from './slack-escapes.ts'
import type { Token } from './tokens.ts'

/**
 * Takes up flags and positionals in the order they were typed. What the next positional is gets asked anew after
 * each value, since a record's type decides what follows it; a value that is then no longer wanted where it was put goes to the next
 * positional, as in `zones remove shop`, whose first word may also be a kind. The last positional takes the rest of the line up to the
 * next flag, exactly as typed; one zone or a number is one word.
 */
export function readValues(operation: Operation, tokens: readonly Token[], typed: TypedText) {
  return new LineReader(operation, tokens, typed).read()
}

/** Nobody reads more of them; after so many the rest of the line is left alone. */
const MAX_PROBLEMS = 20
/** Which field the word after one of these is for, if it is a positional; `by` needs no place among those. */
const LEADING: ReadonlyMap<string, string> = new Map([
  ...['at', 'by', 'for', 'since', 'until'].map((name) => [name, name] as const),
  ['from', 'since'],
  ['to', 'until'],
  ['on', 'day'],
])
const ON_OFF = new Set(['on', 'off', 'yes', 'no', 'true', 'false'])

interface NamedField {
  readonly name: string
  readonly field: Field
}

class LineReader {
  readonly #operation: Operation
  readonly #tokens: readonly Token[]
  readonly #typed: TypedText
  /** By where each begins. */
  readonly #mentions: ReadonlyMap<number, TypedText['mentions'][number]>
  /** By the spelling of its name. */
  readonly #fields: ReadonlyMap<string, NamedField>
  readonly #values = new Map<string, RawValue>()
  readonly #problems: string[] = []
  /** What would mend the flags that there are not, from left to right. */
  readonly #edits: Edit[] = []
  #at = 0

  constructor(operation: Operation, tokens: readonly Token[], typed: TypedText) {
    this.#operation = operation
    this.#tokens = tokens
    this.#typed = typed
    this.#fields = new Map(Object.entries(operation.fields).map(([name, field]) => [spelling(name), { name, field }]))
    this.#mentions = new Map(typed.mentions.map((mention) => [mention.start, mention]))
  }

  read() {
    for (let token = this.#take(); token !== undefined && this.#problems.length < MAX_PROBLEMS; token = this.#take()) {
      if (token.flag === undefined) this.#readPositional(token)
      else this.#readFlag(token, token.flag)
    }
    return { values: Object.fromEntries(this.#values), problems: this.#problems, edits: this.#edits }
  }

  #take(): Token | undefined {
    const token = this.#tokens[this.#at]
    if (token !== undefined) this.#at++
    return token
  }

  #readPositional(token: Token): void {
    if (this.#readLed(token)) return
    const refused = new Set<string>()
    for (let names = this.#positionals(); ;) {
      const name = names.find((other) => !this.#values.has(other) && !refused.has(other))
      if (name === undefined) break
      this.#values.set(name, this.#textOf(token))
      names = this.#positionals()
      if (names.includes(name)) return this.#fill(name, token, names)
      this.#values.delete(name)
      refused.add(name)
    }
    if (this.#readShortFlag(token)) return
    this.#problems.push(tooMuch(this.#sliceOf(token, this.#takeRest() ?? token)))
  }

  /** People write `-since` where `--since` is meant. */
  #readShortFlag({ start, end, text, quoted }: Token): boolean {
    const name = /^-(\p{L}[^=]*)/u.exec(text)?.[1]
    if (quoted || name === undefined || findFlag(name.toLowerCase(), this.#fields) === undefined) return false
    this.#problems.push(`Options begin with two dashes. Did you mean --${name}?`)
    this.#edits.push({ start, end, text: `-${text}` })
    return true
  }

  /** People write `for 2h` and `at 08:00` where `2h` and `08:00` would do, and `last night` without quotes. */
  #readLed({ text, quoted }: Token): boolean {
    const isToPerson = text.toLowerCase() === 'to' && this.#fields.has('person')
    const led = isToPerson ? 'person' : LEADING.get(text.toLowerCase())
    const start = led === undefined ? this.#at - 1 : this.#at
    const [next, second] = this.#tokens.slice(start, start + 2)
    const together = `${next?.text} ${second?.text}`
    const isTwoWords = isSinceWords(together)
    const name = quoted ? undefined : (led ?? (isTwoWords ? 'since' : undefined))
    if (name === undefined || this.#values.has(name) || next === undefined || next.flag !== undefined) return false
    this.#values.set(name, isTwoWords ? together : this.#textOf(next))
    const hasPlace = name === 'by' ? this.#fields.has(name) : this.#positionals().includes(name)
    if (!hasPlace) return !this.#values.delete(name)
    this.#at = start + (isTwoWords ? 2 : 1)
    return true
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
    const flag = findFlag(typedName, this.#fields)
    if (flag === undefined) {
      const { problem, meant } = describeUnknownFlag(typedName, this.#operation)
      this.#problems.push(problem)
      if (meant === undefined) return
      const [end, equals] = token.flagValue === undefined ? [token.end, ''] : [token.valueStart, '=']
      this.#edits.push({ start: token.start, end, text: `${meant.flag}${equals}` })
      // The value of a misspelt flag must not be taken for the next positional.
      if (token.flagValue === undefined) this.#valueAfter(meant.field)
      return
    }
    const { name, field, negated } = flag
    if (negated) {
      if (token.flagValue === undefined) this.#set(name, field, 'false')
      else this.#problems.push(`--${typedName} takes no value: write ${flagName(name)}=… instead.`)
      return
    }
    const value = token.flagValue === undefined ? this.#valueAfter(field) : this.#valueFrom(token, field)
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
    return this.#valueFrom(next, field)
  }

  /** A name of somebody may have several words: those that follow, once nothing else is expected of them. */
  #valueFrom(first: Token, { control }: Field): string {
    const isName = control.kind === 'text' && control.isPerson === true && !first.quoted
    if (!isName || this.#mentions.get(first.valueStart)?.end === first.end) return this.#listFrom(first)
    if (this.#positionals().some((name) => !this.#values.has(name))) return this.#listFrom(first)
    const last = this.#takeRest()
    return last === undefined ? this.#textOf(first) : this.#typed.text.slice(first.valueStart, last.end)
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

/** The field that a flag's name, in lower case and without dashes, stands for; its own name before the opposite of another. */
function findFlag(typed: string, fields: ReadonlyMap<string, NamedField>) {
  const wanted = spelling(typed)
  const own = fields.get(wanted)
  if (own !== undefined) return { ...own, negated: false }
  /** Typed as `--no-…`: off, for what is either on or off. */
  const other = wanted.startsWith('no') ? fields.get(wanted.slice(2)) : undefined
  return other && isOnOff(other.field) ? { ...other, negated: true } : undefined
}

/** From so many letters on a flag is told by how it begins. */
const MIN_BEGINNING = 4
/** What people type for a field that is called otherwise. */
const OTHER_WORDS: RawValues = {
  path: 'url',
  from: 'since',
  to: 'until',
  code: 'status',
  lines: 'limit',
  group: 'by',
  regions: 'replicationRegions',
}

/** What to say about a flag that `findFlag` does not know, and the flag that was probably meant. */
function describeUnknownFlag(typed: string, { name, fields }: Operation) {
  const flags = Object.entries(fields).map(([key, field]) => {
    const flag = flagName(key)
    const isOther = Object.hasOwn(OTHER_WORDS, typed) && OTHER_WORDS[typed] === key
    const isBegun = typed.length >= MIN_BEGINNING && flag.startsWith(`--${typed}`)
    return { field, flag, away: isOther || isBegun ? 0 : (countSlips(typed, flag.slice(2)) ?? Infinity) }
  })
  const [near] = flags.filter(({ away }) => away < Infinity).toSorted((a, b) => a.away - b.away)
  const unknown = `${name} takes no --${typed}.`
  if (near !== undefined) return { problem: `${unknown} Did you mean ${near.flag}?`, meant: near }
  const problem =
    flags.length === 0
      ? `${unknown} It takes no options at all.`
      : `${unknown} See: help ${name}. If it belongs to a value, put the value in quotes.`
  return { problem, meant: undefined }
}

function isOnOff({ control }: Field): boolean {
  return control.kind === 'switch' || control.kind === 'tri-state'
}

/** Dashes and underscores within a name are forgiven: `--perpage`, `--per_page`. */
function spelling(flag: string): string {
  return flag.toLowerCase().replace(/[-_]/g, '')
}
