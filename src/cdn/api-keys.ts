import * as z from 'zod'
import { redact } from '../shared/secret.ts'
import { issuesFrom, type RequestIssue } from './request-rules.ts'
import { flag, int32, INT32_MAX, int32InQuery, int64, MAX_LIST_ITEMS, maybe, text, texts } from './wire-fields.ts'

const noRoles: readonly string[] = []

/** One key of the account as the platform sends it, field by field. */
export const ApiKeyFields = z.object({
  Id: maybe(int64),
  Key: maybe(text),
  Roles: texts.nullish().transform((roles) => roles ?? noRoles),
})

/** One key of the account. Its value is redacted while it is read, so the full one is never kept. */
export const ApiKey = ApiKeyFields.transform(({ Id, Key, Roles }) => ({
  Id,
  redactedKey: Key === undefined ? undefined : redact(Key),
  Roles,
}))
export type ApiKey = Readonly<z.output<typeof ApiKey>>

/** One page of the account's keys. */
export const ApiKeyList = z.object({
  Items: z
    .array(ApiKey)
    .max(MAX_LIST_ITEMS)
    .readonly()
    .nullish()
    .transform((items): readonly ApiKey[] => items ?? []),
  CurrentPage: maybe(int32),
  TotalItems: maybe(int32),
  HasMoreItems: maybe(flag),
})
export type ApiKeyList = Readonly<z.output<typeof ApiKeyList>>

const MIN_KEYS_PER_PAGE = 5
/** The contract's bound, and the platform's default. */
export const MAX_KEYS_PER_PAGE = 1_000

/** Which page, with the contract's bounds. The platform's own defaults are page 1 and 1,000 a page. */
export const ApiKeyPage = z.object({
  page: int32InQuery(1, INT32_MAX).optional(),
  perPage: int32InQuery(MIN_KEYS_PER_PAGE, MAX_KEYS_PER_PAGE).optional(),
})
export type ApiKeyPage = Readonly<z.output<typeof ApiKeyPage>>

/** Every bound the page breaks, by field. */
export function checkApiKeyPage(page: ApiKeyPage): readonly RequestIssue[] {
  const encoded = z.safeEncode(ApiKeyPage, page)
  return encoded.success ? [] : issuesFrom(encoded.error)
}

/** The roles the contract states for reading storage statistics, under either way to authenticate. */
export const ROLES_THAT_READ_STATISTICS: ReadonlySet<string> = new Set([
  'User',
  'UserApi',
  'SubuserAPIStatistics',
  'SubuserStatistics',
  'SubuserManage',
  'SubuserAPIManage',
])
