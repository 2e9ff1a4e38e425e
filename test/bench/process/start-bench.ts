import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, inTurn } from '../bench.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { startChild } from '../wire/child.ts'
import { type Started, startBareBolt, startOurs } from './started.ts'

/** What Node has compiled is written right after a program is ready, ours and theirs. */
const COMPILED_WRITTEN_MS = 1_000

/**
 * From the start of the process to the moment it serves. Both as they are found when they were started before, which is
 * what a restart is: the store is there, and so is what Node has compiled, for ours and for theirs.
 */
export const startBench: Bench = {
  name: 'start',
  goals: [
    {
      work: 'start to ready over Socket Mode, with a compile cache',
      reference: 'bare Bolt, one command, with a compile cache',
      ours: 'ours',
      theirs: 'bare',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 1.85, quick: 5 },
    },
    {
      work: 'the same',
      reference: 'bare Bolt as people run it, without one',
      ours: 'ours',
      theirs: 'bareUncached',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 1.6, quick: 5 },
    },
  ],
  async prepare() {
    const folder = scratchFolder()
    const slack = await startChild<{ port: number }>(new URL('../wire/slack-server.ts', import.meta.url))
    const plain = { slackPort: slack.ready.port }
    const cached = { ...plain, compileCache: join(folder.path, 'compiled') }
    const ours = (): Promise<number> => readyMs(startOurs(cached, folder.path))
    const bare = (): Promise<number> => readyMs(startBareBolt(cached))
    const bareUncached = (): Promise<number> => readyMs(startBareBolt(plain))
    for (const start of [() => startOurs(cached, folder.path), () => startBareBolt(cached)]) {
      await using first = await start()
      await sleep(first.readyMs + COMPILED_WRITTEN_MS)
    }
    return {
      async measure(turn) {
        const [oursMs = 0, bareMs = 0, bareUncachedMs = 0] = await inTurn(turn, [ours, bare, bareUncached])
        return { ours: oursMs, bare: bareMs, bareUncached: bareUncachedMs }
      },
      async [Symbol.asyncDispose]() {
        await slack[Symbol.asyncDispose]()
        folder[Symbol.dispose]()
      },
    }
  },
}

async function readyMs(starting: Promise<Started>): Promise<number> {
  await using started = await starting
  return started.readyMs
}
