import { systemClock } from '../../src/shared/clock.ts'

const LOOK_EVERY_MS = 50

/** Looks again and again until there is something. Resolves with undefined when there is nothing in time. */
export async function eventually<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  patienceMs: number,
): Promise<T | undefined> {
  const giveUpMs = systemClock.monotonicMs() + patienceMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (systemClock.monotonicMs() > giveUpMs) return undefined
    await systemClock.sleep(LOOK_EVERY_MS)
  }
}
