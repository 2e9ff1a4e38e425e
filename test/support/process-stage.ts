import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type CdnEmulator, startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import type { BotProcess } from './bot-process.ts'

/** What bots that are processes of their own need around them, made anew for each test. */
export interface ProcessStage {
  folder: string
  /** Where the bots' store is, in that folder. */
  store: string
  slack: SlackEmulator
  cdn: CdnEmulator
  /** Those started here: they are killed when the test ends. */
  readonly bots: BotProcess[]
}

/** Hands the stage of each test to `set` before it begins, and takes it down when it ends. */
export function useProcessStage(set: (stage: ProcessStage) => void): void {
  let stage: ProcessStage | undefined
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-process-'))
    const [slack, cdn] = [await startSlackEmulator(), await startCdnEmulator({ clock })]
    stage = { folder, store: join(folder, 'store.sqlite'), slack, cdn, bots: [] }
    set(stage)
  })
  afterEach(async () => {
    if (stage === undefined) return
    for (const bot of stage.bots) bot.kill('SIGKILL')
    await Promise.all([...stage.bots.map(({ ended }) => ended), stage.slack.close(), stage.cdn.close()])
    await rm(stage.folder, { recursive: true, force: true })
  })
}
