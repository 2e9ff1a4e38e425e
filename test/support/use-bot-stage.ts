import { afterEach, beforeEach } from 'vitest'
import { type BotStage, openBotStage } from './bot.ts'

/** Hands a stage of its own to each test, before it begins, and takes it down when the test ends. */
export function useBotStage(set: (stage: BotStage) => void): void {
  let stage: BotStage | undefined
  beforeEach(async () => set((stage = await openBotStage())))
  afterEach(() => stage?.close())
}
