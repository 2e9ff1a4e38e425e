import { expect, it } from 'vitest'
import { InFlight } from '../../src/execution/in-flight.ts'
import { comeToRest } from '../../src/process/stop.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const NEVER = new Promise<never>(() => undefined)

function scene() {
  const clock = new TurnedClock()
  const { log, lines } = recordingLog()
  const inFlight = new InFlight(clock)
  const ended: string[] = []
  const unlink = async (): Promise<void> => void ended.push('links')
  const cdn = { close: async () => void ended.push('platform') }
  const parts = { inFlight, unlink, living: Promise.resolve(), cdn, clock, log }
  return { clock, inFlight, parts, ended, said: () => lines.map(({ sentence }) => sentence) }
}

it('waits for what is under way, then for the links, the round and the platform', async () => {
  const { clock, inFlight, parts, ended, said } = scene()
  const work = Promise.withResolvers<void>()
  void inFlight.owed(() => work.promise)
  const stopped = comeToRest(parts)
  await expect.poll(() => clock.timers).toBe(1)
  expect(ended).toEqual([])
  work.resolve()
  await stopped
  expect(ended).toEqual(['links', 'platform'])
  expect([said(), clock.timers]).toEqual([[], 0])
})

it('waits, too, for what began while the links ended', async () => {
  const { clock, inFlight, parts, ended } = scene()
  const late = Promise.withResolvers<void>()
  const unlink = async (): Promise<void> => void inFlight.owed(() => late.promise)
  const stopped = comeToRest({ ...parts, unlink })
  await expect.poll(() => clock.timers).toBe(1)
  expect(ended).toEqual([])
  late.resolve()
  await stopped
  expect(ended).toEqual(['platform'])
})

it('is over in less than a minute, whatever does not end', async () => {
  const { clock, inFlight, parts, said } = scene()
  void inFlight.owed(() => NEVER)
  let over = false
  const stopped = comeToRest({ ...parts, living: NEVER, cdn: { close: () => NEVER } }).finally(() => (over = true))
  for (const waitsMs of [35_000, 10_000, 5_000, 2_000]) {
    await expect.poll(() => clock.timers).toBe(1)
    expect(over).toBe(false)
    clock.turn(waitsMs)
  }
  await stopped
  const working = 'stopped with work still under way'
  expect(said()).toEqual([working, 'stopped in the middle of maintenance', working])
})
