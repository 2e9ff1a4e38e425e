import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { OLGA, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import { asks, clicks } from './approving.ts'
import type { Scene } from './scene.ts'
import { onBothStores } from './stores.ts'
import { forger } from '../support/forger.ts'

const CLICKS = 100

onBothStores((start) => {
  let scene: Scene
  beforeAll(async () => void (scene = await start()))
  afterAll(async () => scene?.close())

  const hundredTimes = (who: string): Promise<unknown> => {
    const forging = forger(scene.stage.slack, who)
    return Promise.all(
      Array.from({ length: CLICKS }, (_, index) => forging.submit({ id: `V0TAB${index}`, hash: 'tab' })),
    )
  }

  /** Deliveries since, all of them and those that were not acknowledged. */
  const since = (from: number): readonly number[] => {
    const all = scene.stage.slack.deliveries.slice(from)
    return [all.length, all.filter(({ ackMs }) => ackMs === undefined).length]
  }

  test('a hundred clicks on Confirm send one request, and each is acknowledged', async () => {
    const { cdn, slack } = scene.stage
    await scene.types(OLGA, '/cdn dns add 201 A hundred 192.0.2.10', { until: /═══ Review ═══/ })
    const from = slack.deliveries.length
    await hundredTimes(OLGA)
    expect(since(from)).toEqual([CLICKS, 0])
    await vi.waitUntil(() => cdn.count('addDnsRecord') > 0, { timeout: 5_000 })
    await scene.answersOthers(VERA)
    expect(cdn.count('addDnsRecord')).toBe(1)
  })

  test('a hundred clicks on Approve send one request, and each is acknowledged', async () => {
    const { cdn, slack } = scene.stage
    await clicks(scene, OTTO, await asks(scene), 'approve', { until: /═══ Approve\? ═══/ })
    const from = slack.deliveries.length
    await hundredTimes(OTTO)
    expect(since(from)).toEqual([CLICKS, 0])
    await vi.waitUntil(() => cdn.count('createVideoLibrary') > 0, { timeout: 5_000 })
    await scene.answersOthers(VERA)
    expect(cdn.count('createVideoLibrary')).toBe(1)
  })
})
