import { createHash } from 'node:crypto'
import * as z from 'zod'
import { DAY_MS } from '../../shared/durations.ts'
import type { Answer, Call } from './call.ts'
import { blurAddress, LOG_RETENTION_MS, loggedMinutes, loggedZone, urlOf, type LogRange } from './log-access.ts'
import { readLoggingQuery } from './query-reader.ts'
import { refuseLogging } from './refusal.ts'
import type { EdgeRequest } from './world/traffic.ts'
import type { PullZone } from './world/zones.ts'

/** Of the platform's parameters the bot gives one. */
const Sorting = z.strictObject({ sort: z.enum(['asc', 'desc']).default('desc') })

/**
 * Streams version 1's file of a UTC day, the newest line first unless asked otherwise: 12 fields with pipes between, 15
 * for extended logging. A path that is no day is refused with 403, as the platform is known to do.
 */
export function streamDayFile({ params, query, world, now }: Call<'streamDayFile'>): Answer<'streamDayFile'> {
  const dayMs = readDay(params)
  const zone = loggedZone(world, params.pullZoneId)
  const { sort: order } = readLoggingQuery(Sorting, query)
  if (dayMs + DAY_MS <= now.getTime() - LOG_RETENTION_MS || dayMs > now.getTime()) {
    throw refuseLogging(404, 'There is no log for this day.')
  }
  const range: LogRange = { fromMs: dayMs, untilMs: dayMs + DAY_MS, order }
  const name = `${new Date(dayMs).toISOString().slice(0, 10)}-${zone.id}.log`
  return {
    status: 200,
    chunks: dayChunks(zone, loggedMinutes(world, zone, range, now)),
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
  }
}

function readDay({ YY = '', MM, DD }: Call<'streamDayFile'>['params']): number {
  const day = `20${YY}-${MM}-${DD}`
  const dayMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  const isDay = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day)
  if (!isDay) throw refuseLogging(403, 'The path names no day.')
  return dayMs
}

function* dayChunks(zone: PullZone, minutes: Iterable<readonly EdgeRequest[]>): Generator<string> {
  for (const minute of minutes) {
    const lines = minute.filter(({ shielded }) => !shielded).map((request) => `${dayLine(zone, request)}\n`)
    if (lines.length > 0) yield lines.join('')
  }
}

function dayLine(zone: PullZone, request: EdgeRequest): string {
  const fields = [
    request.cacheStatus,
    String(request.statusCode),
    String(request.atMs),
    String(request.bytesSent),
    String(zone.id),
    blurAddress(request.remoteIp, zone.anonymisation),
    clientField(request.referer),
    clientField(urlOf(zone, request)),
    request.edgeLocation,
    clientField(request.userAgent),
    request.requestId,
    request.countryCode ?? '-',
  ]
  if (zone.logging === 'extended') {
    const { bodyBytesSent, contentRange, authorization } = request
    // Version 1 keeps the end user's header unreadable.
    const encrypted = authorization === null ? '-' : createHash('sha256').update(authorization).digest('base64')
    fields.push(String(bodyBytesSent), clientField(contentRange), encrypted)
  }
  return fields.join('|')
}

/** Pipes are taken out of whatever clients can write, so that a line always splits into its fields. */
function clientField(value: string | null): string {
  return value === null || value === '' ? '-' : value.replaceAll('|', '')
}
