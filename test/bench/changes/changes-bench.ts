import { once } from 'node:events'
import { type Bench, inTurn, type Scale } from '../bench.ts'
import { medianOf } from '../goal.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { type Child, startChild } from '../wire/child.ts'
import type { Answered, Asked } from './change-process.ts'
import { type Platform, startPlatform } from './platform.ts'

const PROCESS = new URL('change-process.ts', import.meta.url)
const CHANGES: Readonly<Record<Scale, number>> = { full: 60, quick: 20 }
const WARM_UP: Readonly<Record<Scale, number>> = { full: 300, quick: 80 }
/** The noise of a disk is larger, and a pair takes less. */
const FSYNCS_FOR_A_CHANGE = 3

/** What stands between the click that confirms and the request: two transactions that the disk has to have. */
export const changesBench: Bench = {
  name: 'changes',
  goals: [
    {
      work: 'a change: accepted → durable → the client connects to send it (SQLite, role and policy checked twice)',
      reference: 'two bare fsyncs of the same bytes',
      ours: 'changeMs',
      theirs: 'fsyncsMs',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 2, quick: 2 },
      orOursAtMost: { full: 3.5, quick: 12 },
    },
  ],
  async prepare(scale) {
    await using opened = new AsyncDisposableStack()
    const folder = opened.use(scratchFolder())
    const platform = opened.use(await startPlatform())
    const child = opened.use(await startChild(PROCESS, [folder.path, platform.url, String(WARM_UP[scale])]))
    const all = opened.move()
    const count = CHANGES[scale]
    return {
      async measure(turn) {
        const [changeMs, fsyncsMs] = await inTurn(turn, [
          () => changesMs(child, platform, count),
          async () => (await ask(child, { work: 'fsyncs', count: count * FSYNCS_FOR_A_CHANGE })).ms,
        ])
        return { changeMs: medianOf(changeMs ?? []), fsyncsMs: medianOf(fsyncsMs ?? []) }
      },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    }
  },
}

/** How long each change took; every one of them has reached the platform. */
async function changesMs(child: Child<unknown>, platform: Platform, count: number): Promise<readonly number[]> {
  const before = platform.asked
  const { ms } = await ask(child, { work: 'changes', count })
  if (platform.asked - before !== count) throw new Error(`Of ${count} changes, ${platform.asked - before} were sent`)
  return ms
}

async function ask({ process: asked }: Child<unknown>, message: Asked): Promise<Answered> {
  const answer = once(asked, 'message')
  asked.send(message)
  const [answered] = (await answer) as [Answered]
  return answered
}
