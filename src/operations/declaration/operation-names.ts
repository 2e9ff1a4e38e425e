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

/** What words mean; `Entry` is an operation with what goes with it. */
type OperationMatch<Entry> =
  | { readonly kind: 'some'; readonly entries: readonly [Entry, ...Entry[]] }
  | { readonly kind: 'none'; readonly suggestion: Operation | undefined }

/**
 * The operation meant by words such as `dns add` or `Zones`, whatever their case and number. A noun that only heads
 * several names means all of them.
 */
export function matchOperation<Entry extends Pick<CatalogEntry, 'operation'>>(
  words: string,
  catalog: readonly Entry[],
): OperationMatch<Entry> {
  const wanted = stems(words)
  const named = catalog.find(({ operation }) => stems(operation.name) === wanted)
  const [first, ...others] = catalog.filter(({ operation }) => stems(operation.name).startsWith(`${wanted} `))
  const aliased = catalog.find(({ operation }) => operation.aliases.some((alias) => stems(alias) === wanted))
  if (named !== undefined) return { kind: 'some', entries: [named] }
  if (first !== undefined) return { kind: 'some', entries: [first, ...others] }
  if (aliased !== undefined) return { kind: 'some', entries: [aliased] }
  const names = catalog.map(({ operation }) => stems(operation.name))
  const near = nearestWord(wanted, names)
  return { kind: 'none', suggestion: catalog.find(({ operation }) => stems(operation.name) === near)?.operation }
}

/** A word's singular in lower case, near enough to compare by: `libraries` and `library` fall together. */
export function stem(word: string): string {
  return word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')
}

function stems(words: string): string {
  return words.trim().split(/\s+/).map(stem).join(' ')
}
