import { nearestWord } from './nearest-word.ts'
import type { CatalogEntry, Operation } from './operation.ts'

/** The operation of exactly this name, as the store and the audit log keep it. */
export function findOperation(operations: readonly Operation[], name: string): Operation | undefined {
  return operations.find((operation) => operation.name === name)
}

/** The same for a name that the program gives. Throws `TypeError` where there is none: a bug. */
export function requireOperation(operations: readonly Operation[], name: string): Operation {
  const operation = findOperation(operations, name)
  if (operation === undefined) throw new TypeError(`There is no operation ${name}`)
  return operation
}

export type OperationMatch =
  | { readonly kind: 'one'; readonly operation: Operation }
  | { readonly kind: 'several'; readonly operations: readonly Operation[] }
  | { readonly kind: 'none'; readonly suggestion: Operation | undefined }

/**
 * The operation meant by words such as `dns add` or `Zones`, whatever their case and number. A noun that only heads
 * several names means all of them.
 */
export function matchOperation(words: string, operations: readonly Operation[]): OperationMatch {
  const wanted = stems(words)
  const named = operations.find(({ name }) => stems(name) === wanted)
  if (named !== undefined) return { kind: 'one', operation: named }
  const sharing = operations.filter(({ name }) => stems(name).startsWith(`${wanted} `))
  if (sharing.length > 1) return { kind: 'several', operations: sharing }
  const only = sharing[0] ?? operations.find(({ aliases }) => aliases.some((alias) => stems(alias) === wanted))
  if (only !== undefined) return { kind: 'one', operation: only }
  return { kind: 'none', suggestion: nearest(wanted, operations) }
}

export function matchInCatalog(words: string, catalog: readonly CatalogEntry[]): OperationMatch {
  return matchOperation(
    words,
    catalog.map(({ operation }) => operation),
  )
}

/** A word's singular in lower case, near enough to compare by: `libraries` and `library` fall together. */
export function stem(word: string): string {
  return word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
}

function stems(words: string): string {
  return words.trim().split(/\s+/).map(stem).join(' ')
}

function nearest(wanted: string, operations: readonly Operation[]): Operation | undefined {
  const meant = nearestWord(
    wanted,
    operations.map(({ name }) => stems(name)),
  )
  return operations.find(({ name }) => stems(name) === meant)
}
