import { seededRandom } from './seeded-random.ts'
import type { Random } from './seeded-random.ts'

/** A key of the account. The platform may leave out the value or the roles of a key, so both may be null. */
export interface ApiKey {
  readonly id: bigint
  readonly value: string | null
  readonly roles: readonly string[] | null
}

const API_KEY_COUNT = 2_500

/** The role sets keys are made with; the first is the one that may do everything. */
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
export function seedApiKeys(seed: string, ownKey: string, planted: readonly string[]): ApiKey[] {
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

/** A key somebody makes later: with an id after those of the start, and one of the role sets. */
export function drawApiKey(random: Random, id: bigint): ApiKey {
  return { id, value: fakeKey(random), roles: random.pick(ROLE_SETS) }
}

/** A made-up key of the length and the look of real ones: two groups of hexadecimal blocks, 72 characters. */
export function fakeKey(random: Random): string {
  const half = (): string => [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-')
  return half() + half()
}
