import type { NamedZone } from '../../operations/field.ts'
import { findOperation, stem } from '../../operations/find-operation.ts'
import { nearestWord } from '../../operations/nearest-word.ts'
import type { Operation } from '../../operations/operation.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { readValues } from './read-values.ts'
import { unescapeSlack } from './slack-escapes.ts'
import { type OpenQuote, type Token, tokenize } from './tokens.ts'

/** What was typed after the command. Problems and typed words are plain text from outside, not yet escaped. */
export type CommandParse =
  | { readonly kind: 'empty' }
  /** `problems` are sentences about what could not be taken up; values the operation finds wrong come later. */
  | {
      readonly kind: 'operation'
      readonly operation: Operation
      readonly values: RawValues
      readonly problems: readonly string[]
    }
  /** The words name no operation. `suggestion` is the name of the one that was probably meant. */
  | { readonly kind: 'unknown'; readonly typed: string; readonly suggestion: string | undefined }
  | { readonly kind: 'unreadable'; readonly problem: string }

const HELP_WORD = /^(?:help|-h|\?)$/i

/** As people typed it, without Slack's escapes: room for the longest value there is, and short enough to be read at once. */
export const MAX_COMMAND_CHARACTERS = 4_000
/** What a command begins with: the words of a name, with room between them. */
const NAME_CHARACTERS = 200

/**
 * Reads `dns add shop MX @ 10 mail.example.net --ttl 300`: the words name the operation, then come values in the
 * order the operation says and flags anywhere. Zones are only needed to tell a zone's name from a mistyped verb.
 */
export function parseCommand(
  text: string,
  operations: readonly Operation[],
  zones: readonly NamedZone[] = [],
): CommandParse {
  const typed = unescapeSlack(text)
  if (typed.text.length > MAX_COMMAND_CHARACTERS) return { kind: 'unreadable', problem: tooLong(typed.text.length) }
  const { tokens, openQuote } = tokenize(typed.text)
  if (tokens.length === 0 && openQuote === undefined) return { kind: 'empty' }
  const found = findTypedOperation(tokens, operations, zones)
  const helped = helpAbout(tokens, found.found ? found.words : 1, operations, zones)
  if (helped !== undefined) return helped
  if (!found.found) {
    if (openQuote !== undefined) return { kind: 'unreadable', problem: neverClosed(openQuote) }
    return { kind: 'unknown', typed: found.typed, suggestion: found.suggestion }
  }
  const { values, problems } = readValues(found.operation, tokens.slice(found.words), typed)
  return {
    kind: 'operation',
    operation: found.operation,
    values,
    problems: openQuote === undefined ? problems : [neverClosed(openQuote), ...problems],
  }
}

/** The operation that the first words name, without a look at the rest: for what cannot wait for that. */
export function operationNamed(text: string, operations: readonly Operation[]): Operation | undefined {
  const found = findTypedOperation(tokenize(text.trimStart().slice(0, NAME_CHARACTERS)).tokens, operations, [])
  return found.found ? found.operation : undefined
}

/** `logs --help` and `logs help` ask about the operation, whichever it is, unless a zone bears that name. */
function helpAbout(
  tokens: readonly Token[],
  words: number,
  operations: readonly Operation[],
  zones: readonly NamedZone[],
): CommandParse | undefined {
  const help = findOperation(operations, 'help')
  const rest = tokens.slice(words)
  const [only, ...more] = rest
  const isWord = only !== undefined && more.length === 0 && !only.quoted && HELP_WORD.test(only.text)
  const named = isWord && zones.some(({ name }) => name.toLowerCase() === only.text.toLowerCase())
  if (help === undefined || !(rest.some(({ flag }) => flag === 'help') || (isWord && !named))) return undefined
  const about = tokens.slice(0, words).map(({ text }) => text)
  return { kind: 'operation', operation: help, values: { operation: about.join(' ') }, problems: [] }
}

