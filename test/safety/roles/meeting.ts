import { untilIdle } from '../model/idle.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import type { Cell } from './cells.ts'
import { type Delivery, choosingShortcut, clicking, openingHome, pressing, submitting, typing } from './deliveries.ts'
import type { Floor } from './floor.ts'
import { IDENTITIES, type Identity } from './identities.ts'
import { resultOf, see } from './result.ts'
import { type AtHand, prepare, STORED_NAME, tidy } from './at-hand.ts'

/** Within it, refusals of one person that follow the first are counted, not recorded one by one. */
const COUNTED_MS = 60_000

/** Lets a cell happen on the real floor, and says what it came to. */
export async function meet(floor: Floor, cell: Cell): Promise<string> {
  floor.clock.turn(COUNTED_MS)
  const atHand = await prepare(floor, cell)
  const { to, body, event } = deliveryOf(cell, atHand)
  const before = see(floor, atHand.id)
  floor.slack.calls.length = 0
  const acks: unknown[] = []
  await floor.app.handlers.get(to)?.({ ack: async (answer) => void acks.push(answer), body, event })
  await untilIdle()
  const result = resultOf(before, see(floor, atHand.id), { calls: floor.slack.calls, acks })
  tidy(floor)
  return result
}

function deliveryOf({ who, what, where }: Cell, { id, ts }: AtHand): Delivery {
  const identity: Identity = IDENTITIES[who]
  const [verb = '', ...rest] = what.split(' ')
  const object = rest.join(' ')
  switch (verb) {
    case 'type':
      return typing(identity, exampleOf(object), where)
    case 'command':
      return typing(identity, `changes ${object} ${id}${object === 'settle' ? ' happened' : ''}`, where)
    case 'press':
      return pressing(identity, object)
    case 'choose':
      return choosingShortcut(identity, object)
    case 'open':
      return openingHome(identity)
    case 'click':
      return clicking(identity, `change:${object}`, id, where, ts)
    case 'own':
    case `another's`:
      return clicking(identity, `answer:${object}:0`, id, where)
    case 'submit':
      return submitting(identity, object, id)
    default:
      throw new Error(`Nobody can ${what}`)
  }
}

/** Ids in examples are made up: what they would do to a change is a cell of its own. */
function exampleOf(name: string): string {
  if (name === 'zones add') return 'zones add dns 7890 example.net'
  if (name === 'zones remove') return `zones remove pull ${STORED_NAME}`
  return OPERATIONS.find((operation) => operation.name === name)!.examples[0]!
}
