import { afterEach, beforeEach, expect, it } from 'vitest'
import { ManagedRules } from '../src/managed-rules.ts'
import type { AlertRule } from '../src/store/alert-records.ts'
import { StoreError } from '../src/store/store-error.ts'
import { type Bench, createBench } from './support/execution-bench.ts'

let bench: Bench
let alertRules: readonly AlertRule[] = []
let changed = 0
beforeEach(async () => {
  bench = await createBench()
  alertRules = []
  changed = 0
})
afterEach(() => bench.close())

const rule = (kind: string, subject = 'pull/301'): AlertRule => ({
  id: `${kind}-${subject}`,
  kind,
  subject,
  channelId: 'C0OPS',
  parameters: {},
  createdBy: 'configuration',
  createdAt: new Date(0),
})

function managed(store: ConstructorParameters<typeof ManagedRules>[0]['store'] = bench.store) {
  const configuration = {
    get alertRules() {
      return alertRules
    },
  }
  return new ManagedRules({ configuration, store, clock: bench.clock, team: () => 'T1', changed: () => (changed += 1) })
}

const kinds = async () => (await bench.store.alertRules.list()).map(({ kind }) => kind).toSorted()
const entries = async () =>
  (await bench.store.audit.list({ limit: 10 })).map(({ summary, detail }) => [summary, detail])

it('brings the store to what the file says, says so, and lets it be looked at', async () => {
  alertRules = [rule('stale-share'), rule('log-silence')]
  await managed().keep()
  expect(await kinds()).toEqual(['log-silence', 'stale-share'])
  expect(changed).toBe(1)
  expect(await entries()).toEqual([
    [
      'Alert rules of the configuration file: 2 changed',
      'added: stale-share of pull/301 in C0OPS; added: log-silence of pull/301 in C0OPS',
    ],
  ])
})

it('writes nothing while the file says the same', async () => {
  alertRules = [rule('stale-share')]
  const rules = managed()
  await rules.keep()
  await rules.keep()
  expect(changed).toBe(1)
  await managed().keep()
  expect(await entries()).toHaveLength(1)
})

it('takes away what the file says no more', async () => {
  alertRules = [rule('stale-share'), rule('log-silence')]
  const rules = managed()
  await rules.keep()
  alertRules = [rule('log-silence')]
  await rules.keep()
  expect(await kinds()).toEqual(['log-silence'])
})

it('tries again when the store did not take it', async () => {
  alertRules = [rule('stale-share')]
  let fails = true
  const { alertRules: kept } = bench.store
  const rules = managed({
    alertRules: {
      manage: async (...given: Parameters<typeof kept.manage>) => {
        if (fails) throw new StoreError('locked', undefined)
        await kept.manage(...given)
      },
    } as typeof kept, // all that is asked of it
  })
  await expect(rules.keep()).rejects.toThrow(StoreError)
  fails = false
  await rules.keep()
  expect(await kinds()).toEqual(['stale-share'])
})

it.each([
  [20, /pull\/20 in C0OPS$/],
  [22, /pull\/20 in C0OPS; and 2 more$/],
])('names twenty changes and counts the others: of %i', async (count, end) => {
  alertRules = Array.from({ length: count }, (_, zone) => rule('stale-share', `pull/${zone + 1}`))
  await managed().keep()
  const [[summary, detail] = []] = await entries()
  expect(summary).toBe(`Alert rules of the configuration file: ${count} changed`)
  expect(detail).toMatch(end)
})
