import { DAY_MINUTES, MINUTE_MS } from '../../../shared/durations.ts'
import { seededRandom, type Random, type Weighted } from './seeded-random.ts'
import type { Flavour, PullZone } from './zones.ts'

/** One request as the edge saw it, before a log blurs addresses or leaves fields out. */
export type EdgeRequest = Readonly<ReturnType<typeof drawRequest>>

interface TrafficOptions {
  readonly seed: string
  readonly incidents: readonly Incident[]
  /** Given to some requests as `Authorization`, so that a test can look for it where it must not be. */
  readonly authorization: string
  /** Stands in addresses where a token or a session is; drawn for each request if not given. */
  readonly urlSecret?: string | undefined
}

/** UTC minute of the day at which most people are awake and shopping. */
const BUSIEST_MINUTE = 1_140
const HEADER_BYTES = 380
const AUTHORIZED_SHARE = 0.02
const SHIELDED_SHARE = 0.5
const SHIELD_DELAY_MS = 3

/**
 * All requests of a pull zone in one minute (whole minutes since 1970), oldest first. A pure function: any minute can be
 * read alone, again, and by another process, and holds the same requests with the same ids. Where incidents begin or end
 * within it, each part is taken from a drawing of the whole minute, so that lines which were read before something went
 * wrong are still there afterwards.
 */
export function requestsIn(zone: PullZone, minute: number, options: TrafficOptions): readonly EdgeRequest[] {
  const startMs = minute * MINUTE_MS
  const here = options.incidents.filter(
    ({ pullZoneId, fromMs, untilMs = Number.POSITIVE_INFINITY }) =>
      pullZoneId === zone.id && fromMs < startMs + MINUTE_MS && untilMs > startMs,
  )
  const kindAt = (atMs: number): IncidentKind | undefined =>
    here.findLast(({ fromMs, untilMs = Number.POSITIVE_INFINITY }) => fromMs <= atMs && untilMs > atMs)?.kind
  return [...new Set([undefined, ...here.map(({ kind }) => kind)])]
    .flatMap((kind) => drawMinute(zone, minute, kind, options).filter(({ atMs }) => kindAt(atMs) === kind))
    .sort((one, other) => one.atMs - other.atMs || (one.requestId < other.requestId ? -1 : 1))
}

function drawMinute(
  zone: PullZone,
  minute: number,
  kind: IncidentKind | undefined,
  options: TrafficOptions,
): readonly EdgeRequest[] {
  const random = seededRandom(`${options.seed}/traffic/${zone.id}/${minute}`)
  const usual: TrafficMix = { volume: 1, cacheStatuses: USUAL[zone.flavour], originFailures: 0.001 }
  const mix = kind === undefined ? usual : { ...usual, ...CHANGES[kind] }
  const expected = zone.peakPerMinute * dayCurve(minute) * mix.volume * (0.8 + 0.4 * random.next())
  // The fraction decides whether one more request comes, so that quiet zones have some too.
  const count = Math.floor(expected + random.next())
  const requests: EdgeRequest[] = []
  for (let index = 0; index < count; index += 1) {
    const request = drawRequest(random, zone, mix, minute, options)
    requests.push(request)
    if (FROM_ORIGIN.has(request.cacheStatus) && random.next() < SHIELDED_SHARE) requests.push(toShield(random, request))
  }
  return requests
}

/** From 0.25 in the quietest minute of the UTC day to 1 in the busiest. */
function dayCurve(minute: number): number {
  const turn = ((minute - BUSIEST_MINUTE) / DAY_MINUTES) * 2 * Math.PI
  return 0.625 + 0.375 * Math.cos(turn)
}

function drawRequest(
  random: Random,
  zone: PullZone,
  mix: TrafficMix,
  minute: number,
  { authorization, urlSecret }: TrafficOptions,
) {
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
    /** What the end user sent as `Authorization`; only extended logging keeps it. */
    authorization: random.next() < AUTHORIZED_SHARE ? authorization : null,
    /** Whether it went from the edge to the origin shield, caused by another one. */
    shielded: false,
  }
}

