import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { LogPriority } from '../../../src/cdn/contract/cdn.ts'
import { LogLimit } from '../../../src/cdn/http/log-limit.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { BACKGROUND, PERSON, setUp, settled } from '../queued-calls.ts'

const SECOND_MS = 1_000
/** The platform's window, and a margin for its clock. */
const WINDOW_MS = 10 * SECOND_MS + 50
const SLOTS = 30
const BACKGROUND_SLOTS = 6
/** Background work waits for its share, and then for a slot. */
const MAX_WAIT_MS = { person: 20 * SECOND_MS, background: 2 * 60 * SECOND_MS } as const
const STEP_MS = 1_000

/** What one call does: it is answered some time after it got its slot, and goes on for a while or fails. */
interface Planned {
  readonly priority: LogPriority
  readonly answeredAfterMs: number
  readonly goesOnMs: number
  readonly fails: boolean
  readonly givenUpAfterMs: number | undefined
}

interface Sent extends Pick<Planned, 'priority'> {
  readonly sentMs: number
  readonly answeredMs: number
}

/** So many requests the platform may count in the window that ends with this one, however long each was on its way. */
function mostWith(sent: readonly Sent[], { sentMs }: Sent): number {
  return sent.filter((other) => other.sentMs <= sentMs && other.answeredMs > sentMs - WINDOW_MS).length
}

/** Plays calls that come in bursts, second by second, until the last has ended. */
async function play(bursts: readonly (readonly Planned[])[]) {
  const clock = new TurnedClock()
  const limit = new LogLimit({ clock, warm: true })
  const sent: Sent[] = []
  const waits: { readonly priority: LogPriority; readonly ms: number; readonly end: string }[] = []
  const ended: Planned[] = []
  const call = async (plan: Planned): Promise<void> => {
    const { priority, answeredAfterMs, goesOnMs, fails, givenUpAfterMs } = plan
    const queuedMs = clock.monotonicMs()
    const abort = new AbortController()
    const givingUp =
      givenUpAfterMs === undefined ? undefined : clock.after(givenUpAfterMs, () => abort.abort(new Error('given up')))
    const wait = (end: string): void => void waits.push({ priority, ms: clock.monotonicMs() - queuedMs, end })
    try {
      await limit.run(1n, { priority, signal: abort.signal }, async (answered) => {
        givingUp?.cancel()
        wait('sent')
        const sentMs = clock.monotonicMs()
        sent.push({ priority, sentMs, answeredMs: sentMs + answeredAfterMs })
        await clock.sleep(answeredAfterMs)
        if (fails) throw new Error('failed')
        answered()
        await clock.sleep(goesOnMs)
        answered()
      })
    } catch (error) {
      if (error instanceof UserError) wait(error.code)
      else if (String(error).includes('given up')) wait('given up')
    } finally {
      givingUp?.cancel()
      ended.push(plan)
    }
  }
  const calls: Promise<void>[] = []
  for (let step = 0; step < bursts.length || ended.length < calls.length; step += 1) {
    calls.push(...(bursts[step] ?? []).map(call))
    await settled()
    clock.turn(STEP_MS)
  }
  await Promise.all(calls)
  // Whatever happened, all slots are there again, and no more.
  clock.turn(WINDOW_MS)
  await settled()
  const after: string[] = []
  const ask = (priority: LogPriority): void => {
    for (let index = 0; index <= SLOTS; index += 1) {
      void limit.run(1n, { priority }, async () => void after.push(priority)).catch(() => undefined)
    }
  }
  ask('background')
  await vi.waitFor(() => expect(after).toHaveLength(BACKGROUND_SLOTS))
  await settled()
  ask('person')
  await vi.waitFor(() => expect(after).toHaveLength(SLOTS))
  await settled()
  return { sent, waits, after }
}

const planned: fc.Arbitrary<Planned> = fc.record({
  priority: fc.constantFrom('person', 'person', 'background'),
  answeredAfterMs: fc.constantFrom(0, 100, 2_000, 8_000),
  goesOnMs: fc.constantFrom(0, 0, 5_000),
  fails: fc.constantFrom(false, false, false, true),
  givenUpAfterMs: fc.constantFrom(undefined, undefined, 1_500, 15_000),
})
const burst = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(planned, { maxLength: 40 }) },
)

