import { afterAll, beforeAll, expect, test } from 'vitest'
import { OLGA } from '../../src/playground/slack/state/seed.ts'
import type { Scene } from '../end-to-end/scene.ts'
import { onBothStores } from '../end-to-end/stores.ts'

/** The emulators keep real time, so putting the bot's clock forward makes it wrong. */
const WRONG_MS = 45_000
const ROUND_MS = 15_000

onBothStores((start) => {
  let scene: Scene
  beforeAll(async () => void (scene = await start()))
  afterAll(async () => scene.close())

  test('a clock that is wrong is put into the log once for each it differs from, and into a metric', async () => {
    const statistics = { until: /Number of files, by day/ }
    await scene.types(OLGA, '/cdn storage stats 101', statistics)
    expect(scene.log.filter((line) => line.includes('the clock'))).toEqual([])
    scene.clock.turn(WRONG_MS)
    for (let n = 0; n < 3; n++) await scene.types(OLGA, '/cdn storage stats 101', statistics)
    expect(await scene.bot.bot.metrics.registry.metrics()).toMatch(
      /cdn_ops_clock_ahead_seconds\{source="platform"[^}]*\} (4\d|5\d)/,
    )
    const told = (): readonly string[] =>
      scene.log.flatMap(
        (line) => /"source":"(\w+)","aheadBySeconds":(\d+).*the clock of this machine is wrong/.exec(line) ?? [],
      )
    const differing = [...(scene.store.startsWith('postgres') ? ['database'] : []), 'platform', 'slack']
    // What time it is where the store is comes up in each round of maintenance, if not before.
    await expect
      .poll(
        () => {
          scene.clock.turn(ROUND_MS)
          return told()
            .filter((_part, at) => at % 3 === 1)
            .toSorted()
        },
        { interval: 50 },
      )
      .toEqual(differing)
    for (const seconds of told().filter((_part, at) => at % 3 === 2)) expect(Number(seconds)).toBeGreaterThan(40)
  })
})
