import { systemClock } from '../../../src/shared/clock.ts'
import type { BotProcess } from '../../support/bot.ts'
import { auditOf, changesOf, type Facts, isAtRest, messagesOf, notesOf, undeliveredOf } from './facts.ts'
import { duplicateCards, judge, type Violation } from './judge.ts'
import { type Round, type RoundEnd, playRound } from './rounds.ts'
import { beginIncident, type KillStage, openStage } from './stage.ts'
import type { StoreKind } from './store-under-test.ts'
import { playZombie, STOPS } from './zombies.ts'

/** By then all has to be told and settled once nothing goes wrong any more. */
const QUIET_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 200

export interface RunOptions {
  readonly kind: StoreKind
  readonly rounds: readonly Round[]
  /** How many processes are stopped past their lease, and go on. */
  readonly zombies: number
}

/** How a run went, in figures. */
export interface RunResult {
  readonly store: string
  readonly rounds: number
  readonly kills: number
  readonly zombies: number
  readonly ends: readonly RoundEnd[]
  readonly changes: number
  readonly unknown: number
  readonly requests: number
  readonly duplicateCards: number
  readonly auditEntries: number
  readonly violations: readonly Violation[]
  readonly seconds: number
}

/** Plays zombies and rounds on one store, lets a last bot settle what is left, and judges. */
export async function playRun({ kind, rounds, zombies }: RunOptions): Promise<RunResult> {
  const startedMs = systemClock.monotonicMs()
  const stage = await openStage(kind)
  try {
    if (rounds.some(({ story }) => story === 'handOver' || story === 'digest')) await beginIncident(stage)
    const stopped: Violation[] = []
    for (let number = 0; number < zombies; number += 1) {
      const wrong = await playZombie(stage, number, STOPS[number % STOPS.length] ?? STOPS[0])
      if (wrong !== undefined) stopped.push({ rule: 'stopped and went on', about: wrong })
    }
    const ends: RoundEnd[] = []
    let digestsDue = 0
    for (const [index, round] of rounds.entries()) {
      // What an earlier bot was delivering when it was killed holds up whatever goes to the same channel or person.
      if (index > 0 && round.inside?.tag.startsWith('message') === true) await stage.store.endClaims()
      await stage.store.endLease()
      if (round.story === 'digest') digestsDue += await stage.store.makeDigestsDue()
      ends.push(await playRound(stage, zombies + index, round))
    }
    const facts = await settledFacts(stage, ends, digestsDue)
    return {
      store: kind,
      rounds: rounds.length,
      zombies,
      kills: ends.filter(({ isReached }) => isReached).length,
      ends,
      changes: facts.changes.filter(({ wasAskedFor }) => wasAskedFor).length,
      unknown: facts.changes.filter(({ state }) => state === 'unknown').length,
      requests: facts.requests.length,
      duplicateCards: duplicateCards(facts),
      auditEntries: facts.audit.length,
      violations: [...judge(facts), ...stopped],
      seconds: (systemClock.monotonicMs() - startedMs) / 1_000,
    }
  } finally {
    await stage.close()
  }
}

async function settledFacts(stage: KillStage, ends: readonly RoundEnd[], digestsDue: number): Promise<Facts> {
  await stage.store.endLease()
  const victim = stage.start()
  await quiet(stage, victim)
  victim.kill('SIGTERM')
  const { code } = await victim.ended
  const { slack, store, requests, accepted } = stage
  return {
    changes: await changesOf(store),
    audit: await auditOf(store),
    requests,
    created: stage.created(),
    accepted,
    messages: messagesOf(slack),
    notes: await notesOf(store),
    digestsDue,
    undelivered: await undeliveredOf(store),
    chain: await store.verify(),
    // A round that was not killed at its point is killed at its end.
    kills: ends.length,
    ownEnds: [
      ...ends.flatMap(({ point, ownEnd }) => (ownEnd === undefined ? [] : [`${point}: ${ownEnd}`])),
      ...(code === 0 ? [] : [`the last one: exit ${code}`]),
    ],
  }
}

/** Waits until the bot has nothing left to do. What is not at rest in time is for the judge. */
async function quiet(stage: KillStage, victim: BotProcess): Promise<void> {
  const giveUpMs = systemClock.monotonicMs() + QUIET_WITHIN_MS
  await Promise.race([victim.linked, victim.ended])
  while (victim.isAlive() && systemClock.monotonicMs() < giveUpMs) {
    const changes = await changesOf(stage.store)
    if (changes.every(isAtRest) && (await undeliveredOf(stage.store)) === 0) return
    await systemClock.sleep(LOOK_EVERY_MS)
  }
}
