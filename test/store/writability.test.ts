import { expect, test } from 'vitest'
import { UserError } from '../../src/shared/errors.ts'
import { Database, PASSING_MS, Writability, type WritableState } from '../../src/store/engine/database.ts'
import { StoreError, type StoreErrorKind } from '../../src/store/schema/store-error.ts'
import { TurnedClock } from '../support/turned-clock.ts'
import { createSqliteHarness, openEngine } from './sqlite-harness.ts'

function followed(): { clock: TurnedClock; told: WritableState[]; writes: Writability } {
  const clock = new TurnedClock()
  const told: WritableState[] = []
  return { clock, told, writes: new Writability(clock, (state) => told.push(state)) }
}

test.each(['full', 'read_only', 'corrupt', 'unreachable'] as const)(
  'a store that is %s is told at once and once, and its return as well',
  (why) => {
    const { told, writes } = followed()
    writes.succeeded()
    writes.failed(why)
    writes.failed('locked')
    writes.failed(why)
    expect(told).toEqual([{ writable: false, why }])
    writes.succeeded()
    writes.succeeded()
    expect(told).toEqual([{ writable: false, why }, { writable: true }])
    writes.failed(why)
    expect(told).toHaveLength(3)
  },
)

test.each(['locked', 'other'] as const)('a store that is %s for a while only is not told', (why) => {
  const { clock, told, writes } = followed()
  writes.failed(why)
  clock.turn(PASSING_MS - 1)
  writes.failed(why)
  expect(told).toEqual([])
  writes.succeeded()
  clock.turn(1)
  writes.failed(why)
  expect(told).toEqual([])
  clock.turn(PASSING_MS)
  writes.failed(why)
  expect(told).toEqual([{ writable: false, why }])
})

test('reads and work that refuses by itself say nothing about writing, nor does closing', async () => {
  const harness = createSqliteHarness()
  const { told, writes } = followed()
  const engine = await openEngine(harness)
  const database = new Database(engine, harness.clock, { writability: writes })
  const failing = (kind: StoreErrorKind) => async () => {
    throw new StoreError(kind)
  }
  await expect(database.read(failing('full'))).rejects.toThrow('space')
  const repeated = async () => {
    throw new UserError('repeated', 'Again')
  }
  await expect(database.write(repeated)).rejects.toThrow('Again')
  expect(told).toEqual([])
  await expect(database.write(failing('full'))).rejects.toThrow('space')
  expect(told).toEqual([{ writable: false, why: 'full' }])
  await database.write(async () => {})
  await database.close()
  await expect(database.write(async () => {})).rejects.toThrow('closed')
  expect(told).toEqual([{ writable: false, why: 'full' }, { writable: true }])
  await harness.close()
})
