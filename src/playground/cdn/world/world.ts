import { seededRandom, type Random } from './seeded-random.ts'
import { requestsIn, type EdgeRequest, type Incident } from './traffic.ts'
import {
  dayOf,
  pullZoneOf,
  seedDnsZones,
  seedPullZones,
  seedStorageZones,
  storageZoneOf,
  type DnsZone,
  type PullZone,
  type StorageDay,
  type StorageZone,
  type StoredRecord,
} from './zones.ts'

/** Secret values to plant, so that a test can look for them wherever they must not be. */
export interface Canaries {
  /** Values of keys of the account, listed right after the emulator's own. */
  readonly apiKeys?: readonly string[]
  /** The three keys of every library created: full access, read only, deprecated. */
  readonly libraryKeys?: readonly [string, string, string]
  /** What some end users sent as `Authorization`; extended logging keeps it. */
  readonly authorization?: string
  /** The tokens and sessions in the addresses that end users asked for. */
  readonly urlSecret?: string
}

interface WorldOptions {
  readonly seed: string
  readonly now: Date
  readonly accessKey: string
  readonly canaries: Canaries
}

export interface VideoLibraryBacking {
  readonly id: bigint
  readonly name: string
  readonly storageZoneId: bigint
  readonly pullZoneId: bigint
}

const MAX_LIBRARIES = 1_000
const MAX_KEYS = 3_500
const MAX_JUMPS = 100
const FIRST_NEW_ID = 500_001n
const END_USER_TOKEN = 'Bearer end-user-token-3f9d6c1b7a20'

/**
 * The account the emulator serves: zones, keys and traffic that are the same for the same seed and day, and what was
 * added since, by calls or by whoever plays with it. Nothing is taken away, as the interface has no call that would.
 */
export class World {
  readonly seed: string
  readonly canaries: Canaries
  /** In the order in which they were let go wrong. */
  incidents: readonly Incident[] = []
  /** Whether lines come into the logs late, some of them twice; each at once and once otherwise. */
  logLags = false
  apiKeys: readonly ApiKey[]
  storageZones: readonly StorageZone[]
  dnsZones: readonly DnsZone[] = seedDnsZones()
  pullZones: readonly PullZone[] = seedPullZones()
  libraries: readonly VideoLibraryBacking[] = []
  #nextId = FIRST_NEW_ID

  constructor({ seed, now, accessKey, canaries }: WorldOptions) {
    this.seed = seed
    this.canaries = canaries
    this.apiKeys = seedApiKeys(seed, accessKey, canaries.apiKeys ?? [])
    this.storageZones = seedStorageZones(dayOf(now.getTime()))
  }

  storageZone(id: bigint): StorageZone | undefined {
    return this.storageZones.find((zone) => zone.id === id)
  }

  dnsZone(id: bigint): DnsZone | undefined {
    return this.dnsZones.find((zone) => zone.id === id)
  }

  pullZone(id: bigint): PullZone | undefined {
    return this.pullZones.find((zone) => zone.id === id)
  }

  requestsIn(zone: PullZone, minute: number): readonly EdgeRequest[] {
    const { authorization = END_USER_TOKEN, urlSecret } = this.canaries
    return requestsIn(zone, minute, { seed: this.seed, incidents: this.incidents, authorization, urlSecret })
  }

  /**
   * Lets something go wrong. The returned function ends it at a moment in milliseconds since 1970; what the log showed
   * before that moment stays as it was.
   */
  addIncident(incident: Incident): (untilMs: number) => void {
    const current = { ...incident }
    this.incidents = [...this.incidents, current].slice(-MAX_INCIDENTS)
    return (untilMs) => void (current.untilMs = untilMs)
  }

  /** Makes one more key, listed last, unless the account has all it may have. */
  addApiKey(): void {
    if (this.apiKeys.length >= MAX_KEYS) return
    const id = this.newId()
    const random = this.drawsFor(`api-keys/${id}`)
    this.apiKeys = [...this.apiKeys, { id, value: fakeKey(random), roles: random.pick(ROLE_SETS) }]
  }

