import type { NamedZone } from '../../operations/field.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { Operation } from '../../operations/operation.ts'
import { findOperation } from '../../operations/find-operation.ts'
import { findTypedOperation } from './find-operation.ts'
import { readValues } from './read-values.ts'
import { unescapeSlack } from './slack-escapes.ts'
import { tokenize, type OpenQuote, type Token } from './tokens.ts'

/** What was typed after the command. Problems and typed words are plain text from outside, not yet escaped. */
export type CommandParse =
  /** Nothing was typed. */
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
  /** The text cannot be taken apart at all. */
  | { readonly kind: 'unreadable'; readonly problem: string }

/** What people add to a command to be told about it. */
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
