import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { openSqlite, openSqliteForReading } from '../../../src/store/engine/sqlite-engine.ts'
import { sqliteError } from '../../../src/store/engine/sqlite-file.ts'
import { openStore } from '../../../src/store/store.ts'
import { changeIn, createTestClock, entry, silentLog } from '../harness.ts'
import { createSqliteHarness } from '../sqlite-harness.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const harness = forEachTest(createSqliteHarness)

const openAt = (url: string) => openStore({ url, clock: harness.clock, log: silentLog })

test('a failure is said by its kind, with a code and without a value', () => {
  const failed = (code: number | string) => {
    const failure = typeof code === 'string' ? { code, syscall: 'open' } : { code: 'ERR_SQLITE_ERROR', errcode: code }
    return sqliteError(Object.assign(new Error('near "selct"'), failure))
  }
  const kinds: Readonly<Record<string, readonly (number | string)[]>> = {
    read_only: [3, 8, 'EACCES', 'EPERM', 'EROFS'],
    locked: [5, 6, 517],
    corrupt: [11, 26],
    unreachable: [10, 14, 1_034, 1_290, 'EIO'],
    full: [13, 4_874, 'ENOSPC', 'EDQUOT'],
    other: [1, 19],
  }
  for (const [kind, codes] of Object.entries(kinds))
    expect(codes.map((code) => failed(code)?.kind)).toEqual(codes.map(() => kind))
  const said = [3, 6, 517, 11, 26, 14, 1_034, 1_290, 4_874, 'EIO', 19, 1].map((code) => failed(code)?.message)
  const codes = 'PERM LOCKED BUSY CORRUPT NOTADB CANTOPEN IOERR_FSYNC IOERR_FSYNC IOERR_SHMSIZE EIO 19'.split(' ')
  expect(said.map((message) => / \((?:SQLITE_|SQLite )?(.+)\)$/.exec(message ?? '')?.[1])).toEqual([
    ...codes,
    '1: near "selct"',
  ])
  expect(sqliteError(new RangeError('mine'))).toBeUndefined()
})

describe('the file', () => {
  test('is for its owner only, and so are the files beside it', async () => {
    const store = await openAt(harness.path)
    await store.audit.append(entry('read'))
    const folder = dirname(harness.path)
    const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)])
    expect(Object.fromEntries(modes)).toEqual({
      'store.sqlite': '600',
      'store.sqlite-shm': '600',
      'store.sqlite-wal': '600',
      'store.sqlite.lock': '600',
    })
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
    await store.close()
  })

  test('whose lock is damaged is taken neither for damaged nor for one that another process has', async () => {
    await (await openAt(harness.path)).close()
    const lock = `${harness.path}.lock`
    writeFileSync(lock, 'no database '.repeat(500))
    const told = {
      kind: 'other',
      message: `The lock file ${lock} is damaged. Stop CDN Ops, then delete that file; nothing is kept in it`,
    }
    await expect(openAt(harness.path)).rejects.toMatchObject(told)
    await expect(openSqliteForReading(harness.path, harness.clock)).rejects.toMatchObject(told)
    rmSync(lock)
    await (await openAt(harness.path)).close()
  })

  test('is safe against a power cut with every commit', async () => {
    const engine = await openSqlite(harness.path, harness.clock)
    const read = async (name: string) => (await sql.raw(`pragma ${name}`).execute(engine.kysely)).rows[0]
    expect(await read('journal_mode')).toEqual({ journalMode: 'wal' })
    expect(await read('synchronous')).toEqual({ synchronous: 2 })
    // Taken for named parameters, it would shift all others.
    const shifted = sql`select ${new Date(0)}, ${1}`.execute(engine.kysely)
    await expect(shifted).rejects.toThrow('SQLite cannot take a object as a value')
    await engine.close()
  })
})

describe('another process', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  /** Runs TypeScript that has `store` and `clock` in a process of its own and gives its first line of output. */
  const inAnotherProcess = async (body: string) => {
    const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href)
    const script = `
      import { openStore } from ${source('store/store.ts')}
      import { systemClock as clock } from ${source('shared/clock.ts')}
      const log = { warn() {}, info() {} }
      const store = await openStore({ url: ${JSON.stringify(harness.path)}, clock, log })
      ${body}
      setInterval(() => {}, 1_000)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const exited = once(child, 'exit')
    await Promise.race([once(child.stdout, 'data'), exited])
    return { kill: () => child.kill('SIGKILL'), exited }
  }

  test('that has the file is not disturbed; when it is killed, the file is free', async () => {
    const other = await inAnotherProcess(`console.log('open')`)
    await expect(openAt(harness.path)).rejects.toMatchObject({
      kind: 'in_use',
      message: expect.stringContaining('STORE_URL') as string,
    })
    const link = join(harness.folder, 'link.sqlite')
    symlinkSync(harness.path, link)
    await expect(openAt(link)).rejects.toMatchObject({ kind: 'in_use' })
    other.kill()
    await other.exited
    await expect((await harness.open()).check()).resolves.toBeUndefined()
  })

  test('killed in the middle of a transaction leaves neither its change nor its entry', async () => {
    const store = await harness.open()
    const change = await changeIn(store, harness.clock, 'sending', {
      lease: { holder: 'a dead process', durationMs: 0 },
    })
    await store.close()
    const other = await inAnotherProcess(`
      const audit = ${JSON.stringify(entry('unknown'))}
      await store.audit.record(async ({ rows, append }) => {
        await rows.updateTable('changes').set({ state: 'unknown' }).execute()
        await append({ ...audit, at: new Date(audit.at) })
        process.kill(process.pid, 'SIGKILL')
        await new Promise(() => {})
      })`)
    expect(await other.exited).toEqual([null, 'SIGKILL'])
    const again = await harness.open()
    expect(await again.changes.get(change.id)).toEqual(change)
    expect(await again.audit.verify()).toMatchObject({ ok: true, entries: 3 })
  })

  test('that reads or writes for a moment, such as a backup, is waited for', async () => {
    const clock = createTestClock()
    const backup = { database: undefined as DatabaseSync | undefined }
    const store = await harness.open({
      clock: {
        ...clock,
        sleep: async () => {
          backup.database?.exec('rollback')
        },
      },
    })
    backup.database = new DatabaseSync(harness.path)
    backup.database.exec('begin immediate')
    expect(await store.audit.append(entry('read'))).toMatchObject({ seq: 1 })
    backup.database.close()
  })
})
