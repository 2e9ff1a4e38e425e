import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Figures, Scale } from '../bench.ts'
import { usageOf } from '../process-usage.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { startChild } from '../wire/child.ts'
import { type Started, startBareBolt, startOurs, startTwoLinks } from './started.ts'

const PAIRS: Readonly<Record<Scale, number>> = { full: 3, quick: 1 }
/**
 * After ten seconds ours gives back what its start took, and for ten more the engine tidies up behind that: 0.2 s of the
 * processor in all, once. At the small scale nobody waits for that.
 */
const SETTLE_MS: Readonly<Record<Scale, number>> = { full: 21_000, quick: 2_000 }
const WINDOW_MS: Readonly<Record<Scale, number>> = { full: 4_000, quick: 2_000 }

/**
 * What it costs to be there and do nothing. Ours and theirs are idle at the same time, several of each, and each round
 * looks at the next seconds of them: what one of them does now and then falls into some rounds of all.
 */
export const idleBench: Bench = {
  name: 'idle',
  goals: [
    {
      work: 'memory while nothing is asked, resident',
      reference: 'bare Bolt, one command',
      ours: 'oursBytes',
      theirs: 'bareBytes',
      unit: 'size',
      comparison: 'ratio',
      atMost: { full: 1.2, quick: 1.7 },
    },
    {
      work: 'CPU while nothing is asked, of a second',
      reference: 'bare Bolt, one command',
      ours: 'oursMs',
      theirs: 'bareMs',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 3, quick: 25 },
    },
    {
      work: 'the same',
      reference: 'bare Bolt with two links, as ours has',
      ours: 'oursMs',
      theirs: 'twoLinksMs',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 2.3, quick: 25 },
    },
  ],
  async prepare(scale) {
    const folder = scratchFolder()
    const slack = await startChild<{ port: number }>(new URL('../wire/slack-server.ts', import.meta.url))
    const plan = { slackPort: slack.ready.port, compileCache: join(folder.path, 'compiled') }
    // What one compiles the others have: nobody's memory is measured with a compiler's garbage in it.
    for (const start of [() => startOurs(plan, folder.path), () => startBareBolt(plan)]) {
      await using _ = await start()
      await sleep(SETTLE_MS.quick)
    }
    const ours: Started[] = []
    const bare: Started[] = []
    const twoLinks: Started[] = []
    for (let pair = 0; pair < PAIRS[scale]; pair += 1) {
      ours.push(await startOurs(plan, mkdtempSync(join(folder.path, 'store-'))))
      bare.push(await startBareBolt(plan))
      twoLinks.push(await startTwoLinks(plan))
    }
    await sleep(SETTLE_MS[scale])
    return {
      measure: async () => idleFigures({ ours, bare, twoLinks }, WINDOW_MS[scale]),
      async [Symbol.asyncDispose]() {
        await Promise.all([...ours, ...bare, ...twoLinks, slack].map((each) => each[Symbol.asyncDispose]()))
        folder[Symbol.dispose]()
      },
    }
  },
}

interface Idling {
  readonly ours: readonly Started[]
  readonly bare: readonly Started[]
  readonly twoLinks: readonly Started[]
}

async function idleFigures({ ours, bare, twoLinks }: Idling, windowMs: number): Promise<Figures> {
  const used = (all: readonly Started[]): number => all.reduce((sum, { pid }) => sum + usageOf(pid).cpuMs, 0)
  const held = (all: readonly Started[]): number => all.reduce((sum, { pid }) => sum + usageOf(pid).residentBytes, 0)
  const every = [ours, bare, twoLinks]
  const before = every.map(used)
  await sleep(windowMs)
  const [oursMs = 0, bareMs = 0, twoLinksMs = 0] = every.map(
    (all, which) => ((used(all) - (before[which] ?? 0)) * 1_000) / windowMs / all.length,
  )
  return { oursBytes: held(ours) / ours.length, bareBytes: held(bare) / bare.length, oursMs, bareMs, twoLinksMs }
}
