import { inTurn } from '../bench.ts'
import { type Answering, type CommandStage, together, type Went } from './bots.ts'

/** As fast as each answers while it is new; between its turns its bucket fills. */
const WARM_PER_SECOND = 70
const WARM_SLICE = 100

/** Has each answer `count` commands, a slice after the other. */
export async function warmUp(stage: CommandStage, all: readonly Answering[], count: number): Promise<void> {
  for (let typed = 0; typed < count; typed += WARM_SLICE) {
    for (const each of all) await stage.type(each, WARM_SLICE, typed === 0 ? WARM_PER_SECOND : 2 * WARM_PER_SECOND)
  }
}

/** So that a machine that is slow for a second is slow for all. */
const SLICES = 5

/** Types `count` commands to each, in slices that take turns. Results are in the order given. */
export async function sideBySide(
  stage: CommandStage,
  turn: number,
  all: readonly Answering[],
  { count, perSecond }: { readonly count: number; readonly perSecond: number },
): Promise<readonly Went[]> {
  const slices: (readonly Went[])[] = []
  for (let slice = 0; slice < SLICES; slice += 1) {
    const works = all.map((each) => () => stage.type(each, Math.round(count / SLICES), perSecond))
    slices.push(await inTurn(turn + slice, works))
  }
  return all.map((_, place) => together(slices.flatMap((went) => went[place] ?? [])))
}
