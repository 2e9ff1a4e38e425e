import type fc from 'fast-check'
import { UserError } from '../../../src/shared/errors.ts'
import { isFinal } from '../../../src/store/schema/change.ts'
import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { type ChangeRow, changeRow, entriesOf } from './looking.ts'
import type { Did, World } from './world.ts'

/** What the commands need to know to be drawn: how many changes have been asked for. */
export interface Model {
  changes: number
}

export type Command = fc.AsyncCommand<Model, World>

/** A command that runs at any time. After it, everything is looked at, and a process that ended is started again. */
export function command(name: string, work: (world: World) => Promise<unknown> | void, asks = 0): Command {
  return {
    check: () => true,
    run: async (model, world) => {
      model.changes += asks
      await work(world)
      await turnOfTheLoop()
      await world.restartIfDead()
      world.witness.look()
      assertSound(world)
    },
    toString: () => name,
  }
}

/** A command about one of the changes, counted from the newest. */
export function onChange(name: string, which: number, work: (world: World, id: string) => Promise<unknown>): Command {
  return {
    ...command(`${name} #${which}`, async (world) => {
      const id = world.changes.at(-1 - (which % world.changes.length))
      if (id !== undefined) await work(world, id)
    }),
    check: ({ changes }) => changes > 0,
  }
}

export function assertSound({ witness: { violations } }: World): void {
  if (violations.length > 0) throw new Error(violations.join('\n'))
}

/** What a click finds, and what it has to come to. */
export interface Click {
  readonly id: string
  readonly by: string
  /** Whether this person may do it, as far as the change is in a state for it. */
  readonly may: (row: ChangeRow) => boolean
  /** The states the click acts on. */
  readonly actsOn: ChangeRow['state']
  readonly work: () => Promise<{ readonly kind: string; readonly change: { readonly state: string } }>
}

/** Clicks, and compares with what the model says of it: done, refused on record, or answered with the state it finds. */
export async function clicked(world: World, { id, by, may, actsOn, work }: Click): Promise<void> {
  const before = changeRow(world, id)
  const denials = denialsOf(world, id)
  const { calm } = world
  const did = await world.deliver(work)
  const after = changeRow(world, id)
  if (!calm || before === undefined || after === undefined || !world.calm) return
  const what = `${by} clicked on ${before.state} ${id} and it ${say(did)}`
  if (before.state !== actsOn) {
    if (isFinal(before.state) && did.kind === 'returned' && did.value.change.state !== before.state)
      throw new Error(`one final state: ${what}`)
    return
  }
  if (may(before)) {
    if (did.kind === 'threw') throw new Error(`may: ${what}`)
    return
  }
  const refused = did.kind === 'threw' && did.error instanceof UserError && did.error.code === 'not_permitted'
  // A change whose owner may not go on is ended instead, whoever clicks.
  if (refused ? denialsOf(world, id) !== denials + 1 : after.state === before.state)
    throw new Error(`may not: ${what}, with ${denialsOf(world, id) - denials} denials`)
}

function denialsOf(world: World, id: string): number {
  return entriesOf(world, id).filter((event) => event === 'denied').length
}

function say<T>(did: Did<T>): string {
  if (did.kind === 'returned') return `returned ${JSON.stringify(did.value)}`
  return did.kind === 'threw' ? `threw ${String(did.error)}` : did.kind
}
