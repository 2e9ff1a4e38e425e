import { type Bench, inTurn, quantile } from './bench.ts'
import { Stage } from './stage.ts'
import { createPostgresDatabase, whyNoPostgres } from '../../store/postgres-harness.ts'

/** Before it is measured the engine makes what it makes of code that runs often. */
const FULL = { rounds: 5, slices: 4, warm: 5, calm: 60 }
const QUICK = { rounds: 3, slices: 1, warm: 1, calm: 20 }
/** What keeps floods out lets 1,200 commands through at once and 40 a second from then on: slices that take turns stay within that. */
const SLICE = 100
const [CALM_PER_SECOND, WARM_PER_SECOND, FAST_PER_SECOND] = [20, 100, 200]
/** Two of each, as two equal processes are up to 1.4 times apart in what is as rare as the slowest of a hundred. */
const OURS = ['ours', 'ours-too']
/** Those that share a store. */
const SHARING = ['shared', 'shared-too']
const noServer = await whyNoPostgres()
if (noServer !== undefined) process.stderr.write(`A row is left out, ${noServer}\n`)
const BARE_COMMAND = new URL('bare-command.ts', import.meta.url)
const BARE = ['bare', 'bare-too']

/** A read over Socket Mode, from Slack's envelope to the answer at its response address. */
export const commandsBench: Bench = {
  name: 'commands',
  runs: 'alone',
  rows: {
    own: { work: 'Command typed to answered at 20/s, p95', unit: 'time', atMost: 25, quick: 100 },
    acked: {
      work: 'Command typed to acknowledged at 200/s, p99',
      reference: 'bare Bolt, the same by hand in one listener',
      unit: 'time',
      atMost: 1.5,
      quick: 20,
    },
    ...(noServer === undefined && {
      shared: { work: 'Answered by one of two bots on PostgreSQL at 20/s, p95', unit: 'time', atMost: 25, quick: 100 },
    }),
  },
  async *rounds(testbed, quick) {
    const { rounds, slices, warm, calm } = quick ? QUICK : FULL
    const stage = await Stage.open(testbed)
    await using started = new AsyncDisposableStack()
    for (const name of OURS) started.use(await stage.startOurs(name))
    for (const name of BARE) started.use(await stage.startBare(name, BARE_COMMAND))
    const database = noServer === undefined ? await createPostgresDatabase() : undefined
    started.defer(() => database?.drop())
    const url = (await database?.harness())?.url
    const sharing = url === undefined ? [] : SHARING
    for (const name of sharing) started.use(await stage.startOurs(name, url))
    const type = async (names: readonly string[], perSecond: number): Promise<readonly number[]> => {
      const acked: number[] = []
      for (const name of names) acked.push(...(await stage.type(name, SLICE, perSecond)).map(({ ackedMs }) => ackedMs))
      return acked
    }
    const answered = async (name: string | undefined): Promise<readonly number[]> =>
      name === undefined ? [] : (await stage.type(name, calm, CALM_PER_SECOND)).map(({ answeredMs }) => answeredMs)
    for (let slice = 0; slice < warm; slice += 1) await type([...OURS, ...BARE, ...sharing], WARM_PER_SECOND)
    for (let turn = 0; turn < rounds; turn += 1) {
      const [ours, bare]: [number[], number[]] = [[], []]
      for (let slice = turn; slice < turn + slices; slice += 1) {
        const [our, their] = await inTurn(slice, [() => type(OURS, FAST_PER_SECOND), () => type(BARE, FAST_PER_SECOND)])
        ours.push(...our)
        bare.push(...their)
      }
      const [own, shared] = await inTurn(turn, [() => answered('ours'), () => answered(sharing[0])])
      yield {
        own: quantile(own, 0.95),
        acked: [quantile(ours, 0.99), quantile(bare, 0.99)],
        shared: quantile(shared, 0.95),
      }
    }
  },
}
