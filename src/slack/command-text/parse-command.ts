import type { NamedZone } from '../../operations/declaration/field.ts'
import { findOperation, stem } from '../../operations/declaration/operation-names.ts'
import { countSlips, nearestWord } from '../../operations/declaration/nearest-word.ts'
import type { Operation } from '../../operations/declaration/operation.ts'
import { isSinceWords } from '../../operations/declaration/time-field.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { readValues } from './read-values.ts'
import { type Edit, editText, type TypedText, unescapeSlack } from './slack-escapes.ts'
import { type OpenQuote, type Token, tokenize } from './tokens.ts'

/** What was typed after the command. Problems and typed words are plain text from outside, not yet escaped. */
export type CommandParse =
  | { readonly kind: 'empty' }
  /** `words` is how many words name it, or what help is wanted about. */
  | (ReadOperation & { readonly kind: 'operation'; readonly words: number })
  /** Not what was typed but what was probably meant, which is asked and never run: `text` is how it would be typed. */
  | (ReadOperation & { readonly kind: 'meant'; readonly text: string })
  /** The words name no operation. `noun` is what several are about, where that at least was typed. */
  | { readonly kind: 'unknown'; readonly typed: string; readonly noun: string | undefined }
  | { readonly kind: 'unreadable'; readonly problem: string }

interface ReadOperation {
  readonly operation: Operation
  readonly values: RawValues
  /** Sentences about what could not be taken up; values the operation finds wrong come later. */
  readonly problems: readonly string[]
}

const HELP_WORD = /^(?:help|-h|\?)$/i

/** As people typed it, without Slack's escapes: room for the longest value there is, and short enough to be read at once. */
const MAX_COMMAND_CHARACTERS = 4_000
/** Who makes more of them in the flags of one command means something else. */
const MAX_SLIPS = 5
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
  const { length } = typed.text
  if (length > MAX_COMMAND_CHARACTERS) {
    const problem = `The command has ${length} characters; at most ${MAX_COMMAND_CHARACTERS} are read. Open the form and put long values there.`
    return { kind: 'unreadable', problem }
  }
  const { tokens, openQuote } = tokenize(typed.text)
  if (tokens.length === 0 && openQuote === undefined) return { kind: 'empty' }
  const found = findTypedOperation(tokens, operations, zones)
  const help = readHelp(tokens, 'words' in found ? found.words : 1, operations, zones)
  if (help !== undefined) return help
  if (!('words' in found)) {
    if (openQuote !== undefined) return { kind: 'unreadable', problem: neverClosed(openQuote) }
    const meant = found.edit && readMeant(typed, [found.edit], operations, zones)
    return meant ?? { kind: 'unknown', typed: joinTexts(tokens.slice(0, 2)), noun: found.noun }
  }
  const { values, problems, edits } = readValues(found.operation, tokens.slice(found.words), typed)
  if (openQuote !== undefined)
    return { kind: 'operation', ...found, values, problems: [neverClosed(openQuote), ...problems] }
  const meant = edits.length > 0 ? readMeant(typed, edits, operations, zones) : undefined
  return meant ?? { kind: 'operation', ...found, values, problems }
}

/** What is typed with some words mended: those that name the operation first, then its flags. */
function readMeant(
  typed: TypedText,
  edits: readonly Edit[],
  operations: readonly Operation[],
  zones: readonly NamedZone[],
  mends = 1,
): CommandParse | undefined {
  if (edits.length > MAX_SLIPS) return undefined
  const mended = editText(typed, edits)
  const { tokens } = tokenize(mended.text)
  const found = findTypedOperation(tokens, operations, zones)
  if (!('words' in found)) return undefined
  const { operation } = found
  const { values, problems, edits: more } = readValues(operation, tokens.slice(found.words), mended)
  if (more.length > 0) return mends > 1 ? undefined : readMeant(mended, more, operations, zones, mends + 1)
  return { kind: 'meant', operation, values, problems, text: mended.text }
}

/** The operation that the first words name, without a look at the rest: for what cannot wait for that. */
export function operationNamed(text: string, operations: readonly Operation[]): Operation | undefined {
  const found = findTypedOperation(tokenize(text.trimStart().slice(0, NAME_CHARACTERS)).tokens, operations, [])
  return 'words' in found ? found.operation : undefined
}

