import * as z from 'zod'
import { DAY_MS } from '../../shared/durations.ts'
import type { EndpointName } from '../../cdn/contract/endpoints.ts'
import type { Answer, Call } from './call.ts'
import { addDnsRecord } from './dns-record-handler.ts'
import { queryLogs, streamDayFile } from './log-handlers.ts'
import { fieldsOf, instant, invalidField, readManagement, refuseManagement, whole } from './refusal.ts'
import { createVideoLibrary } from './video-library-handler.ts'
import { dayOf, storageOn } from './world/zones.ts'

/** One handler for every endpoint the client can call: leaving one out does not compile. Handlers throw `Refusal`. */
export const handlers: { readonly [Name in EndpointName]: (call: Call<Name>) => Answer<Name> } = {
  getStorageStatistics,
  listApiKeys,
  createVideoLibrary,
  addDnsRecord,
  queryLogs,
  streamDayFile,
}

const DEFAULT_DAYS = 30
const Range = z.strictObject({ dateFrom: instant.optional(), dateTo: instant.optional() })

/**
 * Serves a storage zone's charts: one key a UTC day, `2026-11-20T00:00:00Z`. Without dates the last 30 days, with one of
 * them 30 days from or to it, today at the latest. Days before the zone's first are left out.
 */
function getStorageStatistics({
  params,
  query,
  world,
  now,
}: Call<'getStorageStatistics'>): Answer<'getStorageStatistics'> {
  const { dateTo: to = now, dateFrom } = readManagement(Range, fieldsOf(query))
  const from = dateFrom ?? new Date(to.getTime() - (DEFAULT_DAYS - 1) * DAY_MS)
  if (from > to) throw invalidField('dateFrom', 'The start must lie before the end.')
  const zone = world.storageZone(params.id)
  if (zone === undefined) throw refuseManagement(404, 'storageZone.not_found', 'Id', 'The storage zone was not found.')
  if (zone.charts === 'empty') return { status: 200, body: { StorageUsedChart: {}, FileCountChart: {} } }

  const storage: Record<string, bigint> = {}
  const files: Record<string, bigint> = {}
  const lastDay = Math.min(dayOf(to.getTime()), dayOf(now.getTime()))
  for (let day = Math.max(dayOf(from.getTime()), zone.firstDay); day <= lastDay; day += 1) {
    const held = storageOn(world.seed, zone, day)
    if (held === undefined) continue
    const key = new Date(day * DAY_MS).toISOString().replace('.000Z', 'Z')
    storage[key] = held.bytes
    files[key] = held.files
  }
  return {
    status: 200,
    body: { StorageUsedChart: storage, FileCountChart: zone.charts === 'both' ? files : null },
  }
}

const MAX_PAGE = 2_147_483_647
const MAX_PER_PAGE = 1_000
const Page = z.strictObject({
  page: whole(1, MAX_PAGE).default(1),
  perPage: whole(5, MAX_PER_PAGE).default(MAX_PER_PAGE),
})

/** Serves the account's keys, values in clear as the platform does. A page past the last is empty. */
export function listApiKeys({ query, world }: Call<'listApiKeys'>): Answer<'listApiKeys'> {
  const { page, perPage } = readManagement(Page, fieldsOf(query))
  const keys = world.apiKeys
  const items = keys.slice((page - 1) * perPage, page * perPage).map(({ id, value, roles }) => ({
    Id: id,
    Key: value,
    Roles: roles === null ? null : [...roles],
  }))
  return {
    status: 200,
    body: { Items: items, CurrentPage: page, TotalItems: keys.length, HasMoreItems: page * perPage < keys.length },
  }
}
