import type { PullZone } from './pull-zone.ts'
import { seededRandom, type Random, type Weighted } from './seeded-random.ts'
import { trafficMix, type Incident, type IncidentKind, type TrafficMix } from './traffic-mix.ts'
import { drawVisitor, type Visitor } from './visitor.ts'

/** One request as the edge saw it, before a log blurs addresses or leaves fields out. */
export interface EdgeRequest extends Visitor {
  /** When it reached the edge, in milliseconds since 1970. */
  readonly atMs: number
  readonly requestId: string
  readonly cacheStatus: string
  readonly statusCode: number
  /** Headers and body. */
  readonly bytesSent: number
  readonly bodyBytesSent: number
  readonly contentRange: string | null
  /** What the end user sent as `Authorization`; only extended logging keeps it. */
  readonly authorization: string | null
  /** A request from the edge to the origin shield, which caused by another one. */
  readonly shielded: boolean
}

export interface TrafficOptions {
  readonly seed: string
  readonly incidents: readonly Incident[]
  /** Given to some requests as `Authorization`, so that a test can look for it where it must not be. */
  readonly authorization: string
  /** Stands in addresses where a token or a session is; drawn for each request if not given. */
  readonly urlSecret?: string | undefined
}

export const MINUTE_MS = 60_000
const MINUTES_A_DAY = 1_440
/** UTC minute of the day at which most people are awake and shopping. */
const BUSIEST_MINUTE = 1_140
const HEADER_BYTES = 380
const AUTHORIZED_SHARE = 0.02
const SHIELDED_SHARE = 0.5
const SHIELD_DELAY_MS = 3

/**
 * All requests of a pull zone in one minute (whole minutes since 1970), oldest first. A pure function: any minute can be
 * read alone, again, and by another process, and holds the same requests with the same ids.
 */
export function requestsIn(zone: PullZone, minute: number, options: TrafficOptions): readonly EdgeRequest[] {
  const spans = spansOf(zone, minute, options.incidents)
  return spans.flatMap(({ fromMs, untilMs, kind }) => {
    const drawn = drawMinute(zone, minute, kind, options)
    return spans.length === 1 ? drawn : drawn.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs)
  })
}

/** A stretch of one minute in which a pull zone behaves alike. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
  readonly kind: IncidentKind | undefined
}

/**
 * Cuts a minute where incidents begin and end. Each part is taken from a drawing of the whole minute, so that lines
 * which were read before something went wrong are still there afterwards.
 */
function spansOf(zone: PullZone, minute: number, incidents: readonly Incident[]): readonly Span[] {
  const startMs = minute * MINUTE_MS
  const endMs = startMs + MINUTE_MS
  const here = incidents.filter(
    ({ pullZoneId, fromMs, untilMs = endMs }) => pullZoneId === zone.id && fromMs < endMs && untilMs > startMs,
  )
  const cuts = new Set(here.flatMap(({ fromMs, untilMs = endMs }) => [fromMs, untilMs]))
  const starts = [startMs, ...[...cuts].filter((at) => at > startMs && at < endMs).toSorted((a, b) => a - b)]
  return starts.map((fromMs, index) => ({
    fromMs,
    untilMs: starts[index + 1] ?? endMs,
    kind: here.findLast((each) => each.fromMs <= fromMs && (each.untilMs ?? endMs) > fromMs)?.kind,
  }))
}

function drawMinute(
  zone: PullZone,
  minute: number,
  kind: IncidentKind | undefined,
  options: TrafficOptions,
): readonly EdgeRequest[] {
  const random = seededRandom(`${options.seed}/traffic/${zone.id}/${minute}`)
  const mix = trafficMix(zone.flavour, kind)
  const expected = zone.peakPerMinute * dayCurve(minute) * mix.volume * (0.8 + 0.4 * random.next())
  // The fraction decides whether one more request comes, so that quiet zones have some too.
  const count = Math.floor(expected + random.next())
  const requests: EdgeRequest[] = []
  for (let index = 0; index < count; index += 1) {
    const request = drawRequest(random, zone, mix, minute, options)
    requests.push(request)
    if (reachesOrigin(request.cacheStatus) && random.next() < SHIELDED_SHARE) requests.push(toShield(random, request))
  }
  return requests.sort((one, other) => one.atMs - other.atMs || (one.requestId < other.requestId ? -1 : 1))
}

