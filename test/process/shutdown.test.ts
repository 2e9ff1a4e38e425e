import { expect, it } from 'vitest'
import { InFlight } from '../../src/execution/requests/in-flight.ts'
import { drainAndClose } from '../../src/process/shutdown.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { turnOfTheLoop } from '../../src/shared/clock.ts'
import { recordingLog } from '../support/recording-log.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const NEVER = new Promise<never>(() => undefined)

function scene() {
  const clock = new TurnedClock()
  const { log, lines } = recordingLog()
  const inFlight = new InFlight(clock)
  const ended: string[] = []
  const announceAll = async (): Promise<void> => void ended.push('messages')
  const unlink = async (): Promise<void> => void ended.push('links')
  const cdn = { close: async () => void ended.push('platform') }
  const parts = { inFlight, announceAll, unlink, leavesFirst: false, background: Promise.resolve(), cdn, clock, log }
  return { clock, inFlight, parts, ended, lines, said: () => lines.map(({ sentence }) => sentence) }
}

it('waits for what is under way, tells what was not told, then closes the links and the platform', async () => {
  const { clock, inFlight, parts, ended, said } = scene()
  const work = Promise.withResolvers<void>()
  void inFlight.track(() => work.promise)
  const stopped = drainAndClose(parts)
  await expect.poll(() => clock.timers).toBe(1)
  expect(ended).toEqual([])
  work.resolve()
  await stopped
  expect(ended).toEqual(['messages', 'links', 'platform'])
  expect([said(), clock.timers]).toEqual([[], 0])
})

it('says why what was not told is left to the next start', async () => {
  const { parts, lines } = scene()
  const err = new StoreError('locked')
  await drainAndClose({ ...parts, announceAll: () => Promise.reject(err) })
  expect(lines).toMatchObject([{ sentence: 'messages wait for the next start', fields: { err } }])
})

it('waits, too, for what began while the links ended', async () => {
  const { clock, inFlight, parts, ended } = scene()
  const late = Promise.withResolvers<void>()
  const unlink = async (): Promise<void> => void inFlight.track(() => late.promise)
  const stopped = drainAndClose({ ...parts, unlink })
  await expect.poll(() => clock.timers).toBe(1)
  expect(ended).toEqual(['messages'])
  late.resolve()
  await stopped
  expect(ended).toEqual(['messages', 'platform'])
})

it('leaves Slack before it waits, where others serve it, and refuses nothing that has come', async () => {
  const { clock, inFlight, parts, ended, said } = scene()
  const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  void inFlight.track(async () => {
    await steps[0]?.promise
    await inFlight.run('UOLGA', async () => steps[1]?.promise)
  })
  const stopped = drainAndClose({ ...parts, leavesFirst: true })
  await expect.poll(() => clock.timers).toBe(1)
  expect(ended).toEqual(['links'])
  steps[0]?.resolve()
  await turnOfTheLoop()
  expect(ended).toEqual(['links'])
  steps[1]?.resolve()
  await stopped
  expect(ended).toEqual(['links', 'messages', 'platform'])
  expect([said(), clock.timers]).toEqual([[], 0])
})

it('is over in less than a minute, whatever does not end', async () => {
  const { clock, inFlight, parts, said } = scene()
  void inFlight.track(() => NEVER)
  let over = false
  const never = { announceAll: () => NEVER, background: NEVER, cdn: { close: () => NEVER } }
  const stopped = drainAndClose({ ...parts, ...never }).finally(() => (over = true))
  for (const waitsMs of [35_000, 5_000, 10_000, 5_000, 2_000]) {
    await expect.poll(() => clock.timers).toBe(1)
    expect(over).toBe(false)
    clock.turn(waitsMs)
  }
  await stopped
  const working = 'stopped with requests still in flight'
  expect(said()).toEqual([working, 'stopped in the middle of maintenance', working])
})