function neverClosed({ quote, position }: OpenQuote): string {
  return `The quote ${quote} at character ${position} is never closed, so nothing from there on was read. Close it, or put a backslash before it.`
}

function tooLong(length: number): string {
  return `The command has ${length} characters; at most ${MAX_COMMAND_CHARACTERS} are read. Open the form and put long values there.`
}

export type FoundOperation =
  /** `words` of the typed words name it; what follows are its values. */
  | { readonly found: true; readonly operation: Operation; readonly words: number }
  | { readonly found: false; readonly typed: string; readonly suggestion: string | undefined }

/**
 * The operation that the first words name, by name or alias, whatever their case and number (`zone list`,
 * `zones list`). The longest name wins: `keys list` before the alias `keys`. A noun alone followed by something close
 * to one of its verbs is taken for a slip of the hand, unless a zone bears that very name.
 */
function findTypedOperation(
  tokens: readonly Token[],
  operations: readonly Operation[],
  zones: readonly NamedZone[],
): FoundOperation {
  const typed = tokens.slice(0, MAX_NAME_WORDS).map(({ text }) => text)
  const names = namesOf(operations)
  const found = names.find(({ words }) => words.length <= typed.length && sameWords(words, typed))
  if (found === undefined) {
    const said = typed.slice(0, 2).join(' ')
    return { found: false, typed: said, suggestion: suggest(typed, names) }
  }
  const next = tokens[found.words.length]
  const meant =
    found.words.length === 1 && next !== undefined && !next.quoted ? slip(found, next.text, names, zones) : undefined
  if (meant !== undefined) return { found: false, typed: typed.slice(0, 2).join(' '), suggestion: meant }
  return { found: true, operation: found.operation, words: found.words.length }
}

/** Names are made of a noun and a verb; one more word leaves room for a finer noun. */
const MAX_NAME_WORDS = 3

interface Name {
  readonly words: readonly string[]
  readonly operation: Operation
}

/** The longest first; of two alike the first counts. */
function namesOf(operations: readonly Operation[]): readonly Name[] {
  return operations
    .flatMap((operation) =>
      [operation.name, ...operation.aliases].map((name): Name => ({ words: name.split(' '), operation })),
    )
    .toSorted((a, b) => b.words.length - a.words.length)
}

function sameWords(words: readonly string[], typed: readonly string[]): boolean {
  return words.every((word, index) => stem(word) === stem(typed[index] ?? ''))
}

function slip(noun: Name, next: string, names: readonly Name[], zones: readonly NamedZone[]): string | undefined {
  const wanted = next.toLowerCase()
  if (zones.some(({ name }) => name.toLowerCase() === wanted)) return undefined
  const siblings = names.filter(({ words }) => words.length === 2 && sameWords(words.slice(0, 1), noun.words))
  return closest(next, siblings, ({ words }) => words[1] ?? '')
}

/** The verb may be wrong, the noun may be wrong, or the two may stand the other way round. */
function suggest(typed: readonly string[], names: readonly Name[]): string | undefined {
  const [noun = '', verb] = typed
  const sameNoun = names.filter(({ words }) => words.length > 1 && stem(words[0] ?? '') === stem(noun))
  if (sameNoun.length > 0) return closest(verb ?? '', sameNoun, ({ words }) => words[1] ?? '') ?? nameOf(sameNoun[0])
  const turned = names.find(({ words }) => words.length === 2 && sameWords(words, [verb ?? '', noun]))
  if (turned !== undefined) return nameOf(turned)
  return (
    closest(typed.slice(0, 2).join(' '), names, ({ words }) => words.join(' ')) ??
    closest(noun, names, ({ words }) => words[0] ?? '')
  )
}

function closest(typed: string, names: readonly Name[], part: (name: Name) => string): string | undefined {
  const meant = nearestWord(typed, names.map(part))
  return meant === undefined ? undefined : nameOf(names.find((name) => part(name) === meant))
}

function nameOf(name: Name | undefined): string | undefined {
  return name?.operation.name
}
