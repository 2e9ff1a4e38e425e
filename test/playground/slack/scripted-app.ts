import { readAppManifest, type Answer, type Parts, wiredParts } from '../../../src/playground/slack/wire/parts.ts'
import type { DeliveryType } from '../../../src/playground/slack/wire/deliveries.ts'
import { tellOfChanges } from '../../../src/playground/slack/wire/events.ts'
import type { Arguments } from '../../../src/playground/slack/wire/methods.ts'
import { Person } from '../../../src/playground/slack/person.ts'
import { answerCall, rateLimits } from '../../../src/playground/slack/wire/server.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

/** A payload as an app receives it; tests look into it with matchers. */
export type Received = Readonly<Record<string, unknown>>

/** What the app answers: an acknowledgement's payload, or nothing at all. */
export type Script = (payload: Received, type: DeliveryType, extra: object) => Received | 'silence'

export interface Scene {
  readonly clock: TurnedClock
  readonly parts: Parts
  /** Every payload the app received, in order. */
  readonly received: readonly Received[]
  readonly person: (userId: string) => Person
  /** Calls the Web API with the bot's token, without a socket. */
  readonly call: (method: string, args?: Arguments) => Received
  /** The same with another token and the whole answer. */
  readonly callAs: (token: string | undefined, method: string, args?: Arguments) => Answer
}

const app = await readAppManifest()

/** An emulator without sockets whose app follows a script; without one it acknowledges everything. */
export function scene(script: Script = () => ({})): Scene {
  const clock = new TurnedClock()
  const parts = wiredParts({ clock }, { ...app }, () => 'http://127.0.0.1:1')
  const received: Received[] = []
  parts.deliveries.transport = {
    send(id, type, payload, extra) {
      // The wire carries JSON, so the app sees what survives being written and read.
      const read = JSON.parse(JSON.stringify(payload)) as Received
      received.push(read)
      const answer = script(read, type, extra)
      if (answer !== 'silence') parts.deliveries.acknowledge(id, answer)
      return true
    },
  }
  tellOfChanges(parts)
  const limits = rateLimits(clock)
  const callAs = (token: string | undefined, method: string, args: Arguments = {}) =>
    answerCall({ method, args, token }, parts, limits)
  return {
    clock,
    parts,
    received,
    callAs,
    call: (method, args) => callAs(parts.tokens.bot, method, args).body as Received,
    person: (userId) => new Person(userId, parts),
  }
}