/** `logs --help` and `logs help` ask about the operation, whichever it is, unless a zone bears that name. */
function readHelp(
  tokens: readonly Token[],
  words: number,
  operations: readonly Operation[],
  zones: readonly NamedZone[],
): CommandParse | undefined {
  const help = findOperation(operations, 'help')
  const rest = tokens.slice(words)
  const [only, ...more] = rest
  const isAlone = only !== undefined && more.length === 0 && !only.quoted
  const isWord = isAlone && HELP_WORD.test(only.text) && !isZone(only.text, zones)
  if (help === undefined || !(isWord || rest.some(({ flag }) => flag === 'help'))) return undefined
  const values = { operation: joinTexts(tokens.slice(0, words)) }
  return { kind: 'operation', operation: help, words, values, problems: [] }
}

function joinTexts(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(' ')
}

function neverClosed({ quote, position }: OpenQuote): string {
  return `The quote ${quote} at character ${position} is never closed, so nothing from there on was read. Close it, or put a backslash before it.`
}

type Found =
  | { readonly operation: Operation; readonly words: number }
  /** None; `edit` makes of the first words what was probably meant. */
  | { readonly edit: Edit | undefined; readonly noun?: string | undefined }

/**
 * The operation that the first words name, by name or alias, whatever their case and number (`zone list`,
 * `zones list`), and how many words that are; or what was probably meant. The longest name wins: `keys list` before
 * the alias `keys`. A noun alone followed by something close to one of its verbs is taken for a typing error, unless a zone
 * bears that very name.
 */
function findTypedOperation(
  tokens: readonly Token[],
  operations: readonly Operation[],
  zones: readonly NamedZone[],
): Found {
  const typed = tokens.slice(0, MAX_NAME_WORDS).map(({ text }) => text)
  const names = listNames(operations)
  const found = names.find(({ words }) => words.length <= typed.length && sameWords(words, typed))
  if (found === undefined) {
    const edit = findMeant(tokens, names, zones)
    const nouns = names.flatMap(({ words }) => (words.length > 1 ? words.slice(0, 1) : []))
    return { edit, noun: nearestWord(stem(typed[0] ?? ''), [...new Set(nouns.map(stem))]) }
  }
  const words = found.words.length
  const next = tokens[words]
  const isPlain = words === 1 && next !== undefined && !next.quoted
  const verb = isPlain ? findVerb(found, typed.slice(1), names, zones) : undefined
  if (verb !== undefined) return { edit: replaceWords(tokens, 2, verb) }
  const [noun] = found.words
  const isNounAlone = isPlain && found.operation.name !== noun
  if (isNounAlone && VERBS.has(next.text.toLowerCase()) && !isZone(next.text, zones)) return { edit: undefined, noun }
  return { operation: found.operation, words }
}

/** Behind a noun alone each says what is wanted, and is no value of the one thing that the noun alone does: `library delete demo`. */
export const VERBS: ReadonlySet<string> = new Set(
  'add change check clear copy create del delete destroy disable drop edit enable export find flush get import invalidate ls list lookup modify move new purge remove rename renew restore revoke rm rotate set show update'.split(
    ' ',
  ),
)

/** Names are made of a noun and a verb; one more word leaves room for a finer noun. */
const MAX_NAME_WORDS = 3

interface Name {
  readonly words: readonly string[]
  readonly operation: Operation
}

/** The longest first; of two alike the first counts. */
function listNames(operations: readonly Operation[]): readonly Name[] {
  return operations
    .flatMap((operation) =>
      [operation.name, ...operation.aliases].map((name): Name => ({ words: name.split(' '), operation })),
    )
    .toSorted((a, b) => b.words.length - a.words.length)
}

function sameWords(words: readonly string[], typed: readonly string[]): boolean {
  return words.every((word, index) => stem(word) === stem(typed[index] ?? ''))
}

function findVerb(
  noun: Name,
  [next = '', after = '']: readonly string[],
  names: readonly Name[],
  zones: readonly NamedZone[],
): string | undefined {
  if (isZone(next, zones) || isSinceWords(`${next} ${after}`)) return undefined
  const siblings = names.filter(({ words }) => words.length === 2 && sameWords(words.slice(0, 1), noun.words))
  const verb = nearestWord(
    next,
    siblings.map(({ words }) => words[1] ?? ''),
  )
  return siblings.find(({ words }) => words[1] === verb)?.operation.name
}

function isZone(word: string, zones: readonly NamedZone[]): boolean {
  const wanted = word.toLowerCase()
  return zones.some(({ name }) => name.toLowerCase() === wanted)
}

/**
 * A slip in one word or in each, the two the wrong way round, a zone before the command, a verb that only one noun has, or any
 * words about a pull zone.
 */
