import { isIPv4 } from 'node:net'
import { MINUTE_MS } from '../../shared/durations.ts'
import { refuseLogging } from './refusal.ts'
import { appearedBy } from './world/log-lag.ts'
import type { EdgeRequest } from './world/traffic.ts'
import type { World } from './world/world.ts'
import type { PullZone } from './world/zones.ts'

export const LOG_RETENTION_MS = 3 * 86_400_000

/** The pull zone, if its log may be read. A zone that does not exist cannot be told from one that is not logged. */
export function loggedZone(world: World, id: bigint): PullZone {
  const zone = world.pullZone(id)
  if (zone === undefined || zone.logging === 'off')
    throw refuseLogging(404, 'Logging is not enabled for this pull zone.')
  if (zone.state === 'suspended') throw refuseLogging(403, 'The pull zone is suspended or disabled.')
  return zone
}

/** A stretch of a log, its end exclusive, in milliseconds since 1970. */
export interface LogRange {
  readonly fromMs: number
  readonly untilMs: number
  readonly order: 'asc' | 'desc'
}

/**
 * The requests of a stretch, minute by minute in the order asked for, so that nobody holds more than a minute at once.
 * What lies beyond the retention or in the future is not there, nor what has not come into the log yet.
 */
export function* loggedMinutes(
  world: World,
  zone: PullZone,
  { fromMs, untilMs, order }: LogRange,
  now: Date,
): Generator<readonly EdgeRequest[]> {
  const first = Math.max(fromMs, now.getTime() - LOG_RETENTION_MS)
  const end = Math.min(untilMs, now.getTime() + 1)
  const firstMinute = Math.floor(first / MINUTE_MS)
  const minutes = Math.max(0, Math.ceil(end / MINUTE_MS) - firstMinute)
  for (let index = 0; index < minutes; index += 1) {
    const minute = order === 'asc' ? firstMinute + index : firstMinute + minutes - 1 - index
    const inRange = world.requestsIn(zone, minute).filter(({ atMs }) => atMs >= first && atMs < end)
    const requests = world.logLags ? appearedBy(now.getTime(), inRange) : inRange
    yield order === 'asc' ? requests : requests.toReversed()
  }
}

export function urlOf(zone: PullZone, { path }: EdgeRequest): string {
  return `https://${zone.host}${path}`
}

/** A client address as a pull zone's log keeps it: whole, without its last part (/24 or /64), or none of it. */
export function blurAddress(address: string, anonymisation: PullZone['anonymisation']): string {
  if (anonymisation === 'none') return address
  if (isIPv4(address)) return anonymisation === 'full' ? '0.0.0.0' : address.replace(/\d+$/, '0')
  return anonymisation === 'full' ? '::' : `${networkOf(address)}::`
}

/** Whether a stored address fits the one asked for. Where nothing of addresses is kept, every one fits. */
export function addressMatches(asked: string, address: string, anonymisation: PullZone['anonymisation']): boolean {
  if (anonymisation === 'full') return true
  return blurAddress(address, anonymisation) === blurAddress(asked.toLowerCase(), anonymisation)
}

/** The first four groups of an IPv6 address, with `::` written out. */
function networkOf(address: string): string {
  const [left = '', right = ''] = address.split('::')
  const before = left.split(':').filter((group) => group !== '')
  const after = right.split(':').filter((group) => group !== '')
  const zeros = address.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : []
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
