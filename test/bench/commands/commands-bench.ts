import type { Bench, Scale } from '../bench.ts'
import { quantile, together } from './bots.ts'
import { prepared } from './prepared-stage.ts'
import { sideBySide, warmUp } from './side-by-side.ts'

/**
 * What keeps floods out lets 1,200 commands through at once and 40 a second from then on. The load stays within that, round
 * after round; and before the first the engine has made what it makes of code that runs often.
 */
const PER_SECOND = 200
const CALM_PER_SECOND = 20
const PLATFORM_MS = 250
const COUNTS: Readonly<Record<Scale, { warm: number; fast: number; catalogue: number; calm: number }>> = {
  full: { warm: 700, fast: 440, catalogue: 440, calm: 60 },
  quick: { warm: 100, fast: 100, catalogue: 80, calm: 10 },
}
const READ = '`/cdn` read over Socket Mode, typed to answered'

/** A typed command from Slack's envelope to the answer at its response address. */
export const commandsBench: Bench = {
  name: 'commands',
  goals: [
    {
      work: `${READ}: CPU`,
      reference: 'bare Bolt, the same by hand in one listener',
      ours: 'oursCpu',
      theirs: 'bareCpu',
      unit: 'time',
      comparison: 'ratio',
      atMost: { full: 1.6, quick: 3.5 },
    },
    {
      work: `${READ}: CPU`,
      reference: 'the same, with the young space of ours, which bounds memory',
      ours: 'oursCpu',
      theirs: 'boundCpu',
      unit: 'time',
      comparison: 'ratio',
      // Seen between 1.1 and 1.25, and single rounds up to 1.5.
      atMost: { full: 1.3, quick: 3.5 },
    },
    {
      work: `${READ}: p99 to the acknowledgement at 200/s, over all rounds`,
      reference: 'bare Bolt',
      ours: 'oursAck',
      theirs: 'bareAck',
      unit: 'time',
      comparison: 'ratio',
      // One in thirty waits for a collection or for the machine, in any bot: of the 880 of a round that is a few moments. Two
      // equal bots beside each other were up to 1.4 times apart, taken over all rounds of one each.
      isGathered: true,
      atMost: { full: 1.5, quick: 50 },
    },
    {
      work: `${READ} at 20/s, less the platform’s 250 ms: p95`,
      ours: 'oursOwn',
      unit: 'time',
      comparison: 'ours',
      atMost: { full: 15, quick: 60 },
    },
    {
      work: `${READ}, all operations there: CPU`,
      reference: 'the same bot with 3 operations',
      ours: 'allCpu',
      theirs: 'threeCpu',
      unit: 'time',
      comparison: 'ratio',
      // Seen between 0.96 and 1.06, and single rounds 0.1 off either way.
      atMost: { full: 1.08, quick: 2 },
    },
  ],
  async prepare(scale) {
    return prepared(async (stage) => {
      const { warm, fast, catalogue, calm } = COUNTS[scale]
      // Two of each that is compared in what is rare.
      const ours = [await stage.startOurs('ours'), await stage.startOurs('ours-too')] as const
      const bare = [await stage.startBare('bare', 'usual'), await stage.startBare('bare-too', 'usual')] as const
      const bound = await stage.startBare('bound', 'ours')
      const all = await stage.startCatalogue('all', 'all')
      const three = await stage.startCatalogue('three', 'three')
      await warmUp(stage, [...ours, ...bare, bound, all, three], warm)
      const acked: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
      return async (turn) => {
        const load = { count: fast, perSecond: PER_SECOND }
        const went = await sideBySide(stage, turn, [...ours, ...bare, bound], load)
        const own = together(went.slice(0, 2))
        const theirs = together(went.slice(2, 4))
        const bounded = together(went.slice(4))
        acked.ours.push(...own.ackedMs)
        acked.bare.push(...theirs.ackedMs)
        const [withAll, withThree] = await sideBySide(stage, turn, [all, three], { ...load, count: catalogue })
        const unhurried = await stage.type(ours[0], calm, CALM_PER_SECOND, PLATFORM_MS)
        return {
          oursCpu: own.cpuMs,
          bareCpu: theirs.cpuMs,
          boundCpu: bounded.cpuMs,
          oursAck: quantile(acked.ours, 0.99),
          bareAck: quantile(acked.bare, 0.99),
          oursOwn: quantile(unhurried.ownMs, 0.95),
          allCpu: withAll?.cpuMs ?? Number.NaN,
          threeCpu: withThree?.cpuMs ?? Number.NaN,
        }
      }
    })
  },
}
