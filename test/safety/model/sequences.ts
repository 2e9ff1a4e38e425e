import fc from 'fast-check'
import { assertSound, type Command } from './command.ts'
import * as people from './people-commands.ts'
import { TEXTS } from './people-commands.ts'
import { ANSWERS, type LateAnswer } from './platform.ts'
import { POLICIES } from './policies.ts'
import { TOWN } from './town.ts'
import { World } from './world.ts'
import * as worldly from './world-commands.ts'

const MAX_COMMANDS = 30
/** Counted from the newest change. */
const which = fc.constantFrom(0, 0, 0, 1, 1, 2, 3)
const person = fc.nat(TOWN.length - 1)
const LATE: readonly LateAnswer[] = ['ok', 'refused', 'created, 500', 'not created, 500', 'created, reset']

/** Those who may ask for a write, mostly the first of them. */
const asking = fc.constantFrom(0, 0, 0, 2, 3)
const text = fc.nat(TEXTS.length - 1)

/** What can happen, and how often beside the rest. */
const WEIGHTED: readonly (readonly [number, fc.Arbitrary<Command>])[] = [
  [8, fc.tuple(asking, fc.boolean(), text).map(([by, billed, text]) => people.ask(by, billed, text))],
  [2, fc.tuple(person, fc.boolean(), text).map(([by, billed, text]) => people.review(by, billed, text))],
  [3, which.map((change) => people.submit(change))],
  [2, which.map((change) => people.submit(change, '<!channel> It is on fire'))],
  [1, which.map(people.submitTwice)],
  [1, which.map(people.takeBack)],
  [3, fc.tuple(which, person).map(([change, by]) => people.approve(change, by))],
  [7, fc.tuple(which, fc.constantFrom(1, 2, 3)).map(([change, by]) => people.approve(change, by))],
  [1, fc.tuple(which, person).map(([change, by]) => people.decline(change, by))],
  [1, fc.tuple(which, person).map(([change, by]) => people.cancel(change, by))],
  [3, fc.tuple(which, person, fc.boolean()).map(([change, by, happened]) => people.settle(change, by, happened))],
  [2, fc.nat(20).map(people.redeliver)],
  [
    2,
    fc
      .tuple(person, fc.constantFrom('none', 'viewer', 'operator', 'admin'))
      .map(([who, role]) => worldly.giveRole(who, role)),
  ],
  [1, fc.nat(POLICIES.length - 1).map(worldly.changePolicy)],
  [
    2,
    fc
      .tuple(fc.constantFrom(5, 61, 700, 30_000), fc.nat(2))
      .map(([seconds, rounds]) => worldly.advance(seconds, rounds)),
  ],
  [3, fc.constant(worldly.advance(15, 1))],
  [1, fc.constant(worldly.crash(0))],
  [3, fc.nat(40).map(worldly.crash)],
  [1, fc.constant(worldly.takeOver)],
  [4, fc.constantFrom(...ANSWERS).map(worldly.platform)],
  [3, fc.constantFrom(...LATE).map(worldly.answerLate)],
  [2, fc.constantFrom('up', 'up', 'down', 'takes it and fails').map(worldly.slack)],
  [1, fc.boolean().map(worldly.channel)],
  [
    2,
    fc
      .tuple(fc.constantFrom('refuses', 'hangs', 'hangs'), fc.nat(4))
      .map(([how, after]) => worldly.whoIsWho(how, after)),
  ],
  [4, fc.constant(worldly.whoIsWho('answers'))],
  [3, fc.tuple(fc.nat(5), fc.constantFrom(61, 700, 30_000)).map(([after, seconds]) => worldly.slowly(after, seconds))],
  [1, fc.nat(3).map(worldly.failWrites)],
]
const COMMANDS = WEIGHTED.flatMap(([weight, arbitrary]) => Array.from({ length: weight }, () => arbitrary))

/** Sequences of what can happen, each on a world of its own: fails with the first thing that should not have. */
export function soundSequences(): fc.IAsyncProperty<[Iterable<Command>]> {
  return fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: MAX_COMMANDS, size: 'max' }), async (commands) => {
    const world = await World.create()
    try {
      await fc.asyncModelRun(() => ({ model: { changes: 0 }, real: world }), commands)
      await endSoundly(world)
    } finally {
      await world.memory.close()
    }
  })
}

const LONGER_THAN_APPROVALS_MS = 9 * 3_600_000

/** All faults end: then everything is told and nothing is owed, and in the end nothing waits. */
async function endSoundly(world: World): Promise<void> {
  await world.calmDown()
  world.witness.look()
  world.witness.atRest()
  assertSound(world)
  await world.pass(3, LONGER_THAN_APPROVALS_MS / 3)
  await world.pass(1, 15_000)
  world.witness.look()
  world.witness.atRest()
  world.witness.atLast()
  await world.witness.verify()
  assertSound(world)
}
