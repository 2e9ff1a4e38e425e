import { listApiKeys } from '../../../src/playground/cdn/api-keys-handler.ts'
import { queryLogs } from '../../../src/playground/cdn/log-page-handler.ts'
import { toJson } from '../../../src/playground/cdn/wire-json.ts'
import { World } from '../../../src/playground/cdn/world/world.ts'

/** How many lines and keys a page has. */
export const PAGE_SIZE = 1_000
/** Its log has every field there is, and addresses as they come. */
const PULL_ZONE = 302n
const NOW = new Date('2026-11-20T18:00:00Z')
/** The shortest integers that a double does not hold have 16 digits. */
const UNSAFE_ID = 9_007_199_254_740_993n

const world = new World({ seed: 'bench', now: NOW, accessKey: 'bench-key-of-the-account', canaries: {} })

/**
 * A page of version 2 as the emulator sends it: lines of shops and videos with all fields, some null and some left out, a
 * few names that are not ASCII. With `hasLongIds`, the id of the pull zone is beyond what a double holds, in each line.
 */
export function logPageBytes({ hasLongIds }: { readonly hasLongIds: boolean }): Buffer {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) })
  const { body } = queryLogs({ params: { pullZoneId: PULL_ZONE }, query, body: undefined, world, now: NOW })
  const data = hasLongIds ? body.data?.map((row) => ({ ...(row as object), pullZoneId: UNSAFE_ID })) : body.data
  return Buffer.from(toJson({ ...body, data }))
}

/** A page of keys as the emulator sends it; with `hasLongIds`, as it is: one id of a thousand is a long one. */
export function keyPageBytes({ hasLongIds }: { readonly hasLongIds: boolean }): Buffer {
  const query = new URLSearchParams({ perPage: String(PAGE_SIZE) })
  const { body } = listApiKeys({ params: {}, query, body: undefined, world, now: NOW })
  const Items = body.Items?.map(({ Id, ...rest }, index) => ({ ...rest, Id: hasLongIds ? Id : 70_001 + index }))
  return Buffer.from(toJson({ ...body, Items }))
}
