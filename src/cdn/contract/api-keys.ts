import * as z from 'zod'
import { redact } from '../../shared/secret.ts'
import { flag, int32, INT32_MAX, int32InQuery, MAX_LIST_ITEMS, maybe, sentInt64, text } from './wire-fields.ts'

export const ApiKeyFields = z.object({ Id: sentInt64.nullish(), Key: text.nullish(), Roles: z.array(text).nullish() })

export type ApiKey = Readonly<ReturnType<typeof toApiKey>>

export const SentApiKeyList = z.object({
  Items: z.array(ApiKeyFields).max(MAX_LIST_ITEMS).nullish(),
  CurrentPage: maybe(int32),
  TotalItems: maybe(int32),
  HasMoreItems: maybe(flag),
})

/** Compiled, as it is the one large answer that is checked field by field; redacted at the end, as that is cheapest. */
export const ApiKeyList = z.compile(
  SentApiKeyList.transform(({ Items, ...list }) => ({
    ...list,
    Items: (Items ?? []).map(toApiKey) as readonly ApiKey[],
  })),
)
export type ApiKeyList = Readonly<z.output<typeof ApiKeyList>>

/** Its value is redacted here, so the full one is never kept. */
function toApiKey({ Id, Key, Roles }: z.output<typeof ApiKeyFields>) {
  return {
    Id: typeof Id === 'number' ? BigInt(Id) : (Id ?? undefined),
    redactedKey: typeof Key === 'string' ? redact(Key) : undefined,
    Roles: (Roles ?? []) as readonly string[],
  }
}

const MIN_KEYS_PER_PAGE = 5
/** The contract's bound, and the platform's default. */
export const MAX_KEYS_PER_PAGE = 1_000

/** Which page, with the contract's bounds. The platform's own defaults are page 1 and 1,000 a page. */
export const ApiKeyPage = z.object({
  page: int32InQuery(1, INT32_MAX).optional(),
  perPage: int32InQuery(MIN_KEYS_PER_PAGE, MAX_KEYS_PER_PAGE).optional(),
})
export type ApiKeyPage = Readonly<z.output<typeof ApiKeyPage>>

/** The roles the contract states for reading storage statistics, under either way to authenticate. */
export const ROLES_THAT_READ_STATISTICS: ReadonlySet<string> = new Set([
  'User',
  'UserApi',
  'SubuserAPIStatistics',
  'SubuserStatistics',
  'SubuserManage',
  'SubuserAPIManage',
])
