import { once } from 'node:events'
import { type Bench, inTurn, type Scale } from '../bench.ts'
import { medianOf } from '../goal.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { type Child, startChild } from '../wire/child.ts'
import type { Answered, Asked } from './change-process.ts'
import { type Platform, startPlatform } from './platform.ts'

const PROCESS = new URL('change-process.ts', import.meta.url)
const NS_PER_MS = 1_000_000
const CHANGES: Readonly<Record<Scale, number>> = { full: 30, quick: 12 }
/** The noise of a disk is larger, and a pair takes less. */
const FSYNCS_FOR_A_CHANGE = 3

/** What stands between the click that confirms and the request: two transactions that the disk has to have. */
export const changesBench: Bench = {
  name: 'changes',
  goals: [
    {
      work: 'a change: accepted → durable → being sent, until the platform has the connection for its request (SQLite)',
      reference: 'two bare fsyncs of the same bytes',
      ours: 'changeMs',
      theirs: 'fsyncsMs',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 2, quick: 2 },
      orOursAtMost: { full: 3, quick: 8 },
    },
  ],
  async prepare(scale) {
    await using opened = new AsyncDisposableStack()
    const folder = opened.use(scratchFolder())
    const platform = opened.use(await startPlatform())
    const child = opened.use(await startChild(PROCESS, [folder.path, platform.url]))
    const all = opened.move()
    platform.takeArrivals()
    const count = CHANGES[scale]
    return {
      async measure(turn) {
        const [changeMs, fsyncsMs] = await inTurn(turn, [
          () => changesMs(child, platform, count),
          () => pairsMs(child, count * FSYNCS_FOR_A_CHANGE),
        ])
        return { changeMs: medianOf(changeMs ?? []), fsyncsMs: medianOf(fsyncsMs ?? []) }
      },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    }
  },
}

/** From its submission until the platform has the connection for its request, of each change. What the network then takes is the network's. */
async function changesMs(child: Child<unknown>, platform: Platform, count: number): Promise<readonly number[]> {
  const answered = await ask(child, { work: 'changes', count })
  const arrivals = platform.takeArrivals()
  if (!('submittedNs' in answered) || arrivals.length !== count)
    throw new Error(`The platform was asked ${arrivals.length} times for ${count} changes`)
  return answered.submittedNs.map((submitted, index) => ((arrivals[index] ?? Number.NaN) - submitted) / NS_PER_MS)
}

async function pairsMs(child: Child<unknown>, count: number): Promise<readonly number[]> {
  const answered = await ask(child, { work: 'fsyncs', count })
  return 'ms' in answered ? answered.ms : []
}

async function ask({ process: asked }: Child<unknown>, message: Asked): Promise<Answered> {
  const answer = once(asked, 'message')
  asked.send(message)
  const [answered] = (await answer) as [Answered]
  return answered
}
