import type { Flavour } from './pull-zone.ts'
import type { Random, Weighted } from './seeded-random.ts'

/** Who sent a request and what they asked for: everything of a log entry that the client side decides. */
export interface Visitor {
  readonly path: string
  readonly userAgent: string | null
  readonly referer: string | null
  readonly remoteIp: string
  readonly countryCode: string | null
  readonly edgeLocation: string
  readonly ja4Fingerprint: string | null
  readonly asn: number | null
  readonly asnOrganization: string | null
}

const OLDEST_ADDRESS = 10
/** One request in this many comes over IPv6. */
const IPV6_SHARE = 0.15

/**
 * Draws one visitor of a kind of site. About one in sixty has a name or an address meant to do harm where it is shown.
 * Secrets in addresses are drawn too, unless one is given.
 */
export function drawVisitor(random: Random, flavour: Flavour, urlSecret?: string): Visitor {
  const place = random.weighted(PLACES)
  const network = random.pick(NETWORKS)
  return {
    path: drawPath(random, flavour, urlSecret),
    userAgent: random.weighted(USER_AGENTS),
    referer: random.weighted(REFERERS),
    remoteIp: drawAddress(random),
    countryCode: place.country,
    edgeLocation: place.edge,
    ja4Fingerprint: random.next() < 0.1 ? null : `t13d1516h2_${random.hex(12)}_${random.hex(12)}`,
    asn: network?.asn ?? null,
    asnOrganization: network?.organization ?? null,
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

interface Place {
  readonly country: string | null
  readonly edge: string
}

const PLACES: readonly Weighted<Place>[] = [
  { value: { country: 'DE', edge: 'DE' }, weight: 30 },
  { value: { country: 'US', edge: 'NY' }, weight: 22 },
  { value: { country: 'US', edge: 'LA' }, weight: 10 },
  { value: { country: 'GB', edge: 'UK' }, weight: 12 },
  { value: { country: 'FR', edge: 'FR' }, weight: 8 },
  { value: { country: 'SG', edge: 'SG' }, weight: 6 },
  { value: { country: 'BR', edge: 'BR' }, weight: 4 },
  { value: { country: 'AU', edge: 'SYD' }, weight: 3 },
  { value: { country: null, edge: 'WA' }, weight: 1 },
]

const NETWORKS = [
  { asn: 64_496, organization: 'Example Broadband' },
  { asn: 64_500, organization: 'Sample Mobile' },
  { asn: 64_511, organization: 'Test Hosting' },
  null,
] as const
