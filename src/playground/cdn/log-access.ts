import { isIPv4 } from 'node:net'
import { MINUTE_MS } from '../../shared/durations.ts'
import { refuseLogging } from './refusal.ts'
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

/** About 20 s, 99 lines of 100 within a minute, as an edge log commonly is. */
const LEAST_MS = 12_000
const SPREAD_MS = 8_000
const LATE_SHARE = 0.005
const LATE_MS = 240_000
const TWICE_SHARE = 0.01

/** Requests of one minute as far as the log shows them at a moment, in their order, doubles right behind each other. */
function appearedBy(nowMs: number, requests: readonly EdgeRequest[]): readonly EdgeRequest[] {
  return requests.flatMap((request) => {
    if (request.atMs + lagOf(request) > nowMs) return []
    return fraction(request, TWICE_AT) < TWICE_SHARE ? [request, request] : [request]
  })
}

/** Milliseconds from the request to its line: always the same for the same request. */
export function lagOf(request: EdgeRequest): number {
  const usual = LEAST_MS - SPREAD_MS * Math.log(1 - fraction(request, USUAL_AT))
  return Math.round(fraction(request, LATE_AT) < LATE_SHARE ? usual + LATE_MS : usual)
}

/** Where in a request id the digits stand that decide each thing; ids are random, 32 digits of 16. */
const USUAL_AT = 0
const LATE_AT = 8
const TWICE_AT = 16
const DIGITS = 8

function fraction({ requestId }: EdgeRequest, at: number): number {
  return Number.parseInt(requestId.slice(at, at + DIGITS), 16) / 16 ** DIGITS
}
