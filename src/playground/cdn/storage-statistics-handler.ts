import type { Answer, Call } from './handler.ts'
import { QueryReader } from './query-reader.ts'
import { invalidField, refuseManagement } from './refusal.ts'
import { DAY_MS, dayOf } from './world/storage-zone.ts'

const DEFAULT_DAYS = 30

/**
 * Serves a storage zone's charts: one key a UTC day, `2026-11-20T00:00:00Z`. Without dates the last 30 days, with one of
 * them 30 days from or to it, today at the latest. Days before the zone's first are left out.
 */
export function getStorageStatistics({
  params,
  query,
  world,
  now,
}: Call<'getStorageStatistics'>): Answer<'getStorageStatistics'> {
  const reader = new QueryReader(query, ['dateFrom', 'dateTo'])
  const to = reader.instant('dateTo') ?? now
  const from = reader.instant('dateFrom') ?? new Date(to.getTime() - (DEFAULT_DAYS - 1) * DAY_MS)
  if (from > to) reader.problem('dateFrom', 'The start must lie before the end.')
  const [problem] = reader.problems
  if (problem !== undefined) throw invalidField(problem.field, problem.message)

  const zone = world.storageZone(params.id)
  if (zone === undefined) throw refuseManagement(404, 'storageZone.not_found', 'Id', 'The storage zone was not found.')
  if (zone.charts === 'empty') return { status: 200, body: { StorageUsedChart: {}, FileCountChart: {} } }

  const storage: Record<string, bigint> = {}
  const files: Record<string, bigint> = {}
  const lastDay = Math.min(dayOf(to.getTime()), dayOf(now.getTime()))
  for (let day = Math.max(dayOf(from.getTime()), zone.firstDay); day <= lastDay; day += 1) {
    const held = world.storageOn(zone, day)
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