/** From 0.25 in the quietest minute of the UTC day to 1 in the busiest. */
function dayCurve(minute: number): number {
  const turn = ((minute - BUSIEST_MINUTE) / MINUTES_A_DAY) * 2 * Math.PI
  return 0.625 + 0.375 * Math.cos(turn)
}

function drawRequest(
  random: Random,
  zone: PullZone,
  mix: TrafficMix,
  minute: number,
  { authorization, urlSecret }: TrafficOptions,
): EdgeRequest {
  const cacheStatus = random.weighted(mix.cacheStatuses)
  const statusCode = drawStatusCode(random, cacheStatus, mix.originFailures)
  const body = BODYLESS.has(statusCode) ? 0 : Math.floor(random.next() ** 3 * TYPICAL_BYTES[zone.flavour])
  return {
    ...drawVisitor(random, zone.flavour, urlSecret),
    atMs: minute * MINUTE_MS + random.integer(0, MINUTE_MS - 1),
    requestId: random.hex(32),
    cacheStatus,
    statusCode,
    bytesSent: body + HEADER_BYTES + random.integer(0, 200),
    bodyBytesSent: body,
    contentRange: statusCode === 206 ? `bytes 0-${body}/${body * 4 + 1}` : null,
    authorization: random.next() < AUTHORIZED_SHARE ? authorization : null,
    shielded: false,
  }
}

function drawStatusCode(random: Random, cacheStatus: string, originFailures: number): number {
  if (cacheStatus === '-') return random.weighted(UNCACHED_CODES)
  if (!reachesOrigin(cacheStatus)) return random.weighted(CACHED_CODES)
  return random.next() < originFailures ? random.weighted(FAILURE_CODES) : random.weighted(ORIGIN_CODES)
}

function reachesOrigin(cacheStatus: string): boolean {
  return cacheStatus === 'MISS' || cacheStatus === 'BYPASS' || cacheStatus === 'EXPIRED'
}

/** Stays within the minute, so that minutes read one after the other are in order. */
function toShield(random: Random, caused: EdgeRequest): EdgeRequest {
  const lastMs = (Math.floor(caused.atMs / MINUTE_MS) + 1) * MINUTE_MS - 1
  return {
    ...caused,
    atMs: Math.min(caused.atMs + SHIELD_DELAY_MS, lastMs),
    requestId: random.hex(32),
    edgeLocation: 'DE',
    countryCode: null,
    remoteIp: '192.0.2.1',
    userAgent: 'edge-to-shield',
    authorization: null,
    shielded: true,
  }
}

const BODYLESS: ReadonlySet<number> = new Set([204, 301, 304, 499])
const TYPICAL_BYTES = { shop: 260_000, media: 4_200_000, api: 9_000 } as const
const CACHED_CODES = codes({ 200: 900, 206: 30, 304: 60, 404: 6, 499: 4 })
const ORIGIN_CODES = codes({ 200: 880, 206: 20, 301: 30, 304: 20, 403: 8, 404: 30, 429: 2, 499: 10 })
const UNCACHED_CODES = codes({ 200: 500, 201: 200, 204: 180, 405: 40, 413: 10, 499: 60, 500: 1 })
const FAILURE_CODES = codes({ 500: 20, 502: 40, 503: 20, 504: 20 })

function codes(of: Readonly<Record<number, number>>): readonly Weighted<number>[] {
  return Object.entries(of).map(([code, weight]) => ({ value: Number(code), weight }))
}
