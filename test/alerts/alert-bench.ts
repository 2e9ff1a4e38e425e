import { expect, onTestFinished } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../store/harness.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { rule } from './evaluated-zone.ts'

/** A store of its own with a clock that stands still. */
export interface AlertBench extends AsyncDisposable {
  readonly clock: TurnedClock
  readonly store: Store
  /** Adds rules of a kind, made now. */
  watch(subject: string, ...kinds: readonly string[]): Promise<void>
  /** What the watch of a subject has kept. */
  kept(subject: string): Promise<unknown>
}

export async function alertBench(now = '2026-01-20T12:00:00Z', folder?: string): Promise<AlertBench> {
  const clock = new TurnedClock(now)
  const harness = createSqliteHarness(folder)
  const store = await harness.open({ clock })
  return {
    clock,
    store,
    async watch(subject, ...kinds) {
      const by = { channelId: 'C0TEAM', createdBy: 'U0ANNA', createdAt: clock.now() }
      const rules = kinds.map((kind) => rule(kind, { id: clock.newId(), subject, ...by }))
      expect(await store.alertRules.add(rules, () => entry('alert_added'))).toHaveLength(rules.length)
    },
    kept: async (subject) => (await store.alerts.view(subject, clock.now())).watch?.state,
    [Symbol.asyncDispose]: () => harness.close(),
  }
}

/** The same, closed when the test has ended that asks for it. */
export async function benchOfTest(now?: string): Promise<AlertBench> {
  const bench = await alertBench(now)
  onTestFinished(() => bench[Symbol.asyncDispose]())
  return bench
}