function findMeant(tokens: readonly Token[], names: readonly Name[], zones: readonly NamedZone[]): Edit | undefined {
  const typed = tokens.slice(0, MAX_NAME_WORDS).map(({ text, flag }) => (flag === undefined ? text : ''))
  const [first = '', second = ''] = typed
  const stems = typed.map(stem)
  const near = names
    .flatMap((name) => {
      const slips = name.words.map((word, index) => countSlips(stems[index] ?? '', stem(word)))
      const away = slips.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0)
      return away === undefined ? [] : [{ name, away }]
    })
    .toSorted((a, b) => b.name.words.length - a.name.words.length || a.away - b.away)[0]?.name
  const pullZones = zones.filter(({ kind }) => kind === 'pull')
  // What was typed without the marks of a sentence, and where in it the first pull zone is named.
  const words = tokens.map(({ text }) => text.replace(/[?!.,:]+$/, ''))
  const zonePlace = words.findIndex((word) => isZone(word, pullZones))
  const isOrder = VERBS.has(first.toLowerCase())
  const zone = isOrder ? undefined : words[zonePlace]
  const asked = isOrder ? undefined : (commandForQuestion(words, zonePlace) ?? (zone && `status ${zone}`))
  const question = asked === undefined ? undefined : replaceWords(tokens, tokens.length, asked)
  // `what is wrong with shop?`: a slip in the one word of a command stands right before its zone.
  if (zone !== undefined && zonePlace > 1 && near?.words.length === 1) return question
  if (near !== undefined) return replaceWords(tokens, near.words.length, near.operation.name)
  const turned = names.find(({ words }) => words.length === 2 && sameWords(words, [second, first]))
  if (turned !== undefined) return replaceWords(tokens, 2, turned.operation.name)
  const after = isZone(first, zones) ? names.find(({ words }) => sameWords(words, typed.slice(1))) : undefined
  if (after !== undefined) return replaceWords(tokens, after.words.length + 1, `${after.operation.name} ${first}`)
  const verbs = names.filter(({ words: [, verb] }) => verb !== undefined && stem(verb) === stem(first))
  const [only, ...others] = new Set(verbs.map(({ operation }) => operation.name))
  if (only !== undefined && others.length === 0 && zonePlace < 2) return replaceWords(tokens, 1, only)
  return question
}

function replaceWords(tokens: readonly Token[], count: number, text: string): Edit | undefined {
  const [first, last] = [tokens[0], tokens[count - 1]]
  return first === undefined || last === undefined ? undefined : { start: first.start, end: last.end, text }
}

/**
 * What people ask in words that name no command, by how it begins, and the command that answers it. `{zone}` is the pull zone
 * that they name, `{rest}` what follows it, `{word}` their first word, `{since}` words for a time.
 */
const QUESTIONS: readonly (readonly [words: RegExp, command: string])[] = [
  [/^(?:errors?|[1-5](?:xx|\d\d))\b/, 'logs {zone} {word} {since}'],
  [/^(?:top|busiest|slow|slowest)\b/, 'logs {zone} {since} --by path'],
  [/^(?:tail|lines|requests)\b/, 'logs {zone}'],
  [/^(?:maintenance|quiet|downtime)\b/, 'alerts silence {zone} {rest}'],
  [/^(?:deploy|deployed|release|released)\b/, 'alerts mark {zone} {rest}'],
  [/^(?:thresholds?|limits?|rules?)\b/, 'alerts list'],
  [/^(?:monitor|notify)\b/, 'alerts watch {zone}'],
  [/^(?:stop|unmonitor)\b/, 'alerts remove {zone}'],
  [/^(?:escalate|page)\b/, 'alerts assign {zone}'],
  [/\b(?:added|changed|did|happened)\b/, 'history {zone} {since}'],
  [/^(?:open|active|broken)\b/, 'status {zone}'],
  [/^(?:who|access|permissions?|roles?)$/, 'whoami'],
  [/^(?:config|ping|settings|version)\b/, 'doctor'],
]

const SINCE = /\b(?:today|yesterday|last (?:hour|night|week)|this week)\b/

/** The command for a question; undefined where nothing says what is asked. */
function commandForQuestion(words: readonly string[], zonePlace: number): string | undefined {
  const asked = words.join(' ').toLowerCase()
  const [, command] = QUESTIONS.find(([pattern]) => pattern.test(asked)) ?? []
  const [zone = '', ...rest] = zonePlace < 0 ? [] : words.slice(zonePlace)
  return command
    ?.replace('{word}', () => words[0]?.toLowerCase() ?? '')
    .replace('{zone}', () => zone)
    .replace('{since}', SINCE.exec(asked)?.[0] ?? '')
    .replace('{rest}', () => rest.join(' '))
    .replaceAll(/ +/g, ' ')
    .trim()
}
