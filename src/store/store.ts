import { sql } from 'kysely'
import type { Clock } from '../shared/clock.ts'
import type { Log } from '../shared/log.ts'
import type { Secret } from '../shared/secret.ts'
import { Outbox } from './outbox/outbox.ts'
import { AlertRules } from './alerts/alert-rules.ts'
import { Alerts, WATCH_RETENTION_MS } from './alerts/alerts.ts'
import { Digests } from './alerts/digests.ts'
import { Answers, MAX_ADDRESSES, MAX_ANSWERS, ResponseAddresses } from './answers.ts'
import { Approvals } from './changes/approvals.ts'
import {
  DEAD_LETTER_RETENTION_MS,
  INCIDENT_RETENTION_MS,
  MARK_RETENTION_MS,
  SILENCE_RETENTION_MS,
} from './schema/alert-records.ts'
import { createAuditChain } from './schema/audit-chain.ts'
import { AuditLog, RepeatedRefusals } from './audit/audit-log.ts'
import { Changes } from './changes/changes.ts'
import { AS_HOLDER, Database, type Engine, type Timed, Writability, type WritableState } from './engine/database.ts'
import { DELIVERY_RETENTION_MS, noteDelivery } from './outbox/idempotency-keys.ts'
import { Marks } from './alerts/marks.ts'
import { Silences } from './alerts/silences.ts'
import { Minutes, pruneMinutes } from './alerts/minutes.ts'
import { LogSlots } from './log-slots.ts'
import { Remembered } from './remembered.ts'
import { Replicas } from './replicas.ts'
import { openSqlite, openSqliteForReading } from './engine/sqlite-engine.ts'
import { assertMigrated, migrate } from './schema/migrations.ts'
import { keepNewest } from './schema/rows.ts'
import { StoreError } from './schema/store-error.ts'
import type { Tables } from './schema/tables.ts'
import { ZoneNames } from './zone-names.ts'

/** What outlives a restart. Every method throws `StoreError` when the database does not do its part. */
export type Store = ReturnType<typeof createStore>

export interface StoreOptions {
  /** A path for SQLite, or `postgres://…`. */
  readonly url: string
  readonly clock: Clock
  readonly log: Log
  /** What the record is chained with. Without it the record shows mistakes, not forgery. */
  readonly auditKey?: Secret | undefined
  /** Called when writes begin to fail and when one succeeds again, each once; must not throw. See `Writability`. */
  readonly onWritable?: ((state: WritableState) => void) | undefined
  /**
   * Called when the disk of a SQLite file did not keep what was written. Nothing that the process takes for written can be
   * trusted then: it has to end, and a new one reads what is there. Until it does, every call throws.
   */
  readonly onSyncFailed?: ((failure: StoreError) => void) | undefined
  /** Around each question of what time it is where the store is. */
  readonly timed?: Timed | undefined
  /** With it a server that is not there yet is waited for, a minute at most, until that is aborted. */
  readonly stopping?: AbortSignal | undefined
  /** Tables that are not those of this version are left as they are, and not opened. */
  readonly asItIs?: boolean | undefined
}

const START_PATIENCE_MS = 60_000
const START_PAUSE_MS = 2_000

/** Opens the store and brings its tables up to date. Throws `StoreError`, whose message says what to do. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { url, clock, asItIs } = options
  const prepareTables = asItIs === true ? assertMigrated : migrate
  const engine = isPostgres(url) ? await onServer(options, prepareTables) : await openSqlite(url, clock, prepareTables)
  const store = createStore(engine, options)
  try {
    await store.audit.checkKey()
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

/** The client of PostgreSQL is loaded by those who have one. */
async function onServer(
  { url, clock, log, timed, stopping }: StoreOptions,
  prepareTables: typeof migrate,
): Promise<Engine> {
  const { openPostgres } = await import('./engine/postgres-engine.ts')
  const giveUpAtMs = clock.monotonicMs() + START_PATIENCE_MS
  for (;;) {
    try {
      return await openPostgres(url, log, timed, prepareTables)
    } catch (error) {
      const mayPass = error instanceof StoreError && error.mayPass && clock.monotonicMs() < giveUpAtMs
      if (!mayPass || stopping === undefined || stopping.aborted) throw error
      log.warn({ err: error }, 'the store does not answer yet: trying again')
      await clock.sleep(START_PAUSE_MS, stopping).catch(() => undefined)
    }
  }
}

