import { addressForms } from './address-forms.ts'
import type { RawLine } from './day-line.ts'
import type { EntryFilter } from './log-filter.ts'

/** A filter made ready for millions of lines: what can be decided from a line's head, and what needs its fields. */
export interface EntryMatch {
  wantsCacheStatus(cacheStatus: string): boolean
  wantsStatusCode(statusCode: number): boolean
  /** Negative stands for a line without a time, which is in no range. */
  wantsTime(atMs: number): boolean
  /** Whether the three above are all there is to it. */
  readonly isOfHead: boolean
  /** Everything else. `raw` is unmasked: people may look for what is then shown masked. */
  wants(raw: RawLine): boolean
}

type Check = (raw: RawLine) => boolean

/** Compiles a filter with the meaning version 2 gives it, so that both versions find the same lines. */
export function compileEntryFilter(filter: EntryFilter): EntryMatch {
  const cacheStatuses = new Set(filter.cacheStatus)
  const codes = new Set(filter.status)
  const isWantedCode = Array.from(
    { length: 600 },
    (_, code) => codes.size === 0 || codes.has(String(code)) || codes.has(`${Math.floor(code / 100)}xx`),
  )
  const checks = checksOf(filter)
  const isAnyTime = filter.from === undefined && filter.to === undefined
  const fromMs = isAnyTime ? Number.NEGATIVE_INFINITY : Math.max(0, filter.from?.getTime() ?? 0)
  const toMs = filter.to?.getTime() ?? Number.POSITIVE_INFINITY
  return {
    wantsCacheStatus: (cacheStatus) => cacheStatuses.size === 0 || cacheStatuses.has(cacheStatus),
    wantsStatusCode: (code) => isWantedCode[code] ?? false,
    wantsTime: (atMs) => atMs >= fromMs && atMs < toMs,
    isOfHead: checks.length === 0,
    wants: (raw) => checks.every((check) => check(raw)),
  }
}

function checksOf(filter: EntryFilter): readonly Check[] {
  const checks: Check[] = []
  const { country, edgeLocation, remoteIp, requestId, search } = filter
  if (country !== undefined && country.length > 0) {
    const countries = new Set(country)
    checks.push(({ countryCode }) => countryCode !== undefined && countries.has(countryCode))
  }
  if (edgeLocation !== undefined) checks.push((raw) => raw.edgeLocation === edgeLocation)
  if (remoteIp !== undefined) {
    const forms = addressForms(remoteIp)
    checks.push((raw) => raw.remoteIp !== undefined && forms.has(raw.remoteIp.toLowerCase()))
  }
  if (requestId !== undefined) {
    const id = plainId(requestId)
    checks.push((raw) => raw.requestId !== undefined && plainId(raw.requestId) === id)
  }
  checks.push(...containsChecks(filter))
  const words = (search ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length > 0) checks.push((raw) => words.some((word) => searchable(raw).includes(word)))
  return checks
}

function containsChecks({ urlContains, userAgentContains, refererContains }: EntryFilter): readonly Check[] {
  const wanted = [
    ['url', urlContains],
    ['userAgent', userAgentContains],
    ['referer', refererContains],
  ] as const
  return wanted.flatMap(([field, part]) => {
    if (part === undefined || part === '') return []
    const lower = part.toLowerCase()
    return [(raw: RawLine): boolean => raw[field]?.toLowerCase().includes(lower) ?? false]
  })
}

function searchable({ cacheStatus, requestId, edgeLocation, url, userAgent, referer }: RawLine): string {
  return [cacheStatus, requestId, edgeLocation, url, userAgent, referer].join('\n').toLowerCase()
}

function plainId(id: string): string {
  return id.replaceAll('-', '').toLowerCase()
}
