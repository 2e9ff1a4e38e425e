import type { NamedZone } from '../../operations/field.ts'
import { stem } from '../../operations/find-operation.ts'
import { nearestWord } from '../../operations/nearest-word.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Token } from './tokens.ts'

export type FoundOperation =
  /** `words` of the typed words name it; what follows are its values. */
  | { readonly found: true; readonly operation: Operation; readonly words: number }
  | { readonly found: false; readonly typed: string; readonly suggestion: string | undefined }

/**
 * The operation that the first words name, by name or alias, whatever their case and number (`zone list`,
 * `zones list`). The longest name wins: `keys list` before the alias `keys`. A noun alone followed by something close
 * to one of its verbs is taken for a slip of the hand, unless a zone bears that very name.
 */
export function findTypedOperation(
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
