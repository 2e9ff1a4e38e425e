import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import pg from 'pg'
import { systemClock } from '../../src/shared/clock.ts'
import { openPostgres } from '../../src/store/engine/postgres-engine.ts'
import { openStore } from '../../src/store/store.ts'
import { forEachTest } from '../support/for-each-test.ts'
import { recordingLog } from '../support/recording-log.ts'
import { postgresToolsSuite } from './postgres-tools-suite.ts'
import { postgresBurstSuite } from './postgres-burst-suite.ts'
import { postgresStartSuite } from './postgres-start-suite.ts'
import { postgresReplicasSuite } from './postgres-replicas-suite.ts'
import { postgresProcessesSuite } from './postgres-processes-suite.ts'
import { entry, silentLog } from './harness.ts'
import { type PostgresDatabase, createPostgresDatabase, whyNoPostgres } from './postgres-harness.ts'
import { engineSuites } from './engine-suites.ts'
import { zonePastSuite } from './zone-past-suite.ts'

const reason = await whyNoPostgres()
if (reason !== undefined) process.stderr.write(`Skipped, ${reason}\n`)

describe.skipIf(reason !== undefined)('PostgreSQL', () => {
  let database: PostgresDatabase
  beforeAll(async () => {
    database = await createPostgresDatabase()
  })
  afterAll(() => database.drop())
  const harness = forEachTest(() => database.harness())

  engineSuites(harness)

  describe('past of a zone', () => {
    zonePastSuite(harness, () => harness.url)
  })
  postgresToolsSuite(harness)

  describe('several processes', () => {
    postgresProcessesSuite(() => harness)
    postgresReplicasSuite(() => harness)
  })

  postgresBurstSuite(() => harness)

  describe('a server that is started', () => {
    postgresStartSuite(() => harness)
  })

  describe('a server in trouble', () => {
    test('a lock held for too long ends the call, undone, and the store goes on', async () => {
      const store = await harness.open()
      await harness.connection(async (client) => {
        await client.query('begin')
        await client.query('select * from audit_head for update')
        await expect(store.audit.append(entry('read'))).rejects.toMatchObject({ kind: 'locked', code: '57014' })
        await client.query('rollback')
      })
      expect(await store.audit.append(entry('read'))).toMatchObject({ seq: 1 })
    })

    test('connections cut by the server are replaced', async () => {
      const store = await harness.open()
      await store.check()
      await harness.sql(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'cdn-ops'`)
      await expect
        .poll(() =>
          store.check().then(
            () => 'well',
            () => 'not yet',
          ),
        )
        .toBe('well')
    })

    test('a connection cut between two statements ends its transaction, not the process', async () => {
      const { log, lines } = recordingLog()
      await harness.open()
      const engine = await openPostgres(harness.url, log)
      const cut = engine.kysely.transaction().execute(async (within) => {
        const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(within)
        await harness.sql(`select pg_terminate_backend(${rows[0]?.pid})`)
        await expect.poll(() => lines).toHaveLength(1)
        await sql`select 1`.execute(within)
      })
      expect(await cut.catch((error: unknown) => engine.classify(error))).toMatchObject({ kind: 'unreachable' })
      await expect(sql`select 1`.execute(engine.kysely)).resolves.toBeDefined()
      await engine.close()
    })

    test('a server that forbids writing is told from one that does not answer', async () => {
      await harness.open()
      await harness.sql(`do $$ begin execute format(
        'alter database %I set default_transaction_read_only = on', current_database()); end $$`)
      const store = await harness.open()
      await expect(store.check()).resolves.toBeUndefined()
      await expect(store.audit.append(entry('read'))).rejects.toMatchObject({ kind: 'read_only' })
    })

    test('what it answers, and what the way to it does, is said without a value', async () => {
      await harness.open()
      const engine = await openPostgres(harness.url, silentLog)
      await engine.close()
      const answered = (code: string) => Object.assign(new pg.DatabaseError('canary', 6, 'error'), { code })
      const said = (error: unknown) => engine.classify(error)?.message
      const kinds: Readonly<Record<string, readonly string[]>> = {
        locked: ['40001', '40P01', '55P03', '57014'],
        full: ['53100'],
        read_only: ['25006', '42501'],
        unreachable: ['25P03', '08006', '53300', '57P01', '58030'],
        corrupt: ['XX001'],
        other: ['23505', '28000', '3D000', '42601', '42703', '42P01', '42883'],
      }
      const kindOf = (code: string) => engine.classify(answered(code))?.kind
      for (const [kind, codes] of Object.entries(kinds)) expect(codes.map(kindOf)).toEqual(codes.map(() => kind))
      expect(['23505', '42P01', '28P01'].map((code) => said(answered(code)))).toEqual([
        'The store refused the statement (23505)',
        'The store refused the statement (42P01: canary)',
        'The database server does not take the user, password or database of STORE_URL (28P01)',
      ])
      const refused = Object.assign(new Error('canary'), { code: 'ECONNREFUSED', syscall: 'connect' })
      const lost = [
        'timeout exceeded when trying to connect',
        'Connection terminated unexpectedly',
        'Query read timeout',
      ]
      lost.push('Client has encountered a connection error and is not queryable')
      for (const error of [refused, new AggregateError([refused])])
        expect(said(error)).toBe('The store does not answer (ECONNREFUSED)')
      for (const words of lost) expect(said(new Error(words))).toBe('The store does not answer')
      expect(engine.classify(new RangeError('mine'))).toBeUndefined()
    })

    test('no server yet is asked every two seconds for a minute, by who waits for it', async () => {
      const url = String(Object.assign(new URL(harness.url), { port: '1' }))
      const { log, lines } = recordingLog()
      let passedMs = 0
      const sleep = async (ms: number): Promise<void> => void (passedMs += ms)
      const clock = { ...systemClock, monotonicMs: () => passedMs, sleep }
      const waits = async (stopping: AbortSignal | undefined) => {
        await expect(openStore({ url, clock, log, stopping })).rejects.toMatchObject({ kind: 'unreachable' })
        return [passedMs, lines.length]
      }
      expect(await waits(undefined)).toEqual([0, 0])
      expect(await waits(AbortSignal.abort())).toEqual([0, 0])
      expect(await waits(new AbortController().signal)).toEqual([60_000, 30])
      expect(lines[0]).toMatchObject({ level: 'warn', sentence: 'the store does not answer yet: trying again' })
    })

    test('no server and a wrong database are said without the password', async () => {
      for (const [kind, change] of [
        ['unreachable', { port: '1' }],
        ['other', { pathname: 'no_such_database' }],
      ] as const) {
        const url = String(Object.assign(new URL(harness.url), { ...change, password: 'canary' }))
        const failure = await openStore({ url, clock: harness.clock, log: silentLog }).catch((error: unknown) => error)
        expect(failure).toMatchObject({ name: 'StoreError', kind })
        expect(`${String(failure)} ${JSON.stringify(failure)} ${(failure as Error).stack}`).not.toContain('canary')
      }
    })
  })
})
