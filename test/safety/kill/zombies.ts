import type { ChangeState } from '../../../src/store/schema/change.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import type { BotProcess } from '../../support/bot.ts'
import { eventually } from '../../support/eventually.ts'
import { changesOf, isAtRest } from './facts.ts'
import { Play } from './play.ts'
import { hasStruck, LEASE_MS, type KillStage } from './stage.ts'
import { playStory } from './stories.ts'

/** Where a process is stopped and goes on later: before its request has left, or with the answer in the mail. */
export const STOPS = ['sending:after', 'done:before'] as const
export type Stop = (typeof STOPS)[number]

/** Longer than the claim to post a message, which a stopped process could not give back. */
const PATIENCE_MS = 90_000
const IN_USE = /Another process is using/

/**
 * A process that is stopped past its lease in the middle of sending, and goes on after another one has taken over. On
 * SQLite no other one can: it is refused, and the first goes on to the end. Returns what went wrong, if anything did.
 */
export async function playZombie(stage: KillStage, number: number, stop: Stop): Promise<string | undefined> {
  const [tag = '', side] = stop.split(':')
  const zombie = stage.start({ tag, side: side === 'before' ? 'before' : 'after', signal: 'SIGSTOP' })
  const others: BotProcess[] = []
  try {
    const wrong = await liveOn(
      stage,
      `k${number}xz`,
      zombie,
      () => {
        const other = stage.start()
        others.push(other)
        return other
      },
      endsOf(stop, stage),
    )
    return wrong === undefined ? undefined : `${stop}: ${wrong}`
  } finally {
    await Promise.all([zombie, ...others].map((victim) => ended(victim)))
  }
}

async function liveOn(
  stage: KillStage,
  name: string,
  zombie: BotProcess,
  startOther: () => BotProcess,
  ends: readonly ChangeState[],
): Promise<string | undefined> {
  await zombie.linked
  void playStory('record', new Play(stage, zombie, name)).catch(() => undefined)
  if (!(await within(async () => hasStruck(zombie)))) return 'the process was never stopped'
  // Slack would give envelopes to a link that nobody reads; in truth it drops one that answers no ping.
  stage.slack.dropAll()
  await systemClock.sleep(LEASE_MS)
  const other = startOther()
  const isAsItHasToBe = stage.store.kind === 'sqlite' ? await isRefused(other) : await isTakenOver(stage, name)
  zombie.kill('SIGCONT')
  if (!isAsItHasToBe) return 'the other process did not do what it has to'
  const isSettled = await within(async () =>
    (await changesOf(stage.store, name)).every((change) => ends.includes(change.state) && isAtRest(change)),
  )
  return isSettled ? undefined : `${name} was not settled in the end`
}

/**
 * Before the call it finds that its lease is over, and sends nothing. After it the late answer settles the change; a
 * server ends the session of a process that stops in the middle of a transaction, so there that cannot be written down,
 * and what the other process found stands.
 */
function endsOf(stop: Stop, { store }: KillStage): readonly ChangeState[] {
  if (stop === 'sending:after') return ['not_sent', 'not_done']
  return store.kind === 'postgres' ? ['done', 'unknown'] : ['done']
}

async function isRefused(other: BotProcess): Promise<boolean> {
  const { code } = await other.ended
  return code !== 0 && IN_USE.test(other.errors())
}

function isTakenOver(stage: KillStage, name: string): Promise<boolean> {
  return within(async () => (await changesOf(stage.store, name)).some(({ state }) => state === 'unknown'))
}

async function ended(victim: BotProcess): Promise<void> {
  victim.kill('SIGKILL')
  await victim.ended
}

async function within(isThere: () => Promise<boolean>): Promise<boolean> {
  return (await eventually(isThere, PATIENCE_MS)) === true
}