function drawStatusCode(random: Random, cacheStatus: string, originFailures: number): number {
  if (cacheStatus === '-') return Number(random.weighted(UNCACHED_CODES))
  if (!FROM_ORIGIN.has(cacheStatus)) return Number(random.weighted(CACHED_CODES))
  return Number(random.weighted(random.next() < originFailures ? FAILURE_CODES : ORIGIN_CODES))
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

const FROM_ORIGIN: ReadonlySet<string> = new Set(['MISS', 'BYPASS', 'EXPIRED'])
const BODYLESS: ReadonlySet<number> = new Set([204, 301, 304, 499])
const TYPICAL_BYTES = { shop: 260_000, media: 4_200_000, api: 9_000 } as const
const CACHED_CODES = weights({ 200: 900, 206: 30, 304: 60, 404: 6, 499: 4 })
const ORIGIN_CODES = weights({ 200: 880, 206: 20, 301: 30, 304: 20, 403: 8, 404: 30, 429: 2, 499: 10 })
const UNCACHED_CODES = weights({ 200: 500, 201: 200, 204: 180, 405: 40, 413: 10, 499: 60, 500: 1 })
const FAILURE_CODES = weights({ 500: 20, 502: 40, 503: 20, 504: 20 })

const OLDEST_ADDRESS = 10
const IPV6_SHARE = 0.15

/** What the client side decides. About one in sixty has a name or an address meant to do harm where it is shown. */
function drawVisitor(random: Random, flavour: Flavour, urlSecret?: string) {
  return {
    ...random.weighted(PLACES),
    ...random.pick(NETWORKS),
    path: drawPath(random, flavour, urlSecret),
    userAgent: random.weighted(USER_AGENTS),
    referer: random.weighted(REFERERS),
    remoteIp: drawAddress(random),
    ja4Fingerprint: random.next() < 0.1 ? null : `t13d1516h2_${random.hex(12)}_${random.hex(12)}`,
  }
}

function drawPath(random: Random, flavour: Flavour, urlSecret: string | undefined): string {
  const path = random.weighted(PATHS[flavour])
  return path.replaceAll('#', () => String(random.integer(1, 400))).replaceAll('$', () => urlSecret ?? random.hex(40))
}

/** Addresses from the ranges set aside for documentation, so that none belongs to anybody. */
function drawAddress(random: Random): string {
  if (random.next() < IPV6_SHARE) {
    return `2001:db8:${random.hex(4)}:${random.hex(4)}::${random.hex(4)}`.replaceAll(/:0+(?=[0-9a-f])/g, ':')
  }
  const network = random.pick(['192.0.2', '198.51.100', '203.0.113'])
  return `${network}.${random.integer(OLDEST_ADDRESS, 250)}`
}

/** In a path `#` becomes a number and `$` a token of 40 digits. */
const PATHS: Readonly<Record<Flavour, readonly Weighted<string>[]>> = {
  shop: [
    { value: '/', weight: 12 },
    { value: '/assets/app.js', weight: 18 },
    { value: '/assets/app.css', weight: 16 },
    { value: '/img/product-#.webp', weight: 30 },
    { value: '/products/#', weight: 14 },
    { value: '/search?q=red+shoes&page=#', weight: 5 },
    { value: '/checkout?session=$', weight: 4 },
    { value: '/reset-password?token=$&email=reader%40shop.example', weight: 1 },
    { value: '/a|b/pipe?x=1|2', weight: 0.5 },
    { value: '/<!channel>/%3Cscript%3E', weight: 0.5 },
  ],
  media: [
    { value: '/hls/#/playlist.m3u8?token=$&expires=1790000000', weight: 10 },
    { value: '/hls/#/720p/segment-#.ts', weight: 60 },
    { value: '/hls/#/1080p/segment-#.ts', weight: 24 },
    { value: '/poster/#.jpg', weight: 10 },
    { value: '/original/#.mp4?X-Signature=$', weight: 2 },
  ],
  api: [
    { value: '/v1/prices/#', weight: 30 },
    { value: '/v1/stock?sku=#', weight: 30 },
    { value: '/v1/cart', weight: 12 },
    { value: '/v1/login?api_key=$', weight: 2 },
    { value: '/v1/events', weight: 10 },
  ],
}

const LONG_AGENT_CHARACTERS = 1_500

/** The last ones try to notify a channel, to pass for a link, to start a formula, and to turn the line round. */
const USER_AGENTS: readonly Weighted<string | null>[] = [
  { value: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Browser/142.0', weight: 40 },
  { value: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Mobile/22B83', weight: 30 },
  { value: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_6) Browser/19.1', weight: 15 },
  { value: 'curl/8.16.0', weight: 4 },
  { value: 'ExampleCrawler/2.1 (+https://crawler.example/about)', weight: 6 },
  { value: null, weight: 2 },
  { value: '<!channel> *free* <https://phish.example|your invoice>', weight: 0.5 },
  { value: '=HYPERLINK("https://phish.example","open")|calc', weight: 0.4 },
  { value: 'Reader \u202Eexe.gpj ```code``` <@U012ABCDEF>', weight: 0.4 },
  { value: `Verbose/${'9'.repeat(LONG_AGENT_CHARACTERS)}`, weight: 0.2 },
]

const REFERERS: readonly Weighted<string | null>[] = [
  { value: null, weight: 45 },
  { value: 'https://www.shop.example/', weight: 35 },
  { value: 'https://search.example/?q=red+shoes', weight: 15 },
  { value: 'https://partner.example/landing?campaign=autumn&auth=5f0c7a2e91', weight: 4 },
  { value: 'https://a.example/x|y', weight: 0.5 },
]

const PLACES: readonly Weighted<{ readonly countryCode: string | null; readonly edgeLocation: string }>[] = [
  { value: { countryCode: 'DE', edgeLocation: 'DE' }, weight: 30 },
  { value: { countryCode: 'US', edgeLocation: 'NY' }, weight: 22 },
  { value: { countryCode: 'US', edgeLocation: 'LA' }, weight: 10 },
  { value: { countryCode: 'GB', edgeLocation: 'UK' }, weight: 12 },
  { value: { countryCode: 'FR', edgeLocation: 'FR' }, weight: 8 },
  { value: { countryCode: 'SG', edgeLocation: 'SG' }, weight: 6 },
  { value: { countryCode: 'BR', edgeLocation: 'BR' }, weight: 4 },
  { value: { countryCode: 'AU', edgeLocation: 'SYD' }, weight: 3 },
  { value: { countryCode: null, edgeLocation: 'WA' }, weight: 1 },
]

const NETWORKS: readonly { readonly asn: number | null; readonly asnOrganization: string | null }[] = [
  { asn: 64_496, asnOrganization: 'Example Broadband' },
  { asn: 64_500, asnOrganization: 'Sample Mobile' },
  { asn: 64_511, asnOrganization: 'Test Hosting' },
  { asn: null, asnOrganization: null },
]

/** Something that goes wrong with a pull zone for a while, and that its log shows. Times are milliseconds since 1970. */
export interface Incident {
  readonly pullZoneId: bigint
  readonly kind: IncidentKind
  readonly fromMs: number
  /** Exclusive; an incident without an end goes on. */
  untilMs?: number | undefined
}

export type IncidentKind =
  /** The origin answers with errors or not at all: old content is served, and 5xx where there is none. */
  | 'origin outage'
  /** The cache was emptied: nearly everything has to be fetched again. */
  | 'purge'
  /** A cookie or a setting makes the cache be skipped. */
  | 'bypass'
  | 'surge'
  | 'silence'

interface TrafficMix {
  /** What the usual number of requests is multiplied by. */
  readonly volume: number
  readonly cacheStatuses: readonly Weighted<string>[]
  /** The share of requests to the origin that end in 5xx. */
  readonly originFailures: number
}

/** `EXPIRED` is not among the statuses the interface states, and occurs. */
const USUAL: Readonly<Record<Flavour, readonly Weighted<string>[]>> = {
  shop: weights({ HIT: 800, MISS: 90, BYPASS: 45, REVALIDATED: 25, STALE: 3, UPDATING: 8, EXPIRED: 9, '-': 20 }),
  media: weights({ HIT: 930, MISS: 45, BYPASS: 2, REVALIDATED: 6, STALE: 2, UPDATING: 10, EXPIRED: 3, '-': 2 }),
  api: weights({ HIT: 320, MISS: 160, BYPASS: 340, REVALIDATED: 20, STALE: 3, UPDATING: 7, EXPIRED: 10, '-': 140 }),
}
const OUTAGE = weights({ HIT: 420, MISS: 138, BYPASS: 40, STALE: 332, UPDATING: 60, '-': 10 })
const PURGED = weights({ HIT: 180, MISS: 700, BYPASS: 40, REVALIDATED: 5, STALE: 5, UPDATING: 50, EXPIRED: 5, '-': 15 })
const BYPASSED = weights({ HIT: 258, MISS: 45, BYPASS: 660, STALE: 4, UPDATING: 8, '-': 25 })

const CHANGES: Readonly<Record<IncidentKind, Partial<TrafficMix>>> = {
  'origin outage': { cacheStatuses: OUTAGE, originFailures: 0.85 },
  purge: { cacheStatuses: PURGED },
  bypass: { cacheStatuses: BYPASSED },
  surge: { volume: 5 },
  silence: { volume: 0 },
}

function weights(of: Readonly<Record<string, number>>): readonly Weighted<string>[] {
  return Object.entries(of).map(([value, weight]) => ({ value, weight }))
}
