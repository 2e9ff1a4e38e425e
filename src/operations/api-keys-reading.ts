import { type ApiKey, type ApiKeyList, MAX_KEYS_PER_PAGE } from '../cdn/api-keys.ts'
import type { Cdn } from '../cdn/cdn.ts'
import type { OperationContext } from './operation.ts'

/** How many keys one answer shows. */
export const KEYS_PER_PAGE = 50
/** A search through the pages reads at most this many of them: 10,000 keys. */
const MAX_SCANNED_PAGES = 10
/** Names of other roles kept for the answer to a search that finds nothing. */
const MAX_ROLES_SEEN = 30

export type KeysReading = KeyPage | KeySearch

/** One page as the platform cut it. */
export interface KeyPage {
  readonly kind: 'page'
  readonly page: number
  readonly keys: readonly ApiKey[]
  readonly total: number | undefined
  readonly hasMore: boolean
  /** The page the platform says it sent, when it is another one. */
  readonly otherPage: number | undefined
}

/** One page of the keys that have a role, cut here. */
export interface KeySearch {
  readonly kind: 'search'
  readonly role: string
  readonly page: number
  readonly keys: readonly ApiKey[]
  /** Keys with the role among those looked at. */
  readonly matches: number
  readonly lookedAt: number
  /** Keys on the account, as far as the platform says. */
  readonly total: number | undefined
  /** The search ended before the last page. */
  readonly cut: boolean
  readonly rolesSeen: readonly string[]
}

/** Reads one page of 50. */
export async function readKeyPage(cdn: Pick<Cdn, 'listApiKeys'>, page: number, signal: AbortSignal): Promise<KeyPage> {
  const list = await cdn.listApiKeys({ page, perPage: KEYS_PER_PAGE }, { signal })
  return {
    kind: 'page',
    page,
    keys: list.Items,
    total: list.TotalItems,
    // Missing, it follows from the number of keys.
    hasMore: list.HasMoreItems ?? (list.TotalItems ?? 0) > page * KEYS_PER_PAGE,
    otherPage: list.CurrentPage === undefined || list.CurrentPage === page ? undefined : list.CurrentPage,
  }
}

export interface KeySearchRequest {
  readonly role: string
  readonly page: number
  readonly signal: AbortSignal
}

/**
 * Looks through all pages for keys with a role, whatever its case. The platform cannot filter, so the pages are read
 * as large as it allows, and at most ten of them.
 */
export async function scanKeysByRole(
  context: Pick<OperationContext, 'cdn' | 'progress'>,
  { role, page, signal }: KeySearchRequest,
): Promise<KeySearch> {
  const wanted = role.toLowerCase()
  const seen = new Set<string>()
  const roles = new Set<string>()
  const matches: ApiKey[] = []
  let lookedAt = 0
  let list: ApiKeyList
  let number = 0
  do {
    number += 1
    list = await context.cdn.listApiKeys({ page: number, perPage: MAX_KEYS_PER_PAGE }, { signal })
    for (const key of newOnes(list.Items, seen)) {
      lookedAt += 1
      if (key.Roles.some((name) => name.toLowerCase() === wanted)) matches.push(key)
      for (const name of key.Roles) if (roles.size < MAX_ROLES_SEEN) roles.add(name)
    }
    context.progress(`Looked at ${lookedAt} of ${list.TotalItems ?? 'an unknown number of'} keys`)
    // A page without keys that promises more would be asked for again and again without getting anywhere.
  } while (list.HasMoreItems === true && list.Items.length > 0 && number < MAX_SCANNED_PAGES)
  return {
    kind: 'search',
    role,
    page,
    keys: matches.slice((page - 1) * KEYS_PER_PAGE, page * KEYS_PER_PAGE),
    matches: matches.length,
    lookedAt,
    total: list.TotalItems,
    cut: list.HasMoreItems === true,
    rolesSeen: [...roles].sort(),
  }
}

/** Keys added or removed meanwhile shift the pages, so the same key may come twice. */
function newOnes(keys: readonly ApiKey[], seen: Set<string>): readonly ApiKey[] {
  return keys.filter(({ Id }) => {
    if (Id === undefined) return true
    const before = seen.size
    return seen.add(String(Id)).size > before
  })
}
