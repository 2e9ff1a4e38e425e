/** One API key as far as alerts know it: never its value. Roles are in alphabetical order. */
export interface KnownKey {
  readonly id: string
  readonly roles: readonly string[]
}

/** What happened to one API key between two listings. */
export type KeyChange =
  | { readonly what: 'new'; readonly id: string; readonly roles: readonly string[] }
  | { readonly what: 'gone'; readonly id: string; readonly roles: readonly string[] }
  | {
      readonly what: 'roles changed'
      readonly id: string
      readonly roles: readonly string[]
      readonly before: readonly string[]
    }

/** The account's keys as they were listed; `complete` only when every page was read. */
export interface KeyListing {
  readonly complete: boolean
  readonly keys: readonly KnownKey[]
}

export interface KeyComparison {
  /** What to compare the next listing with; undefined while there was no complete one. */
  readonly snapshot: readonly KnownKey[] | undefined
  /** Ordered by id as text. */
  readonly changes: readonly KeyChange[]
}

/**
 * What has changed since the last complete listing. The first complete one is the silent baseline. An incomplete one proves
 * nothing: a key that is not in it may be on the page that is missing. An id that is listed twice counts once, with the roles
 * of both.
 */
export function keyChanges(before: readonly KnownKey[] | undefined, listing: KeyListing): KeyComparison {
  if (!listing.complete) return { snapshot: before, changes: [] }
  const now = byId(listing.keys)
  const snapshot = [...now].map(([id, roles]) => ({ id, roles }))
  if (before === undefined) return { snapshot, changes: [] }
  const known = byId(before)
  const changes = [...new Set([...known.keys(), ...now.keys()])]
    .sort()
    .map((id) => changeOf(id, known.get(id), now.get(id)))
    .filter((change) => change !== undefined)
  return { snapshot, changes }
}

function changeOf(
  id: string,
  before: readonly string[] | undefined,
  roles: readonly string[] | undefined,
): KeyChange | undefined {
  if (roles === undefined) return before && { what: 'gone', id, roles: before }
  if (before === undefined) return { what: 'new', id, roles }
  const same = before.length === roles.length && before.every((role, index) => role === roles[index])
  return same ? undefined : { what: 'roles changed', id, roles, before }
}

function byId(keys: readonly KnownKey[]): ReadonlyMap<string, readonly string[]> {
  const roles = new Map<string, Set<string>>()
  for (const key of keys) roles.set(key.id, new Set([...(roles.get(key.id) ?? []), ...key.roles]))
  return new Map([...roles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, held]) => [id, [...held].sort()]))
}
