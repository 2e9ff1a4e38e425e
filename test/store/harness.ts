import { type Clock, systemClock } from '../../src/shared/clock.ts'
import type { Log } from '../../src/shared/log.ts'
import type { AuditEntry, AuditEvent } from '../../src/store/schema/audit-entry.ts'
import type { ChangeMove, Lease } from '../../src/store/changes/change-steps.ts'
import type { Change, NewChange } from '../../src/store/schema/change.ts'
import type { Store, StoreOptions } from '../../src/store/store.ts'

/** How a store is opened, where that is not as usual. */
export type Opening = Partial<Pick<StoreOptions, 'auditKey' | 'clock' | 'log' | 'onWritable' | 'asItIs'>>

/** An empty database of one engine, for one test. */
export interface StoreHarness {
  readonly clock: TestClock
  /** Opens the store on it; opened again, it is the same database. Closed with the harness. */
  open(options?: Opening): Promise<Store>
  /** Runs one statement past the store, as somebody with access to the database would. */
  sql(statement: string): Promise<readonly Record<string, unknown>[]>
  /** `table.column` of everything in it. */
  columns(): Promise<readonly string[]>
  /** Leaves the database as it is before the first start. Called before it is opened. */
  dropTables(): Promise<void>
  close(): Promise<void>
}

/** The system's clock, turned forward by hand. Starts at the true time, which PostgreSQL goes by. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void
}

export function createTestClock(): TestClock {
  let offsetMs = 0
  return {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    advance: (milliseconds) => {
      offsetMs += milliseconds
    },
  }
}

export const silentLog: Log = {
  fatal: () => {},
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  trace: () => {},
  child: () => silentLog,
}

export const MINUTE_MS = 60_000
export const LIVE_LEASE: Lease = { holder: 'this process', durationMs: MINUTE_MS }
export const DEAD_LEASE: Lease = { holder: 'a dead process', durationMs: 0 }

export function entry(event: AuditEvent, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    at: new Date('2026-11-20T10:00:00.123Z'),
    actor: 'U1',
    team: 'T1',
    operation: 'dns add',
    event,
    summary: `It is ${event}`,
    ...more,
  }
}

export function newChange(clock: Clock, more: Partial<NewChange> = {}): NewChange {
  return {
    operation: 'dns add',
    values: { zone: '9007199254740993', value: 'a.example.net' },
    requestedBy: 'U1',
    team: 'T1',
    expiresAt: new Date(clock.now().getTime() + 10 * MINUTE_MS),
    ...more,
  }
}

/** Begins a change and takes it to `state` on the usual way. */
export async function changeIn(
  store: Store,
  clock: Clock,
  state: 'draft' | 'waiting' | 'approved' | 'sending' | 'done' | 'unknown',
  more: Partial<NewChange> & { readonly lease?: Lease } = {},
): Promise<Change> {
  const { lease = LIVE_LEASE, ...fields } = more
  const creation = await store.changes.create(newChange(clock, fields))
  if (creation.kind !== 'created') throw new Error('The person has too many changes open')
  const common = { now: clock.now(), audit: entry('requested') }
  const steps: readonly ChangeMove[] = [
    { ...common, from: ['draft'], to: 'waiting' },
    { ...common, from: ['waiting'], to: 'approved' },
    { ...common, from: ['approved'], to: 'sending', lease },
    { ...common, from: ['sending'], to: state === 'unknown' ? 'unknown' : 'done' },
  ]
  const count = { draft: 0, waiting: 1, approved: 2, sending: 3, done: 4, unknown: 4 }[state]
  let { change } = creation
  for (const step of steps.slice(0, count)) {
    const moved = await store.changes.move(change.id, step)
    if (moved === undefined) throw new Error(`The change did not go to ${step.to}`)
    change = moved
  }
  return change
}
