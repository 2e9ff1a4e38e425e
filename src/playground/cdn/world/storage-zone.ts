import { DAY_MS } from '../../../shared/durations.ts'
import { seededRandom } from './seeded-random.ts'

/** A storage zone and the rule its history follows. Days are whole UTC days since 1970. */
export interface StorageZone {
  readonly id: bigint
  readonly name: string
  /** The first day that has figures. */
  readonly firstDay: number
  readonly firstBytes: number
  readonly bytesADay: number
  readonly firstFiles: number
  readonly filesADay: number
  /** Days after the first on which much is deleted at once, and the share that stays. */
  readonly cleanUp?: { readonly afterDays: number; readonly kept: number }
  /** What was uploaded at once, and on which day. */
  readonly jumps?: readonly StorageJump[]
  /** A zone may lack a chart: the interface declares both nullable. */
  readonly charts: 'both' | 'storage only' | 'empty'
}

/** Many files that come in one day and stay. */
export interface StorageJump extends StorageDay {
  readonly day: number
}

export interface StorageDay {
  readonly bytes: bigint
  readonly files: bigint
}

const HISTORY_DAYS = 90

/** The whole UTC days since 1970 at a moment in milliseconds. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS)
}

/** Three zones with 90 days of history, one that has none yet and one with a single chart. */
export function seedStorageZones(today: number): StorageZone[] {
  const firstDay = today - HISTORY_DAYS + 1
  const grown = { firstDay, charts: 'both' } as const
  return [
    {
      ...grown,
      id: 101n,
      name: 'shop',
      firstBytes: 412e9,
      bytesADay: 1.9e9,
      firstFiles: 1_204_300,
      filesADay: 5_210,
    },
    {
      ...grown,
      id: 102n,
      name: 'media',
      firstBytes: 18.4e12,
      bytesADay: 96e9,
      firstFiles: 88_120,
      filesADay: 410,
      cleanUp: { afterDays: 70, kept: 0.82 },
    },
    {
      ...grown,
      id: 103n,
      name: 'archive',
      firstBytes: 61.7e12,
      bytesADay: 4.1e9,
      firstFiles: 9_402_118,
      filesADay: 640,
    },
    {
      id: 104n,
      name: 'newborn',
      firstDay: today,
      firstBytes: 0,
      bytesADay: 0,
      firstFiles: 0,
      filesADay: 0,
      charts: 'empty',
    },
    {
      ...grown,
      id: 105n,
      name: 'uncounted',
      firstBytes: 3.2e9,
      bytesADay: 12e6,
      firstFiles: 900,
      filesADay: 3,
      charts: 'storage only',
    },
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
  const jumps = (zone.jumps ?? []).filter((jump) => jump.day <= day)
  return {
    bytes: jumps.reduce((sum, { bytes }) => sum + bytes, grown(zone.firstBytes, zone.bytesADay)),
    files: jumps.reduce((sum, { files }) => sum + files, grown(zone.firstFiles, zone.filesADay)),
  }
}
