import type { LogCallOptions } from '../../src/cdn/contract/cdn.ts'
import { LogLimit, type SharedSlots } from '../../src/cdn/http/log-limit.ts'
import { TurnedClock } from '../support/turned-clock.ts'

/** Whoever asks. */
export const PERSON: LogCallOptions = { priority: 'person' }
export const BACKGROUND: LogCallOptions = { priority: 'background' }

/** Queues calls that are answered at once and lists, in `ran`, those that got their slot. */
export function setUp(options: { readonly warm?: boolean; readonly shared?: SharedSlots } = { warm: true }) {
  const clock = new TurnedClock()
  const limit = new LogLimit({ clock, ...options })
  const ran: string[] = []
  const queue = (name: string, wish = PERSON, zone = 1n): Promise<void> => {
    const call = limit.run(zone, wish, async () => void ran.push(name))
    call.catch(() => undefined)
    return call
  }
  const queueMany = (count: number, name: string, wish = PERSON): void => {
    for (let index = 0; index < count; index += 1) void queue(name, wish)
  }
  return { clock, limit, ran, queue, queueMany }
}

/**
 * Waits until a call elsewhere has gone all the way from queue to answer, so many times over: whatever else had its slot
 * by then has run as well. Calls enter a queue one after the other, each of them in a round.
 */
export async function settled(rounds = 3): Promise<void> {
  const elsewhere = new LogLimit({ clock: new TurnedClock(), warm: true })
  for (let round = 0; round < rounds; round += 1) await elsewhere.run(BigInt(round), PERSON, async () => undefined)
}
