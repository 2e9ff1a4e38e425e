import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, inTurn } from './bench.ts'
import { Stage } from './stage.ts'
import { residentBytes } from '../../support/bot.ts'
import type { Started } from './testbed.ts'

const REFERENCE = 'bare Bolt, one command, with a compile cache'

/** As a bot is found when it was started before: the store is there, and so is what Node has compiled, for both. */
export const startBench: Bench = {
  name: 'start',
  rows: {
    start: { work: 'Start to linked to Slack', reference: REFERENCE, unit: 'time', atMost: 2.6, quick: 5 },
  },
  async *rounds(testbed, quick) {
    const stage = await Stage.open(testbed)
    await compile(stage, 'start')
    const ours = (): Promise<number> => readyMs(stage.startOurs('start'))
    const bare = (): Promise<number> => readyMs(stage.startBare('start-bare'))
    for (let turn = 0; turn < (quick ? 3 : 7); turn += 1) yield { start: await inTurn(turn, [ours, bare]) }
  },
}

export const idleBench: Bench = {
  name: 'idle',
  rows: {
    memory: { work: 'Memory while nothing is asked', reference: REFERENCE, unit: 'size', atMost: 1.4, quick: 1.8 },
  },
  async *rounds(testbed, quick) {
    const stage = await Stage.open(testbed)
    // Nobody's memory is measured with a compiler's garbage in it.
    await compile(stage, 'idle')
    await using started = new AsyncDisposableStack()
    const pairs: [Started, Started][] = []
    for (let pair = 0; pair < (quick ? 1 : 3); pair += 1) {
      const ours = started.use(await stage.startOurs(`idle-${pair}`))
      pairs.push([ours, started.use(await stage.startBare(`idle-bare-${pair}`))])
    }
    await sleep(quick ? 3_000 : 20_000)
    for (const [ours, bare] of pairs)
      yield { memory: [residentBytes(ours.pid, 'VmRSS'), residentBytes(bare.pid, 'VmRSS')] }
  },
}

async function compile(stage: Stage, name: string): Promise<void> {
  await using _ours = await stage.startOurs(name)
  await using _bare = await stage.startBare(`${name}-bare`)
}

async function readyMs(starting: Promise<Started>): Promise<number> {
  await using started = await starting
  return started.readyMs
}
