import { DAY_MS } from '../../../shared/durations.ts'
import { seededRandom } from './seeded-random.ts'

/** A pull zone as the emulator knows it: how much traffic it has, and what its log may tell. */
export interface PullZone {
  readonly id: bigint
  readonly name: string
  readonly host: string
  /** Requests a minute at the busiest time of day; at the quietest it is a quarter of that. */
  readonly peakPerMinute: number
  readonly flavour: Flavour
  readonly logging: 'on' | 'extended' | 'off'
  readonly state: 'active' | 'suspended'
  /** How client addresses are blurred before they are stored. */
  readonly anonymisation: 'none' | 'last octet' | 'full'
}

/** What kind of site it is, which decides paths, methods and how often the cache can answer. */
export type Flavour = 'shop' | 'media' | 'api'

export function pullZoneOf(id: bigint, name: string, host: string, peakPerMinute: number, flavour: Flavour): PullZone {
  return { id, name, host, peakPerMinute, flavour, logging: 'on', state: 'active', anonymisation: 'last octet' }
}

/** Four zones with traffic, one whose log is switched off and one that is suspended. */
export function seedPullZones(): PullZone[] {
  const zone = pullZoneOf
  return [
    zone(301n, 'shop-web', 'www.shop.example', 100, 'shop'),
    { ...zone(302n, 'media-cdn', 'video.media.example', 60, 'media'), logging: 'extended', anonymisation: 'none' },
    { ...zone(303n, 'api-edge', 'api.shop.example', 16, 'api'), anonymisation: 'full' },
    zone(304n, 'quiet-docs', 'docs.shop.example', 1, 'shop'),
    { ...zone(305n, 'unlogged', 'static.shop.example', 10, 'shop'), logging: 'off' },
    { ...zone(306n, 'suspended', 'old.shop.example', 0, 'shop'), state: 'suspended' },
  ]
}

/** A storage zone and the rule its history follows. Days are whole UTC days since 1970. */
export interface StorageZone {
  readonly id: bigint
  readonly name: string
  readonly firstDay: number
  readonly growth: Growth
  /** Days after the first on which much is deleted at once, and the share that stays. */
  readonly cleanUp?: { readonly afterDays: number; readonly kept: number }
  readonly jumps: readonly (StorageDay & { readonly day: number })[]
  /** A zone may lack a chart: the interface declares both nullable. */
  readonly charts: 'both' | 'storage only' | 'empty'
}

export interface StorageDay {
  readonly bytes: bigint
  readonly files: bigint
}

const HISTORY_DAYS = 90

export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS)
}

type Growth = readonly [firstBytes: number, bytesADay: number, firstFiles: number, filesADay: number]

export function storageZoneOf(id: bigint, name: string, growth: Growth, firstDay: number): StorageZone {
  return { id, name, firstDay, growth, jumps: [], charts: 'both' }
}

/** Three zones with 90 days of history, one that has none yet and one with a single chart. */
export function seedStorageZones(today: number): StorageZone[] {
  const zone = (id: bigint, name: string, growth: Growth) => storageZoneOf(id, name, growth, today - HISTORY_DAYS + 1)
  return [
    zone(101n, 'shop', [412e9, 1.9e9, 1_204_300, 5_210]),
    { ...zone(102n, 'media', [18.4e12, 96e9, 88_120, 410]), cleanUp: { afterDays: 70, kept: 0.82 } },
    zone(103n, 'archive', [61.7e12, 4.1e9, 9_402_118, 640]),
    { ...zone(104n, 'newborn', [0, 0, 0, 0]), firstDay: today, charts: 'empty' },
    { ...zone(105n, 'uncounted', [3.2e9, 12e6, 900, 3]), charts: 'storage only' },
  ]
}

/** What a zone held on a day, or undefined before its first. The same seed, zone and day always give the same figures. */
export function storageOn(seed: string, zone: StorageZone, day: number): StorageDay | undefined {
  const age = day - zone.firstDay
  if (age < 0) return undefined
  const random = seededRandom(`${seed}/storage/${zone.id}/${day}`)
  const wobble = (random.next() - 0.5) * 0.6
  const kept = zone.cleanUp !== undefined && age >= zone.cleanUp.afterDays ? zone.cleanUp.kept : 1
  const grown = (first: number, aDay: number): bigint => BigInt(Math.round((first + aDay * (age + wobble)) * kept))
  const jumps = zone.jumps.filter((jump) => jump.day <= day)
  const [firstBytes, bytesADay, firstFiles, filesADay] = zone.growth
  return {
    bytes: jumps.reduce((sum, { bytes }) => sum + bytes, grown(firstBytes, bytesADay)),
    files: jumps.reduce((sum, { files }) => sum + files, grown(firstFiles, filesADay)),
  }
}

export interface DnsZone {
  readonly id: bigint
  readonly domain: string
  readonly records: readonly StoredRecord[]
}

/** What the platform keeps of a record: enough to find it by, and to show that a second send added a second one. */
export interface StoredRecord {
  readonly id: bigint
  readonly type: number
  readonly name: string
  readonly value: string
  readonly comment?: string | undefined
}

export function seedDnsZones(): DnsZone[] {
  const record = (id: bigint, type: number, name: string, value: string): StoredRecord => ({ id, type, name, value })
  return [
    {
      id: 201n,
      domain: 'shop.example',
      records: [
        record(4_100_001n, 0, '', '192.0.2.10'),
        record(4_100_002n, 2, 'www', 'shop-web.cdn.example'),
        record(4_100_003n, 4, '', 'mail.shop.example'),
        record(4_100_004n, 3, '', 'v=spf1 mx -all'),
      ],
    },
    {
      id: 202n,
      domain: 'media.example',
      records: [record(4_100_005n, 1, '', '2001:db8::10'), record(4_100_006n, 7, 'video', 'media-cdn')],
    },
  ]
}
