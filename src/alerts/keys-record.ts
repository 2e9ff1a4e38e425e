import * as z from 'zod'
import type { KnownKey } from './key-changes.ts'

/** More keys than this are not compared: what is known of them has to fit beside everything else, into 64 KB. */
export const MAX_KEYS = 4_000
/** Of what is remembered of them, as JSON. */
const MAX_RECORD_BYTES = 60_000

/** Keys by the roles they have, which few sets of roles make short. */
const KeysRecord = z.object({
  lookedMs: z.number(),
  /** When reading the keys was put on record last. */
  recordedMs: z.number().optional(),
  groups: z.array(z.object({ roles: z.array(z.string()), ids: z.array(z.string()) })).optional(),
})

/** What is known of an account's keys: ids and roles, never a value. */
export interface KnownKeys {
  /** When they were listed last, and when that was put on record; milliseconds since 1970. */
  readonly lookedMs: number
  readonly recordedMs: number | undefined
  /** Undefined while there was no complete listing. */
  readonly snapshot: readonly KnownKey[] | undefined
}

/** Reads what was kept; undefined where there is none, or none that can be read. */
export function readKeysRecord(state: unknown): KnownKeys | undefined {
  const record = KeysRecord.safeParse(state).data
  if (record === undefined) return undefined
  const { lookedMs, recordedMs, groups } = record
  return { lookedMs, recordedMs, snapshot: groups?.flatMap(({ roles, ids }) => ids.map((id) => ({ id, roles }))) }
}

/** What is to be kept; undefined when it would be too large. */
export function keysRecord({ lookedMs, recordedMs, snapshot }: KnownKeys): unknown {
  const groups = new Map<string, { readonly roles: readonly string[]; readonly ids: string[] }>()
  for (const { id, roles } of snapshot ?? []) {
    const key = JSON.stringify(roles)
    const group = groups.get(key) ?? { roles, ids: [] }
    group.ids.push(id)
    groups.set(key, group)
  }
  const record = { lookedMs, recordedMs, ...(snapshot !== undefined && { groups: [...groups.values()] }) }
  return Buffer.byteLength(JSON.stringify(record)) > MAX_RECORD_BYTES ? undefined : record
}
