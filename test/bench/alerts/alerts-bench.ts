import { once } from 'node:events'
import { startFlags } from '../../support/start-command.ts'
import type { Bench, Figures } from '../bench.ts'
import { startChild } from '../wire/child.ts'
import type { Round } from './watcher.ts'

const WATCHER = new URL('watcher.ts', import.meta.url)
/** As the bot is started, and with a way to collect garbage between two minutes. */
const NODE_OPTIONS = [...startFlags(), '--expose-gc']
/** An hour has all that recurs: what lies weeks back is loaded, windows move on, zones fail and recover. */
const MINUTES = { full: 60, quick: 12 } as const
const KIB = 1_024

/**
 * A thousand pull zones with five rules each, of which nearly all are well: from the counts of a minute to where each alert
 * stands, with incidents and posts, less network and store.
 */
export const alertsBench: Bench = {
  name: 'alerts',
  goals: [
    {
      work: 'alert evaluation, a minute of 1,000 zones × 5 rules',
      reference: 'ring buffers with running sums, by hand',
      ours: 'ours',
      theirs: 'theirs',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 1.6, quick: 4 },
    },
    {
      work: 'what is held of a zone in memory: its minutes, and where its alerts stand',
      ours: 'held',
      unit: 'size',
      comparison: 'ours',
      atMost: { full: 12_000, quick: 16 * KIB },
    },
    {
      work: 'the same, with fifteen lines to show and what is known of late ones',
      ours: 'watch',
      unit: 'size',
      comparison: 'ours',
      atMost: { full: 16 * KIB, quick: 20 * KIB },
    },
  ],
  async prepare(scale) {
    const watcher = await startChild<string>(WATCHER, [], NODE_OPTIONS)
    return {
      async measure(turn) {
        const answered = once(watcher.process, 'message')
        const round: Round = { turn, minutes: MINUTES[scale] }
        watcher.process.send(round)
        const [figures] = (await answered) as [Figures]
        return figures
      },
      [Symbol.asyncDispose]: () => watcher[Symbol.asyncDispose](),
    }
  },
}