  /** Uploads many files into a storage zone at once, on the day of `now`; no more than a hundred times. */
  addJump(id: bigint, held: StorageDay, now: Date): void {
    const jump = { ...held, day: dayOf(now.getTime()) }
    this.storageZones = this.storageZones.map((zone) =>
      zone.id === id ? { ...zone, jumps: [...zone.jumps, jump].slice(0, MAX_JUMPS) } : zone,
    )
  }

  setLogging(id: bigint, logging: PullZone['logging']): void {
    this.pullZones = this.pullZones.map((zone) => (zone.id === id ? { ...zone, logging } : zone))
  }

  /** Also when there is one just like it; undefined when the zone is full. */
  addRecord(zone: DnsZone, record: Omit<StoredRecord, 'id'>): StoredRecord | undefined {
    if (zone.records.length >= MAX_RECORDS) return undefined
    const stored = { ...record, id: this.newId() }
    this.dnsZones = this.dnsZones.map((each) =>
      each.id === zone.id ? { ...each, records: [...each.records, stored] } : each,
    )
    return stored
  }

  /** Makes a library with a storage zone and a pull zone behind it; undefined when the account is full. */
  addLibrary(name: string, now: Date): VideoLibraryBacking | undefined {
    if (this.libraries.length >= MAX_LIBRARIES) return undefined
    const library = { id: this.newId(), name, storageZoneId: this.newId(), pullZoneId: this.newId() }
    const today = dayOf(now.getTime())
    const storage = storageZoneOf(library.storageZoneId, `vz-storage-${library.id}`, [0, 0, 0, 0], today)
    this.storageZones = [...this.storageZones, storage]
    const pull = pullZoneOf(library.pullZoneId, `vz-${library.id}`, `vz-${library.id}.media.example`, 0, 'media')
    this.pullZones = [...this.pullZones, pull]
    this.libraries = [...this.libraries, library]
    return library
  }

  /** Draws that belong to one thing of this world, such as the keys of a library. */
  drawsFor(subject: string): Random {
    return seededRandom(`${this.seed}/${subject}`)
  }

  newId(): bigint {
    return this.#nextId++
  }
}

const MAX_RECORDS = 5_000
const MAX_INCIDENTS = 1_000

/** A key of the account. The platform may leave out the value or the roles of a key, so both may be null. */
interface ApiKey {
  readonly id: bigint
  readonly value: string | null
  readonly roles: readonly string[] | null
}

const API_KEY_COUNT = 2_500

/** The first may do everything. */
const ROLE_SETS: readonly (readonly string[])[] = [
  ['User', 'UserApi'],
  ['UserApi'],
  ['SubuserAPIStatistics'],
  ['SubuserStatistics', 'SubuserManage'],
  ['SubuserAPIManage'],
  ['SubuserAPIStream', 'SubuserStream'],
  ['SubuserAPIDns', 'SubuserDns'],
  ['ScopedApiKey'],
  [],
]

/** Beyond 2^53, so that a client that reads ids as floating point numbers shows another one. */
const UNSAFE_ID = 9_007_199_254_740_993n
const FIRST_ID = 70_001n
const UNSAFE_AT = 11
const VALUELESS_AT = 12
const ROLELESS_AT = 13

/**
 * The account's keys: the emulator's own first, then the planted ones, then made-up ones, 2,500 in all. Of the made-up
 * ones one has an id beyond 2^53, one has no value and one no roles.
 */
function seedApiKeys(seed: string, ownKey: string, planted: readonly string[]): ApiKey[] {
  const random = seededRandom(`${seed}/api-keys`)
  const known = [ownKey, ...planted]
  return Array.from({ length: API_KEY_COUNT }, (_, index) => {
    const key: ApiKey = {
      id: FIRST_ID + BigInt(index) * 3n,
      value: known[index] ?? fakeKey(random),
      roles: index < known.length ? (ROLE_SETS[0] ?? []) : random.pick(ROLE_SETS),
    }
    if (index < known.length) return key
    if (index === UNSAFE_AT) return { ...key, id: UNSAFE_ID }
    if (index === VALUELESS_AT) return { ...key, value: null }
    return index === ROLELESS_AT ? { ...key, roles: null } : key
  })
}

/** A made-up key of the length and the look of real ones: two groups of hexadecimal blocks, 72 characters. */
export function fakeKey(random: Random): string {
  const half = (): string => [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-')
  return half() + half()
}
