import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { utcDay } from './dates.ts'
import { MAX_SEARCH_WORD_LENGTH, MAX_SEARCH_WORDS } from './dialect.ts'
import { issuesOf, type RequestIssue } from './request-rules.ts'

/** The contract keeps raw request logs for three days. */
export const LOG_RETENTION_MS = 3 * 24 * 60 * 60_000
/** A person asks for “3 days” and then fills in a form; the edge of retention is not a reason to refuse them. */
const RETENTION_LEEWAY_MS = 5 * 60_000

/** Rows just inside the retention when asked for must still be inside it when the platform looks. */
export const RETENTION_MARGIN_MS = 5 * 60_000

/** Filters travel in the address, which has to stay one that every server on the way accepts. */
const MAX_TEXT_LENGTH = 1_000
const MAX_LIST_LENGTH = 100

const LONG_WORD = new RegExp(`\\S{${MAX_SEARCH_WORD_LENGTH + 1}}`)
const text = z.string().max(MAX_TEXT_LENGTH, `A filter has at most ${MAX_TEXT_LENGTH} characters.`)

function listOf(shape: RegExp, rule: string) {
  return z
    .array(z.string())
    .readonly()
    .refine((list) => list.every((item) => shape.test(item)), rule)
    .refine((list) => list.length <= MAX_LIST_LENGTH, `A filter lists at most ${MAX_LIST_LENGTH} values.`)
    .optional()
}

/** Which log entries are wanted. Lists are alternatives, different fields all have to match. */
const EntryFilter = z.object({
  from: z.date().optional(),
  to: z.date().optional(),
  /** Exact codes (`404`) or classes (`4xx`). */
  status: listOf(/^[1-5](\d\d|xx)$/, 'A status is a code such as 404 or a class such as 5xx.'),
  /** As the log spells them; `-` for no cache. */
  cacheStatus: listOf(
    /^([A-Z_]{2,32}|-)$/,
    'A cache status is a word such as MISS; none is the word for no cache involved.',
  ),
  country: listOf(/^[A-Z]{2}$/, 'A country is two letters such as DE.'),
  edgeLocation: text.optional(),
  /** Finds lines with the address, or with its network where the log keeps no more (/24, /64). */
  remoteIp: text.optional(),
  urlContains: text.optional(),
  userAgentContains: text.optional(),
  refererContains: text.optional(),
  /** Up to 16 words, any of which may occur in status, id, edge, host, path, agent or referer. */
  search: text
    .refine(
      (words) => (words.match(/\S+/g) ?? []).length <= MAX_SEARCH_WORDS,
      `A search has at most ${MAX_SEARCH_WORDS} words.`,
    )
    .refine((words) => !LONG_WORD.test(words), `A word to search for has at most ${MAX_SEARCH_WORD_LENGTH} characters.`)
    .optional(),
  requestId: text
    .refine((id) => /^[0-9a-f]{32}$/i.test(id.replaceAll('-', '')), 'A request id has 32 hexadecimal digits.')
    .optional(),
})
export type EntryFilter = Readonly<z.output<typeof EntryFilter>>

export interface LogFilter extends EntryFilter {
  readonly includeOriginShield?: boolean | undefined
  /** By time; the newest first unless given. */
  readonly order?: 'asc' | 'desc' | undefined
}

const NETWORK_GROUPS = 4

/**
 * How a log may write a client address: whole, or without what tells the client from its network, which is the last
 * part of an IPv4 address (/24) and the last half of an IPv6 one (/64). In lower case, however the address is spelled.
 */
export function addressForms(address: string): ReadonlySet<string> {
  const whole = address.toLowerCase()
  if (isIPv4(whole)) return new Set([whole, whole.replace(/\d+$/, '0')])
  // An address with the name of an interface in it is never that of a client.
  if (!isIPv6(whole) || whole.includes('%')) return new Set([whole])
  const parsed = ipaddr.IPv6.parse(whole)
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${whole}/64`)
  return new Set([whole, parsed.toString(), `${groups.join(':')}::`, network.toString()])
}

export function checkLogFilter(filter: LogFilter, now: Date): readonly RequestIssue[] {
  return [...rangeIssues(filter, now), ...issuesOf(EntryFilter, filter)]
}

export function checkDayFilter(day: string, filter: EntryFilter, now: Date): readonly RequestIssue[] {
  return [...dayIssues(day, now), ...orderIssues(filter), ...issuesOf(EntryFilter, filter)]
}

/** The rule that a range has a start before its end, as storage statistics and logs both have it. */
export function orderIssues({ from, to }: Pick<EntryFilter, 'from' | 'to'>): readonly RequestIssue[] {
  if (from === undefined || to === undefined || from < to) return []
  return [{ field: 'from', message: 'The start must lie before the end.' }]
}

const TOO_OLD = 'Logs are kept for 3 days; older ones cannot be read.'

function rangeIssues({ from, to }: LogFilter, now: Date): readonly RequestIssue[] {
  const oldest = now.getTime() - LOG_RETENTION_MS - RETENTION_LEEWAY_MS
  const issues = [...orderIssues({ from, to })]
  if (from !== undefined && from.getTime() < oldest) issues.push({ field: 'from', message: TOO_OLD })
  // What a range leaves between the edge of retention and the margin kept from it is nothing.
  const oldestEnd = now.getTime() - LOG_RETENTION_MS + RETENTION_MARGIN_MS
  if (to !== undefined && to.getTime() <= oldestEnd) issues.push({ field: 'to', message: TOO_OLD })
  if (from !== undefined && from > now) issues.push({ field: 'from', message: 'The start lies in the future.' })
  return issues
}

function dayIssues(day: string, now: Date): readonly RequestIssue[] {
  const issue = (message: string): readonly RequestIssue[] => [{ field: 'day', message }]
  if (!z.iso.date().safeParse(day).success) return issue('The day is a date such as 2026-11-20.')
  if (day > utcDay(now)) return issue('The day lies in the future; days are UTC.')
  return day < utcDay(new Date(now.getTime() - LOG_RETENTION_MS)) ? issue(TOO_OLD) : []
}
