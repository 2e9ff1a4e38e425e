import type { BotProcess, Variables } from '../../support/bot.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { changesOf } from './facts.ts'
import type { OutsidePoint } from './outside-points.ts'
import { BotGone, Play, pressAgain } from './play.ts'
import { hasStruck, type InsideFault, type KillStage } from './stage.ts'
import { approveIfOpen, playStory, type StoryName } from './stories.ts'
import { ANY_TAG } from './transaction-tags.ts'

/** One life of the bot: what people do in it, and how it ends. */
export interface Round {
  readonly point: string
  readonly story: StoryName
  readonly inside?: InsideFault
  readonly outside?: OutsidePoint
  /** Killed so long after its start, wherever it is then. */
  readonly afterMs?: number
  /** Started so long after the end of the last one, past its leases for instance. */
  readonly pauseMs?: number
  /** Other settings than usual, in this round alone. */
  readonly settings?: (stage: KillStage) => Variables
}

export interface RoundEnd {
  readonly point: string
  /** Whether the bot was killed where it was meant to be, and not merely at the end. */
  readonly isReached: boolean
  /** Why the bot ended without being killed. */
  readonly ownEnd?: string
}

/** What follows the end of a story is mostly done by then. */
const GRACE_MS = 600
const NAMED_GRACE_MS = 8_000
/** People who wait for a dead bot lose patience before Slack does. */
const AGAIN_MS = 1_000

/** Plays a round: starts the bot armed, lets people finish what the last one left and begin anew, and kills it. */
export async function playRound(stage: KillStage, number: number, round: Round): Promise<RoundEnd> {
  await systemClock.sleep(round.pauseMs ?? 0)
  const victim = stage.start(round.inside, round.settings?.(stage))
  const struck = Promise.withResolvers<void>()
  let isStruck = false
  const strike = (): void => {
    isStruck = true
    victim.kill('SIGKILL')
    struck.resolve()
  }
  const timer = round.afterMs === undefined ? undefined : systemClock.after(round.afterMs, strike)
  const disarm = round.outside?.arm(stage, strike)
  const play = new Play(stage, victim, `k${number}x`)
  const wasWrong = await livedThrough(play, victim, round.story)
  if (victim.isAlive()) await Promise.race([victim.ended, struck.promise, systemClock.sleep(graceOf(round))])
  const isReached = isStruck || hasStruck(victim)
  victim.kill('SIGKILL')
  timer?.cancel()
  disarm?.()
  stage.cdn.faults.clear()
  const { code, signal } = await victim.ended
  const ownEnd = signal === null ? `exit ${code}: ${lastLine(victim)}` : wasWrong
  return { point: round.point, isReached, ...(ownEnd !== undefined && { ownEnd }) }
}

/** What went wrong without the bot's being gone; nothing, in a good run. */
async function livedThrough(play: Play, victim: BotProcess, story: StoryName): Promise<string | undefined> {
  try {
    await play.whileAlive(victim.linked)
    await Promise.race([pressAgain(play), systemClock.sleep(AGAIN_MS)])
    await approveLeft(play, victim)
    await playStory(story, play)
  } catch (error) {
    if (!(error instanceof BotGone)) return `${story}: ${error instanceof Error ? error.message : String(error)}`
  }
  return undefined
}

/** Somebody takes up what an earlier round left waiting, unless it ends before: people may have only so much open. */
async function approveLeft({ stage }: Play, victim: BotProcess): Promise<void> {
  const left = (await changesOf(stage.store)).find(({ state, message }) => state === 'waiting' && message !== undefined)
  if (left === undefined) return
  await approveIfOpen(new Play(stage, victim, left.name)).catch((error: unknown) => {
    // Its buttons may go between two looks. A bot that hangs shows in the story that follows.
    if (error instanceof BotGone) throw error
  })
}

/** A named point comes for certain, if late on a busy machine; of a random one nobody knows. */
function graceOf({ afterMs = 0, inside, outside }: Round): number {
  const isNamed = outside !== undefined || (inside !== undefined && inside.tag !== ANY_TAG)
  return isNamed ? NAMED_GRACE_MS : GRACE_MS + afterMs
}

function lastLine(victim: BotProcess): string {
  return (victim.errors().trim() || victim.output().trim()).split('\n').at(-1) ?? ''
}
