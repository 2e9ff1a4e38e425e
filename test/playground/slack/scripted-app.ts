import type { DeliveryType } from '../../../src/playground/slack/deliveries.ts'
import type { Parts } from '../../../src/playground/slack/parts.ts'
import { Person } from '../../../src/playground/slack/person.ts'
import { answerCall, type WebApiAnswer } from '../../../src/playground/slack/web-api/dispatch.ts'
import type { Arguments } from '../../../src/playground/slack/web-api/method.ts'
import { RateLimits } from '../../../src/playground/slack/web-api/rate-limits.ts'
import { wiredParts, type SlackEmulatorOptions } from '../../../src/playground/slack/wiring.ts'
import { tellOfChanges } from '../../../src/playground/slack/emulator.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

/** A payload as an app receives it; tests look into it with matchers. */
export type Received = Readonly<Record<string, unknown>>

/** What the app answers: an acknowledgement's payload, or nothing at all. */
export type Script = (payload: Received, type: DeliveryType) => Received | 'silence'

export interface Scene {
  readonly clock: TurnedClock
  readonly parts: Parts
  /** Every payload the app received, in order. */
  readonly received: readonly Received[]
  readonly person: (userId: string) => Person
  /** Calls the Web API with the bot's token, without a socket. */
  readonly call: (method: string, args?: Arguments) => WebApiAnswer['body']
  /** The same with another token and the whole answer. */
  readonly callAs: (token: string | undefined, method: string, args?: Arguments) => WebApiAnswer
}

/** An emulator without sockets whose app follows a script; without one it acknowledges everything. */
export function scene(script: Script = () => ({}), options: SlackEmulatorOptions = {}): Scene {
  const clock = new TurnedClock()
  const wired = wiredParts({ clock, ...options }, () => 'http://127.0.0.1:1')
  const received: Received[] = []
  const parts: Parts = {
    ...wired,
    transport: {
      send(id, type, payload) {
        // The wire carries JSON, so the app sees what survives being written and read.
        const read = JSON.parse(JSON.stringify(payload)) as Received
        received.push(read)
        const answer = script(read, type)
        if (answer !== 'silence') wired.deliveries.acknowledge(id, answer)
        return true
      },
    },
  }
  tellOfChanges(parts)
  const limits = new RateLimits(clock)
  const people = new Map<string, Person>()
  const callAs = (token: string | undefined, method: string, args: Arguments = {}) =>
    answerCall({ method, args, token }, parts, limits)
  return {
    clock,
    parts,
    received,
    callAs,
    call: (method, args) => callAs(parts.tokens.bot, method, args).body,
    person(userId) {
      const person = people.get(userId) ?? new Person(userId, parts)
      people.set(userId, person)
      return person
    },
  }
}