it('sends no more than 30 requests in any window of the platform, 6 of them alerts’, and loses no slot', async () => {
  const bursts = fc.array(burst, { minLength: 10, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(bursts, async (plan) => {
      const { sent, waits, after } = await play(plan)
      const background = sent.filter(({ priority }) => priority === 'background')
      expect(Math.max(0, ...sent.map((each) => mostWith(sent, each)))).toBeLessThanOrEqual(SLOTS)
      expect(Math.max(0, ...background.map((each) => mostWith(background, each)))).toBeLessThanOrEqual(BACKGROUND_SLOTS)
      expect(waits).toHaveLength(plan.flat().length)
      for (const { priority, ms } of waits) expect(ms).toBeLessThanOrEqual(MAX_WAIT_MS[priority])
      expect(after.filter((priority) => priority === 'background')).toHaveLength(BACKGROUND_SLOTS)
      expect(after).toHaveLength(SLOTS)
    }),
    { numRuns: 5, endOnFailure: true },
  )
}, 60_000)

it('gives a background call that people overtake twice its slot when they are served, before those that came later', async () => {
  const { clock, ran, queue, queueMany } = setUp()
  queueMany(SLOTS, 'person')
  await vi.waitFor(() => expect(ran).toHaveLength(SLOTS))
  void queue('first', BACKGROUND)
  await settled()
  for (let served = 2; served <= 3; served += 1) {
    queueMany(SLOTS, 'person')
    await settled(3 * SLOTS)
    clock.turn(WINDOW_MS)
    await vi.waitFor(() => expect(ran).toHaveLength(served * SLOTS))
    void queue('later', BACKGROUND)
  }
  expect(new Set(ran)).toEqual(new Set(['person']))
  clock.turn(WINDOW_MS)
  await vi.waitFor(() => expect(ran.slice(3 * SLOTS)).toEqual(['first', 'later', 'later']))
})

it('refuses a background call for which no slot comes back within a minute, and keeps nothing of its share', async () => {
  const { clock, limit, ran, queue, queueMany } = setUp()
  const { promise: answer, resolve: arrives } = Promise.withResolvers<void>()
  const running = vi.fn<() => Promise<void>>(() => answer)
  for (let index = 0; index < SLOTS; index += 1) void limit.run(1n, PERSON, running)
  await vi.waitFor(() => expect(running).toHaveBeenCalledTimes(SLOTS))
  const calls = Array.from({ length: 10 }, () => queue('background', BACKGROUND))
  await settled(3 * SLOTS)
  clock.turn(60 * SECOND_MS - 1)
  await settled()
  const states = vi.fn<(state: string) => void>()
  for (const call of calls) call.catch(() => states('refused'))
  await settled()
  expect(states).not.toHaveBeenCalled()
  clock.turn(1)
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'busy' })
  arrives()
  await settled()
  clock.turn(WINDOW_MS)
  queueMany(SLOTS, 'after', BACKGROUND)
  await vi.waitFor(() => expect(ran).toHaveLength(BACKGROUND_SLOTS))
  await settled(3 * SLOTS)
  expect(ran).toEqual(Array.from({ length: BACKGROUND_SLOTS }, () => 'after'))
})

it('forgets no zone of which slots are out, however many others there are', async () => {
  const { clock, ran, queue, queueMany } = setUp()
  const others = async (from: bigint): Promise<void> => {
    const calls = Array.from({ length: 999 }, (_, index) => queue('elsewhere', PERSON, from + BigInt(index)))
    await Promise.all(calls)
  }
  await others(2n)
  clock.turn(WINDOW_MS / 2)
  queueMany(SLOTS, 'call')
  await vi.waitFor(() => expect(ran.filter((name) => name === 'call')).toHaveLength(SLOTS))
  await expect(queue('one zone too many', PERSON, 1_001n)).rejects.toMatchObject({ code: 'busy' })
  // The others have their slots back, so that they are forgotten for those that come now.
  clock.turn(WINDOW_MS / 2)
  await settled()
  await others(2_000n)
  queueMany(1, 'one more')
  await settled()
  expect(ran).not.toContain('one more')
  clock.turn(WINDOW_MS / 2)
  await vi.waitFor(() => expect(ran).toContain('one more'))
})
