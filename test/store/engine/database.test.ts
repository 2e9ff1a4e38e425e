import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../../../src/shared/clock.ts'
import { createAuditChain } from '../../../src/store/schema/audit-chain.ts'
import { AuditLog } from '../../../src/store/audit/audit-log.ts'
import { Database, type Engine } from '../../../src/store/engine/database.ts'
import { StoreError, type StoreErrorKind } from '../../../src/store/schema/store-error.ts'
import type { Tables } from '../../../src/store/schema/tables.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { entry } from '../harness.ts'

/** An engine that is never asked: what is tested is the patience around it. */
function engine(name: Engine['name']): Engine {
  return {
    name,
    kysely: {} as Kysely<Tables>,
    classify: (error) => (error instanceof RangeError ? undefined : new StoreError('other')),
    nowMs: async () => 0,
    cutLog: async () => true,
    close: async () => {},
  }
}

/** A clock on which sleeping takes no time but is counted. */
function sleepingClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = []
  return {
    ...systemClock,
    slept,
    monotonicMs: () => slept.reduce((sum, milliseconds) => sum + milliseconds, 0),
    sleep: async (milliseconds) => void slept.push(milliseconds),
  }
}

/** Fails as often as there are kinds, then succeeds. */
function failing(...kinds: readonly StoreErrorKind[]): { readonly work: () => Promise<string>; attempts: number } {
  const calls = {
    attempts: 0,
    work: async () => {
      const kind = kinds[calls.attempts++]
      if (kind !== undefined) throw new StoreError(kind)
      return 'done'
    },
  }
  return calls
}

test('a locked store is tried again, with growing pauses', async () => {
  const clock = sleepingClock()
  const calls = failing('locked', 'locked', 'locked')
  expect(await new Database(engine('sqlite'), clock).read(calls.work)).toBe('done')
  expect(clock.slept).toEqual([10, 20, 40])
})

test('a store that stays locked is given up within two seconds', async () => {
  const clock = sleepingClock()
  const always = async () => {
    throw new StoreError('locked')
  }
  await expect(new Database(engine('postgres'), clock).read(always)).rejects.toMatchObject({ kind: 'locked' })
  expect(clock.monotonicMs()).toBeGreaterThan(1_500)
  expect(clock.monotonicMs()).toBeLessThan(2_000)
})

test.each(['full', 'read_only', 'other'] as const)(
  'a store that is %s is not tried again, and may be asked next time',
  async (kind) => {
    const database = new Database(engine('sqlite'), sleepingClock())
    const calls = failing(kind)
    await expect(database.read(calls.work)).rejects.toMatchObject({ kind })
    expect(await database.read(calls.work)).toBe('done')
    expect(calls.attempts).toBe(2)
  },
)

test.each([
  ['damaged', new StoreError('corrupt')],
  ['not kept by its disk', new StoreError('unreachable', 'SQLITE_IOERR_FSYNC')],
])('a file that is %s is not asked again, a server is', async (_what, failure) => {
  const failing = () => Promise.reject(failure)
  const file = new Database(engine('sqlite'), sleepingClock())
  await expect(file.read(failing)).rejects.toBe(failure)
  await expect(file.read(async () => 'done')).rejects.toBe(failure)
  const server = new Database(engine('postgres'), sleepingClock())
  await expect(server.read(failing)).rejects.toBe(failure)
  expect(await server.read(async () => 'done')).toBe('done')
})

test('an error that is not of the engine passes as it is', async () => {
  const mine = new RangeError('mine')
  const work = async () => {
    throw mine
  }
  await expect(new Database(engine('sqlite'), sleepingClock()).read(work)).rejects.toBe(mine)
})

test('what was lost while it was committed may have been; what was lost before was not', async () => {
  for (const [lost, kind] of [
    ['before', 'unreachable'],
    ['after', 'unanswered'],
  ] as const) {
    const execute = async (work: (within: unknown) => Promise<unknown>) => {
      if (lost === 'after') await work(undefined)
      throw new StoreError('unreachable', '57P01')
    }
    const kysely = { transaction: () => ({ execute }) } as unknown as Kysely<Tables>
    const database = new Database({ ...engine('postgres'), kysely }, sleepingClock())
    await expect(database.write(async () => 'done')).rejects.toMatchObject({ kind, code: '57P01' })
  }
})

test('entries that wait behind one that a server did not take are given up with it', async () => {
  let attempts = 0
  const execute = async () => {
    attempts += 1
    throw new StoreError('unreachable')
  }
  const kysely = { transaction: () => ({ execute }) } as unknown as Kysely<Tables>
  const audit = new AuditLog(
    new Database({ ...engine('postgres'), kysely }, sleepingClock()),
    createAuditChain(undefined),
  )
  const ends = await Promise.allSettled(Array.from({ length: 500 }, () => audit.append(entry('read'))))
  expect(new Set(ends.map((end) => (end.status === 'rejected' ? (end.reason as StoreError).kind : 'written')))).toEqual(
    new Set(['unreachable']),
  )
  expect(attempts).toBe(1)
})

test('entries are queued up to a number, beyond which they are refused at once', async () => {
  const kysely = { transaction: () => ({ execute: () => new Promise(() => undefined) }) } as unknown as Kysely<Tables>
  const database = new Database({ ...engine('postgres'), kysely }, sleepingClock())
  const audit = new AuditLog(database, createAuditChain(undefined))
  // The first one is with the server already.
  for (let n = 0; n <= 5_000; n += 1) void audit.append(entry('read'))
  await expect(audit.append(entry('read'))).rejects.toMatchObject({ kind: 'busy' })
})

test('those who wait for a place have it in their order, so many for so long; the others are told to come again', async () => {
  const clock = new TurnedClock()
  const database = new Database({ ...engine('postgres'), places: { reads: 1, writes: 1 } }, clock)
  const [hangs, done] = [Promise.withResolvers<string>(), [] as number[]]
  const first = database.read(() => hangs.promise)
  const read = (n: number) => database.read(async () => done.push(n)).catch((error: StoreError) => error.kind)
  const waiting = Array.from({ length: 2_000 }, (_, n) => read(n))
  expect(await read(-1)).toBe('busy')
  clock.turn(1_999)
  hangs.resolve('done')
  expect(await first).toBe('done')
  await Promise.all(waiting)
  expect(done).toEqual(Array.from({ length: 2_000 }, (_, n) => n))
  const stuck = database.read(() => new Promise(() => undefined))
  const late = read(0)
  await Promise.race([stuck, Promise.resolve()])
  clock.turn(2_000)
  expect(await late).toBe('busy')
})
