import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/store/database.ts'
import { Prepared } from '../../src/store/prepared.ts'
import { openSqlite } from '../../src/store/sqlite-engine.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { silentLog } from './harness.ts'

let folder: string
let engine: Engine
let built: number
beforeEach(async () => {
  built = 0
  folder = await mkdtemp(join(tmpdir(), 'cdn-ops-prepared-'))
  engine = await openSqlite(join(folder, 'store.sqlite'), new TurnedClock(), silentLog)
})
afterEach(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const named = () =>
  new Prepared((db, { kind, name }: { readonly kind: string; readonly name: string }) => {
    built += 1
    return db
      .insertInto('zoneNames')
      .values({ kind, name, foldedName: name, zoneId: '1', addedBy: 'UADA', addedAt: 5 })
      .returning(['foldedName', 'addedAt', 'kind'])
  })

describe('a statement that is prepared', () => {
  it('is made once, and takes other values each time', async () => {
    const name = named()
    const added = await name.rows(engine.kysely, { kind: 'dns', name: 'shop' })
    expect(added).toEqual([{ foldedName: 'shop', addedAt: 5, kind: 'dns' }])
    await name.rows(engine.kysely, { name: 'media', kind: 'pull' })
    const all = await engine.kysely.selectFrom('zoneNames').select(['kind', 'name']).orderBy('kind').execute()
    expect(all).toEqual([
      { kind: 'dns', name: 'shop' },
      { kind: 'pull', name: 'media' },
    ])
    expect(built).toBe(1)
  })

  it('belongs to the transaction that it runs in', async () => {
    const name = named()
    const failing = engine.kysely.transaction().execute(async (within) => {
      await name.rows(within, { kind: 'dns', name: 'shop' })
      throw new Error('not so')
    })
    await expect(failing).rejects.toThrow('not so')
    expect(await engine.kysely.selectFrom('zoneNames').selectAll().execute()).toEqual([])
  })
})
