import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../../src/shared/errors.ts'
import type { ChangeState } from '../../../src/store/schema/change.ts'
import { IN_CI } from '../../support/in-ci.ts'
import { assertSound } from './command.ts'
import { changeRow, stepsOf } from './looking.ts'
import { approved, reviewed, submitted } from './people-commands.ts'
import { POLICIES } from './policies.ts'
import { World } from './world.ts'

const RUNS = 100
/** Where there is but one way to end. */
const RUNS_OF_ONE_END = IN_CI ? 30 : RUNS
/** About as often as an approval passes between the process and the world. */
const MOMENTS = 20
const MINUTE_MS = 60_000

/** Two to four who act on one change at the same time, and how it may end: in one of these ways. */
interface Meeting {
  readonly name: string
  /** Where the change is when they meet. */
  readonly at: 'review' | 'waiting' | 'unknown'
  /** By its number; the usual one when absent. */
  readonly policy?: number
  /** Whether it takes an approval. */
  readonly billed?: boolean
  readonly actors: readonly ((world: World, id: string) => Promise<unknown>)[]
  readonly ends: readonly ChangeState[]
}

const cancel = async ({ process }: World, id: string): Promise<unknown> =>
  process.approvals.cancel(id, await process.people.actor('UOLGA'))
const decline = async ({ process }: World, id: string): Promise<unknown> =>
  process.approvals.decline(id, await process.people.actor('UADA'), 'Not today')
const approveBy = (who: string) => (world: World, id: string) => approved(world, id, who)
const settleBy =
  (who: string, happened: boolean) =>
  async ({ process }: World, id: string): Promise<unknown> =>
    process.approvals.settle(id, await process.people.actor(who), happened)
const submit = (world: World, id: string): Promise<unknown> => submitted(world, id)
const takeBack = ({ process }: World, id: string): Promise<unknown> => process.changes.takeBack(id, 'UOLGA', 'Too slow')
const close = ({ process }: World, id: string): Promise<unknown> => process.changes.close(id, 'UOLGA')
const keep = ({ process }: World): Promise<unknown> => process.reconciler.reconcile()
/** The same, but not at once: those who do much are to come first now and then. */
const later = (act: (world: World, id: string) => Promise<unknown>) => async (world: World, id: string) => {
  for (let moment = 0; moment < MOMENTS; moment += 1) await world.pace('a moment')
  return act(world, id)
}
const passesTime = (ms: number) => async (world: World) => {
  world.clock.turn(ms)
}
const lateAnswer = async (world: World): Promise<unknown> => {
  await world.pace('late answer')
  return world.platform.answerLate('ok')
}

const MEETINGS: readonly Meeting[] = [
  { name: 'two approve', at: 'waiting', actors: [approveBy('UOTTO'), approveBy('UADA')], ends: ['done'] },
  {
    name: 'two approve, and both are needed',
    at: 'waiting',
    policy: 1,
    actors: [approveBy('UOTTO'), approveBy('UADA')],
    ends: ['done'],
  },
  { name: 'one approves in two tabs', at: 'waiting', actors: [approveBy('UOTTO'), approveBy('UOTTO')], ends: ['done'] },
  {
    name: 'one approves in two tabs where two are needed',
    at: 'waiting',
    policy: 1,
    actors: [approveBy('UOTTO'), approveBy('UOTTO')],
    ends: ['waiting'],
  },
  {
    name: 'one approves, one cancels',
    at: 'waiting',
    actors: [approveBy('UOTTO'), later(cancel)],
    ends: ['done', 'cancelled'],
  },
  {
    name: 'one approves, one declines, one cancels',
    at: 'waiting',
    actors: [approveBy('UOTTO'), later(decline), later(cancel)],
    ends: ['done', 'denied', 'cancelled'],
  },
  {
    name: 'one approves, and the time ends',
    at: 'waiting',
    actors: [approveBy('UOTTO'), later(passesTime(8 * 60 * MINUTE_MS)), keep],
    // Time that passes between the record and the call ends the lease.
    ends: ['done', 'expired', 'cancelled', 'not_sent'],
  },
  {
    name: 'one approves while two rounds look at it',
    at: 'waiting',
    actors: [approveBy('UOTTO'), keep, keep],
    ends: ['done'],
  },
  { name: 'one submits in two tabs', at: 'review', actors: [submit, submit], ends: ['waiting'] },
  { name: 'one confirms in two tabs', at: 'review', billed: false, actors: [submit, submit, keep], ends: ['done'] },
  {
    name: 'one submits, takes it back and closes',
    at: 'review',
    actors: [submit, takeBack, later(close)],
    ends: ['waiting', 'cancelled'],
  },
  {
    name: 'two settle in two ways while the answer comes',
    at: 'unknown',
    billed: false,
    actors: [settleBy('UOTTO', true), settleBy('UADA', false), lateAnswer],
    ends: ['done', 'not_done'],
  },
]

describe('a change that several act on at once', () => {
  it.each(MEETINGS)('ends once, whatever comes first: $name', async (meeting) => {
    const ended = new Set<ChangeState>()
    const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const world = await World.create()
      world.policy = POLICIES[meeting.policy ?? 0]!
      const id = await brought(world, meeting)
      world.paced = true
      world.pace = (passing) => passing.startsWith('after') || scheduler.schedule(Promise.resolve(), passing)
      const acting = Promise.allSettled(meeting.actors.map((act) => act(world, id)))
      const answers = await scheduler.waitFor(acting)
      await scheduler.waitIdle()
      world.pace = () => undefined
      for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(UserError)
      await world.calmDown()
      world.witness.look()
      world.witness.atRest()
      assertSound(world)
      const state = changeRow(world, id)!.state
      ended.add(state)
      if (state !== 'waiting') expect(stepsOf(world, id).filter((event) => event === state)).toHaveLength(1)
      await world.memory.close()
    })
    await fc.assert(property, { numRuns: meeting.ends.length > 1 ? RUNS : RUNS_OF_ONE_END })
    expect(meeting.ends).toEqual(expect.arrayContaining([...ended]))
    // Else they did not really meet.
    expect(ended.size > 1).toBe(meeting.ends.length > 1)
  })
})

/** A change of an operator, taken to where they meet. */
async function brought(world: World, { at, billed = true }: Meeting): Promise<string> {
  const id = (await reviewed(world, 'UOLGA', billed, '192.0.2.10'))!
  if (at === 'unknown') world.platform.answer = 'hangs'
  if (at !== 'review') await world.does(() => submitted(world, id))
  if (at === 'unknown') await world.takeOver()
  return id
}
