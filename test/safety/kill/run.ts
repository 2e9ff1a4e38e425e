import { type ChangeFact, factsOf, quiet } from './facts.ts'
import { judge } from './judge.ts'
import { playRound, type Round, type RoundEnd } from './rounds.ts'
import { beginIncident, openStage } from './stage.ts'
import type { StoreKind } from './store-under-test.ts'
import { playZombie, STOPS } from './zombies.ts'

export interface RunOptions {
  readonly kind: StoreKind
  readonly rounds: readonly Round[]
  /** How many processes are stopped past their lease, and go on. */
  readonly zombies: number
}

export interface RunResult {
  readonly ends: readonly RoundEnd[]
  readonly changes: readonly ChangeFact[]
  /** As the judge says them. */
  readonly violations: readonly string[]
}

/** Plays zombies and rounds on one store, lets a last bot settle what is left, and judges. */
export async function playRun({ kind, rounds, zombies }: RunOptions): Promise<RunResult> {
  const stage = await openStage(kind)
  try {
    if (rounds.some(({ story }) => story === 'handOver' || story === 'digest')) await beginIncident(stage)
    const stopped: string[] = []
    for (let number = 0; number < zombies; number += 1) {
      const wrong = await playZombie(stage, number, STOPS[number % STOPS.length] ?? STOPS[0])
      if (wrong !== undefined) stopped.push(`stopped and went on: ${wrong}`)
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
    await stage.store.endLease()
    const last = stage.start()
    await Promise.race([last.linked, last.ended])
    await quiet(stage, last.isAlive)
    last.kill('SIGTERM')
    const { code } = await last.ended
    const ownEnds = [
      ...ends.flatMap(({ point, ownEnd }) => (ownEnd === undefined ? [] : [`${point}: ${ownEnd}`])),
      ...(code === 0 ? [] : [`the last one: exit ${code}`]),
    ]
    // A round that was not killed at its point is killed at its end.
    const facts = await factsOf(stage, { kills: ends.length, ownEnds, digestsDue })
    return { ends, changes: facts.changes, violations: [...judge(facts), ...stopped] }
  } finally {
    await stage.close()
  }
}
