import { CARD_ACTIONS } from '../../../src/execution/change-card.ts'
import type { Random } from '../../../src/playground/cdn/world/seeded-random.ts'
import { ADA, OLGA, OPS, OTTO, VERA } from '../../../src/playground/slack/seed.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import { changesOf, isAtRest } from '../../safety/kill/facts.ts'
import { BotGone, Play, pressAgain } from '../../safety/kill/play.ts'
import type { KillStage } from '../../safety/kill/stage.ts'
import { approveIfOpen, playStory, type StoryName } from '../../safety/kill/stories.ts'
import type { SoakedBot } from './soaked-bot.ts'

const READS = [
  'help',
  'whoami',
  'status',
  'zones list',
  'changes list',
  'audit',
  'logs 301',
  'storage stats 101',
  'dns add',
] as const
const STORIES: readonly StoryName[] = [
  'record',
  'library',
  'approval',
  'declined',
  'cancelled',
  'form',
  'zones',
  'keys',
  'denied',
]
const BETWEEN_STORIES_MS = 1_500
const LEAST_BETWEEN_READS_MS = 200
const MOST_BETWEEN_READS_MS = 3_000
const BETWEEN_FLOODS_MS = 45_000
const FLOOD = 300

/** What people did, and how often it came to nothing that they see, which faults explain. */
export interface Done {
  stories: number
  givenUp: number
  reads: number
  flooded: number
}

/** Three loads at once until `over`: people who change things, people who look, and one who floods. */
export async function load(stage: KillStage, bot: SoakedBot, random: Random, over: AbortSignal): Promise<Done> {
  const done: Done = { stories: 0, givenUp: 0, reads: 0, flooded: 0 }
  await Promise.all([
    writing(stage, bot, random, over, done),
    reading(stage, random, over, done),
    flooding(stage, over, done),
  ])
  return done
}

async function writing(stage: KillStage, bot: SoakedBot, random: Random, over: AbortSignal, done: Done): Promise<void> {
  for (let number = 0; !over.aborted && bot.isAlive(); number += 1) {
    const play = new Play(stage, bot, `k${number}x${random.hex(6)}`)
    try {
      await pressAgain(play)
      await takeUpOne(stage, bot)
      await playStory(random.pick(STORIES), play)
      done.stories += 1
    } catch (error) {
      if (error instanceof BotGone) return
      done.givenUp += 1
    }
    await nap(BETWEEN_STORIES_MS, over)
  }
}

/** Somebody approves what was left waiting, or looks what became of a change and says it truthfully. */
async function takeUpOne(stage: KillStage, bot: SoakedBot): Promise<void> {
  const left = (await changesOf(stage.store)).find(
    ({ state, message, isShown }) => isShown && message !== undefined && (state === 'waiting' || state === 'unknown'),
  )
  if (left === undefined) return
  const play = new Play(stage, bot, left.name)
  if (left.state === 'waiting') return approveIfOpen(play)
  if (!isAtRest(left)) return
  const isThere = stage.created().includes(left.name)
  await play.click(OTTO, isThere ? CARD_ACTIONS.exists : CARD_ACTIONS.absent)
}

async function reading({ slack }: KillStage, random: Random, over: AbortSignal, done: Done): Promise<void> {
  while (!over.aborted) {
    const person = slack.person(random.pick([VERA, OTTO, ADA]))
    await person.command(OPS, `/cdn ${random.pick(READS)}`).catch(() => undefined)
    if (random.next() < 0.2) await person.openHome().catch(() => undefined)
    done.reads += 1
    await nap(random.integer(LEAST_BETWEEN_READS_MS, MOST_BETWEEN_READS_MS), over)
  }
}

/** One who has nothing to change, so that what they are refused stands in nobody's way. */
async function flooding({ slack }: KillStage, over: AbortSignal, done: Done): Promise<void> {
  while (!over.aborted) {
    await nap(BETWEEN_FLOODS_MS, over)
    if (over.aborted) return
    const vera = slack.person(VERA)
    await Promise.all(Array.from({ length: FLOOD }, () => vera.command(OPS, '/cdn help').catch(() => undefined)))
    done.flooded += FLOOD
  }
}

async function nap(ms: number, over: AbortSignal): Promise<void> {
  await clock.sleep(ms, over).catch(() => undefined)
}

/** Who writes: their forms are closed at the end. */
export const WRITERS = [OLGA, OTTO, ADA] as const
