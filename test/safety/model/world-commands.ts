import type { Role } from '../../../src/operations/declaration/role.ts'
import { command, type Command } from './command.ts'
import { type LateAnswer, type PlatformAnswer } from './platform.ts'
import { POLICIES } from './policies.ts'
import { TOWN } from './town.ts'

/** Somebody gets another role, or loses theirs; `none` is also what a deactivated person has. */
export function giveRole(who: number, role: Role): Command {
  const id = TOWN[who]!
  return command(`${id} becomes ${role}`, ({ town }) => town.give(id, role))
}

export function changePolicy(which: number): Command {
  const policy = POLICIES[which]!
  return command(`policy: ${policy.version}`, (world) => void (world.policy = policy))
}

/** Time passes, with the rounds that fall into it or, while the process is busy, without. */
export function advance(seconds: number, rounds: number): Command {
  return command(`${seconds} s pass with ${rounds} rounds`, async (world) => {
    if (rounds === 0) world.clock.turn(seconds * 1_000)
    else await world.pass(rounds, (seconds * 1_000) / rounds)
  })
}

/** The process ends after so many passings, and another one starts. */
export function crash(passings: number): Command {
  return command(`crash after ${passings}`, async (world) => {
    world.crashAfter(passings)
    if (passings === 0) await world.round()
  })
}

/** Another process starts while this one was only paused, and goes on later. */
export const takeOver: Command = command('take over', (world) => world.takeOver())

export function platform(answer: PlatformAnswer): Command {
  return command(`platform: ${answer}`, (world) => void (world.platform.answer = answer))
}

export function answerLate(answer: LateAnswer): Command {
  return command(`late answer: ${answer}`, ({ platform }) => platform.answerLate(answer))
}

export function slack(how: 'up' | 'down' | 'takes it and fails'): Command {
  return command(`Slack: ${how}`, (world) => {
    world.slack = how
    if (how === 'takes it and fails') world.disturbed = true
  })
}

/** The channel where people ask takes no messages any more, or takes them again. */
export function channel(takes: boolean): Command {
  return command(`channel ${takes ? 'takes' : 'refuses'} messages`, (world) => {
    world.disturbed = true
    if (takes) world.board.refusing.delete('C1')
    else world.board.refusing.set('C1', 'for good')
  })
}

/** Whether Slack says who people are, after it has been asked so many times more. */
export function whoIsWho(how: 'answers' | 'refuses' | 'hangs', after = 0): Command {
  return command(`who is who: ${how} after ${after}`, ({ town }) => town.reach(how, after))
}

/** What is done next takes long, as Slack does not say for a while who somebody is. */
export function slowly(after: number, seconds: number): Command {
  return command(`the next takes ${seconds} s after ${after}`, (world) => {
    world.slow = { after, ms: seconds * 1_000 }
  })
}

export function failWrites(count: number): Command {
  return command(`${count} writes of the store fail`, (world) => {
    world.disturbed = true
    world.failingWrites = count
  })
}
