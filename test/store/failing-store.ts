import type { WritableState } from '../../src/store/database.ts'
import { openSqlite } from '../../src/store/sqlite-engine.ts'
import type { StoreError } from '../../src/store/store-error.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import type { FailingSqlite } from '../support/failing-sqlite.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { silentLog } from './harness.ts'
import { createSqliteHarness, type SqliteHarness } from './sqlite-harness.ts'

/** A new store whose disk can be made to fail, and what it has told of that. */
export interface FailingStore {
  readonly store: Store
  readonly harness: SqliteHarness
  readonly clock: TurnedClock
  readonly told: WritableState[]
  /** What the disk did not keep, as the process hears of it. */
  readonly lost: StoreError[]
}

export async function openOn(disk: FailingSqlite): Promise<FailingStore> {
  disk.install()
  const harness = createSqliteHarness()
  const clock = new TurnedClock()
  const told: WritableState[] = []
  const lost: StoreError[] = []
  const engine = await openSqlite(harness.path, clock)
  const store = createStore(engine, {
    clock,
    log: silentLog,
    onWritable: (state) => told.push(state),
    onSyncFailed: (failure) => lost.push(failure),
  })
  return { store, harness, clock, told, lost }
}

export async function closeOn(
  disk: FailingSqlite,
  { store, harness }: Pick<FailingStore, 'store' | 'harness'>,
): Promise<void> {
  disk.mend()
  disk.remove()
  await store.close()
  await harness.close()
}
