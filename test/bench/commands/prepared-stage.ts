import type { Figures, PreparedBench } from '../bench.ts'
import { scratchFolder } from '../scratch-folder.ts'
import { CommandStage } from './bots.ts'

/** A stage with what plays on it, gone when the bench is. */
export async function prepared(
  play: (stage: CommandStage) => Promise<(turn: number) => Promise<Figures>>,
): Promise<PreparedBench> {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(scratchFolder())
  try {
    const stage = stack.use(await CommandStage.start(folder.path))
    const measure = await play(stage)
    return { measure, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}