export function createStore(
  engine: Engine,
  options: Pick<StoreOptions, 'clock' | 'log' | 'auditKey' | 'onWritable' | 'onSyncFailed'>,
) {
  const { clock, log, auditKey, onWritable, onSyncFailed } = options
  const writability = onWritable === undefined ? undefined : new Writability(clock, onWritable)
  const database = new Database(engine, clock, { writability, log, onSyncFailed })
  const audit = new AuditLog(database, createAuditChain(auditKey))
  const changes = new Changes(database, audit)
  const refusals = new RepeatedRefusals(audit, clock, log)
  return {
    audit,
    refusals,
    changes,
    zones: new ZoneNames(database, audit),
    answers: new Answers(database),
    responseAddresses: new ResponseAddresses(database),
    approvals: new Approvals(database, audit),
    outbox: new Outbox(database),
    remembered: new Remembered(database, audit),
    minutes: new Minutes(database),
    alertRules: new AlertRules(database, audit),
    alerts: new Alerts(database, audit),
    digests: new Digests(database, audit),
    silences: new Silences(database, audit),
    marks: new Marks(database, audit),
    /** What several processes share a store by; undefined where one has it for itself. */
    shared:
      engine.name === 'postgres' ? { replicas: new Replicas(database), logSlots: new LogSlots(database) } : undefined,
    /** Whether what has this key, a request of Slack for instance, comes for the first time in two days. */
    isFirst: (key: string) => database.write((rows) => noteDelivery(rows, key, clock)),
    /** Resolves when the store answers, and takes writes as far as is known; for the health page. */
    check: () => audit.check(),
    /** Writes nothing in a transaction: where nobody writes, it finds out that the store takes none, or takes them again. */
    probe: () => database.write(async () => undefined),
    /** The same, and writes as much as anything usual does, which it takes away again. */
    prove: () => database.prove(),
    /** Whether what the database calls committed survives its crash. Throws `StoreError`. */
    keepsCommits: () => database.read(async () => (await engine.keepsCommits?.()) ?? true),
    /** Deletes what has outlived its retention; to be called now and then. Zone names and the record are kept. */
    prune: async (now: Date) => {
      await pruneAged(database, now)
      await changes.prune(now)
      await pruneMinutes(database, now)
      await database.settleErasure()
    },
    /** Ends the connections and lets go of the file. May be called twice. */
    close: async () => {
      await refusals.close()
      await database.close()
    },
  }
}

/** What goes by its age alone, and from when on that is counted. */
const AGED = [
  ['answers', 'expiresAt', 0],
  ['responseAddresses', 'expiresAt', 0],
  ['deliveries', 'at', DELIVERY_RETENTION_MS],
  ['incidents', 'endedAt', INCIDENT_RETENTION_MS],
  ['deadLetters', 'deadAt', DEAD_LETTER_RETENTION_MS],
  ['silences', 'untilAt', SILENCE_RETENTION_MS],
  ['marks', 'at', MARK_RETENTION_MS],
  ['alertWatches', 'at', WATCH_RETENTION_MS],
] as const satisfies readonly (readonly [table: keyof Tables, from: string, keptMs: number])[]

async function pruneAged(database: Database, now: Date): Promise<void> {
  await database.write(async (rows) => {
    for (const [table, from, keptMs] of AGED)
      await sql`delete from ${sql.table(table)} where ${sql.ref(from)} <= ${now.getTime() - keptMs}`.execute(rows)
    await keepNewest(rows, 'answers', { by: 'createdAt', most: MAX_ANSWERS })
    await keepNewest(rows, 'responseAddresses', { by: 'expiresAt', most: MAX_ADDRESSES })
  }, AS_HOLDER)
}

/** Whether the address of a store is that of a server; else it is a path. */
function isPostgres(url: string): boolean {
  return url.startsWith('postgres://') || url.startsWith('postgresql://')
}

/** The file that an address of a store names; undefined for that of a server. */
export function storeFile(url: string): string | undefined {
  return isPostgres(url) ? undefined : url
}

/** A store as a tool beside the bot may have it: nothing in it can be written. */
export interface StoreReader {
  readonly audit: Pick<AuditLog, 'verify' | 'pages'>
  readonly minutes: Pick<Minutes, 'read' | 'span'>
  readonly marks: Pick<Marks, 'list'>
  readonly zones: Pick<ZoneNames, 'list'>
  close(): Promise<void>
}

/** Opens a store for reading alone. Throws `StoreError`, whose message says what to do. */
export async function openForReading(
  options: Pick<StoreOptions, 'url' | 'clock' | 'log' | 'auditKey'>,
): Promise<StoreReader> {
  const { url, clock, log, auditKey } = options
  const engine = isPostgres(url)
    ? await (await import('./engine/postgres-engine.ts')).openPostgresForReading(url, log)
    : await openSqliteForReading(url, clock)
  const database = new Database(engine, clock, { log })
  const audit = new AuditLog(database, createAuditChain(auditKey))
  return {
    audit,
    minutes: new Minutes(database),
    marks: new Marks(database, audit),
    zones: new ZoneNames(database, audit),
    close: () => database.close(),
  }
}
