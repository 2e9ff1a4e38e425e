import { once } from 'node:events'
import { startFlags } from '../../support/start-command.ts'
import type { Bench, Figures } from '../bench.ts'
import type { Goal } from '../goal.ts'
import { startChild } from '../wire/child.ts'
import type { Round } from './page-reader.ts'

const READER = new URL('page-reader.ts', import.meta.url)
/** As the bot is started, and with a way to collect garbage between two measurements. */
const NODE_OPTIONS = [...startFlags(), '--expose-gc']
const BATCHES = { full: 4, quick: 1 } as const

/** The platform's two large answers, from their bytes to what the program holds of them, with every check on the way. */
export const pagesBench: Bench = {
  name: 'pages',
  goals: [
    goal('log page', 'v2 page of 1,000 lines: bytes → checked entries', { wall: 1.75, CPU: 1.8, quick: 5 }),
    goal('log page with long ids', 'the same, an id beyond 2^53 in each line', { wall: 2.5, CPU: 2.6, quick: 8 }),
    goal('key page', 'API key page of 1,000: bytes → redacted items', { wall: 1.45, CPU: 1.45, quick: 5 }),
    goal('key page with a long id', 'the same, one id beyond 2^53', { wall: 1.45, CPU: 1.45, quick: 5 }),
  ].flat(),
  async prepare(scale) {
    const reader = await startChild<string>(READER, [], NODE_OPTIONS)
    return {
      async measure(turn) {
        const answered = once(reader.process, 'message')
        const round: Round = { turn, batches: BATCHES[scale] }
        reader.process.send(round)
        const [figures] = (await answered) as [Figures]
        return figures
      },
      [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
    }
  },
}

interface Limits {
  readonly wall: number
  /** More, since the collector's helpers count. */
  readonly CPU: number
  readonly quick: number
}

/** A line of the table for the time that passes and one for the work that is done. */
function goal(name: string, work: string, { quick, ...full }: Limits): readonly Goal[] {
  return (['wall', 'CPU'] as const).map((measured) => ({
    work: measured === 'wall' ? work : `${work}, CPU`,
    reference: '`JSON.parse` of the bytes',
    ours: `${name}: ${measured}`,
    theirs: `${name}, JSON.parse: ${measured}`,
    unit: 'time',
    comparison: 'ratio',
    atMost: { full: full[measured], quick },
  }))
}
