import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { systemClock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'
import type { AuditVerdict } from '../../../src/store/audit/audit-verification.ts'
import { openStore } from '../../../src/store/store.ts'
import { silentLog } from '../../store/harness.ts'
import { createPostgresDatabase } from '../../store/postgres-harness.ts'

export const STORE_KINDS = ['sqlite', 'postgres'] as const
export type StoreKind = (typeof STORE_KINDS)[number]

/** In milliseconds of Unix time. */
const digestsDue = (now: number): string => `update digests set next_at = ${now} where next_at > ${now}`
const END_CLAIMS = 'update outbox set held_until = 0'
const AUDIT_KEY = 'a-key-of-the-kill-harness'

type Row = Readonly<Record<string, unknown>>

/** A new, empty store for one run, read past the bot that uses it. */
export interface StoreUnderTest {
  readonly kind: StoreKind
  /** The settings that give it to a bot. */
  readonly settings: { readonly STORE_URL: string; readonly AUDIT_KEY: string }
  readonly rows: (statement: string) => Promise<readonly Row[]>
  /** As if the minute had passed for which a killed bot holds what it was delivering. No bot may be running. */
  readonly endClaims: () => Promise<void>
  /** As if the seconds had passed for which a killed bot holds the lease. No bot may be running. */
  readonly endLease: () => Promise<void>
  /** As if the time of every digest had come that is not due already. How many there were. No bot may be running. */
  readonly makeDigestsDue: () => Promise<number>
  /** Recomputes the record's chain. No bot may be running. */
  readonly verify: () => Promise<AuditVerdict>
  readonly drop: () => Promise<void>
}

/** On a server that is given, or on the usual one. */
export async function createStore(kind: StoreKind, server?: string): Promise<StoreUnderTest> {
  const { url, ...place } = kind === 'sqlite' ? await sqliteFile() : await postgresDatabase(server)
  return {
    kind,
    settings: { STORE_URL: url, AUDIT_KEY },
    ...place,
    async verify() {
      const store = await openStore({ url, clock: systemClock, log: silentLog, auditKey: new Secret(AUDIT_KEY) })
      try {
        return await store.audit.verify()
      } finally {
        await store.close()
      }
    },
  }
}

interface Place {
  readonly url: string
  readonly rows: StoreUnderTest['rows']
  readonly endClaims: StoreUnderTest['endClaims']
  readonly endLease: StoreUnderTest['endLease']
  readonly makeDigestsDue: StoreUnderTest['makeDigestsDue']
  readonly drop: () => Promise<void>
}

async function sqliteFile(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-kill-'))
  const url = join(folder, 'store.sqlite')
  const write = (statement: string): number => {
    const database = new DatabaseSync(url, { timeout: 1_000 })
    try {
      return Number(database.prepare(statement).run().changes)
    } finally {
      database.close()
    }
  }
  return {
    url,
    drop: () => rm(folder, { recursive: true, force: true }),
    // One process has the file for itself.
    endLease: async () => undefined,
    endClaims: async () => void write(END_CLAIMS),
    makeDigestsDue: async () => write(digestsDue(systemClock.now().getTime())),
    async rows(statement) {
      const database = new DatabaseSync(url, { readOnly: true, timeout: 1_000 })
      try {
        return database.prepare(statement).all()
      } finally {
        database.close()
      }
    },
  }
}

async function postgresDatabase(server: string | undefined): Promise<Place> {
  const database = await createPostgresDatabase(server)
  const { url } = await database.harness()
  // Whoever plays looks every few hundredths of a second: a connection for each look would be most of what the server does.
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => undefined)
  return {
    url,
    rows: async (statement) => (await pool.query<Row>(statement)).rows,
    endClaims: async () => void (await pool.query(END_CLAIMS)),
    makeDigestsDue: async () => (await pool.query(digestsDue(systemClock.now().getTime()))).rowCount ?? 0,
    // Before the first bot there is none.
    endLease: async () => void (await pool.query('update lease set until_at = 0').catch(() => undefined)),
    async drop() {
      await pool.end()
      await database.drop()
    },
  }
}
