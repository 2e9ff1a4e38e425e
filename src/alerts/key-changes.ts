import * as z from 'zod'

/** One API key as far as alerts know it: never its value. Roles are in alphabetical order. */
export interface KnownKey {
  readonly id: string
  readonly roles: readonly string[]
}

export interface KeyChange extends KnownKey {
  readonly what: 'new' | 'gone' | 'roles changed'
  readonly before?: readonly string[]
}

/** The account's keys as they were listed; `complete` only when every page was read. */
export interface KeyListing {
  readonly complete: boolean
  readonly keys: readonly KnownKey[]
}

/**
 * What has changed since the last complete listing, by id as text, and what to compare the next one with. The first complete one is the silent baseline. An incomplete one proves
 * nothing: a key that is not in it may be on the page that is missing. An id that is listed twice counts once, with the roles
 * of both.
 */
export function keyChanges(
  before: readonly KnownKey[] | undefined,
  listing: KeyListing,
): { readonly snapshot: readonly KnownKey[] | undefined; readonly changes: readonly KeyChange[] } {
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

/** More keys than this are not compared: what is known of them has to fit beside everything else, into 64 KB. */
export const MAX_KEYS = 4_000
const MAX_RECORD_BYTES = 60_000

/** Keys by the roles they have, which few sets of roles make short. */
const KeysRecord = z.object({
  lookedMs: z.number(),
  recordedMs: z.number().optional(),
  groups: z.array(z.object({ roles: z.array(z.string()), ids: z.array(z.string()) })).optional(),
})

export interface KnownKeys {
  /** When they were listed last, and when that was put on record; milliseconds since 1970. */
  readonly lookedMs: number
  readonly recordedMs: number | undefined
  /** Undefined while there was no complete listing. */
  readonly snapshot: readonly KnownKey[] | undefined
}

export function readKeysRecord(state: unknown): KnownKeys | undefined {
  const record = KeysRecord.safeParse(state).data
  if (record === undefined) return undefined
  const { lookedMs, recordedMs, groups } = record
  return { lookedMs, recordedMs, snapshot: groups?.flatMap(({ roles, ids }) => ids.map((id) => ({ id, roles }))) }
}

export function keysRecord({ lookedMs, recordedMs, snapshot }: KnownKeys): unknown {
  const byRoles = snapshot && Map.groupBy(snapshot, ({ roles }) => JSON.stringify(roles))
  const groups =
    byRoles && [...byRoles].map(([roles, keys]) => ({ roles: JSON.parse(roles), ids: keys.map(({ id }) => id) }))
  const record = { lookedMs, recordedMs, groups }
  return Buffer.byteLength(JSON.stringify(record)) > MAX_RECORD_BYTES ? undefined : record
}
