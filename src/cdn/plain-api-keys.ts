import type { ApiKey, ApiKeyList } from './api-keys.ts'
import { redact } from '../shared/secret.ts'
import { INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, MAX_LIST_ITEMS } from './wire-fields.ts'

/**
 * A page of keys that has nothing but what the contract says, read as `ApiKeyList` reads it, at a tenth of the cost. Undefined
 * for any other body, which is then the schema's: to be read leniently, or refused with the names of its fields.
 */
export function plainApiKeys(body: unknown): ApiKeyList | undefined {
  const list = fieldsOf(body)
  if (list === undefined || !hasOnly(list, LIST_FIELDS)) return undefined
  const CurrentPage = list['CurrentPage'] ?? undefined
  const TotalItems = list['TotalItems'] ?? undefined
  const HasMoreItems = list['HasMoreItems'] ?? undefined
  if (!isInt32(CurrentPage) || !isInt32(TotalItems)) return undefined
  if (HasMoreItems !== undefined && typeof HasMoreItems !== 'boolean') return undefined
  const Items = itemsOf(list['Items'] ?? [])
  return Items === undefined ? undefined : { Items, CurrentPage, TotalItems, HasMoreItems }
}

const LIST_FIELDS: ReadonlySet<string> = new Set(['Items', 'CurrentPage', 'TotalItems', 'HasMoreItems'])

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function hasOnly(fields: Fields, known: ReadonlySet<string>): boolean {
  // What JSON.parse made inherits nothing that this would meet.
  for (const name in fields) if (!known.has(name)) return false
  return true
}

function isKey(fields: Fields): boolean {
  for (const name in fields) if (name !== 'Id' && name !== 'Key' && name !== 'Roles') return false
  return true
}

function itemsOf(items: unknown): readonly ApiKey[] | undefined {
  if (!Array.isArray(items) || items.length > MAX_LIST_ITEMS) return undefined
  const keys: ApiKey[] = []
  const lists = new RoleLists()
  for (const item of items) {
    const key = keyOf(item, lists)
    if (key === undefined) return undefined
    keys.push(key)
  }
  return Object.freeze(keys)
}

function keyOf(item: unknown, lists: RoleLists): ApiKey | undefined {
  const fields = fieldsOf(item)
  if (fields === undefined || !isKey(fields)) return undefined
  const { Id, Key, Roles } = fields
  const id = Id === undefined || Id === null ? undefined : int64Of(Id)
  const key = Key ?? undefined
  const roles = lists.listOf(Roles ?? NO_ROLES)
  if (id === null || (key !== undefined && typeof key !== 'string') || roles === undefined) return undefined
  return { Id: id, redactedKey: key === undefined ? undefined : redact(key), Roles: roles }
}

/** Null where it is none. */
function int64Of(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : null
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX ? value : null
}

function isInt32(value: unknown): value is number | undefined {
  return (
    value === undefined ||
    (typeof value === 'number' && Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX)
  )
}

const NO_ROLES: readonly string[] = []

/** Keys by the thousand have a few lists of roles between them. Each is kept once, and frozen, as the schema does it. */
class RoleLists {
  readonly #byFirst = new Map<unknown, (readonly string[])[]>()

  /** Undefined for what is no list of roles. */
  listOf(roles: unknown): readonly string[] | undefined {
    if (!Array.isArray(roles) || roles.length > MAX_LIST_ITEMS) return undefined
    const known = this.#byFirst.get(roles[0])
    if (known !== undefined) for (const list of known) if (isSame(list, roles)) return list
    for (const role of roles) if (typeof role !== 'string') return undefined
    const list: readonly string[] = Object.freeze(roles as string[])
    if (known === undefined) this.#byFirst.set(roles[0], [list])
    else if (known.length < MAX_ALIKE) known.push(list)
    return list
  }
}

/** So that a page of a thousand different lists is not compared with itself. */
const MAX_ALIKE = 8

function isSame(list: readonly string[], other: readonly unknown[]): boolean {
  if (list.length !== other.length) return false
  for (let index = 0; index < list.length; index += 1) if (list[index] !== other[index]) return false
  return true
}
