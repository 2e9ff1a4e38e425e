import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OLGA, VERA } from '../../src/playground/slack/state/seed.ts'
import { changesIn } from '../support/store-file.ts'
import { Scene } from './scene.ts'
import { failNext } from '../support/failing-slack.ts'

/** Longer than it is remembered who somebody is. */
const FORGOTTEN_MS = 61_000
const STATISTICS = { until: /Number of files, by day/ }
const RECORD = '/cdn dns add 201 A www 192.0.2.10'

let scene: Scene
beforeAll(async () => {
  scene = await Scene.start()
  await scene.looksAtSetUp()
})
afterAll(async () => {
  scene.stage.cdn.faults.clear()
  await scene.close()
})

describe('Slack has its acknowledgement in time', () => {
  test('while the platform hangs, and others are answered meanwhile', async () => {
    const { cdn } = scene.stage
    cdn.faults.set('getStorageStatistics', { kind: 'hang', carriedOut: true }, { times: 1 })
    const answered = scene.types(OLGA, '/cdn storage stats 101', { until: /did not answer in time/ })
    await expect.poll(() => cdn.count('getStorageStatistics')).toBe(1)
    await scene.types(VERA, '/cdn storage stats 102', STATISTICS)
    scene.clock.turn(8_500)
    await answered
    expect(scene.late()).toEqual([])
  })

  test('while nobody can say who asks: then nothing is done', async () => {
    scene.clock.turn(FORGOTTEN_MS)
    failNext(scene.stage.slack, 'users.info', { hang: true, times: 2 })
    const before = scene.stage.cdn.requests.length
    await scene.types(OLGA, '/cdn storage stats 101', { until: /could not tell who you are, so nothing was done/ })
    expect(scene.stage.cdn.requests).toHaveLength(before)
    expect(scene.late()).toEqual([])
    await scene.types(OLGA, '/cdn storage stats 101', STATISTICS)
  })

  test('while nobody can say who confirms: then nothing is sent, not even later', async () => {
    await scene.types(OLGA, RECORD, { until: /═══ Review ═══/ })
    scene.clock.turn(FORGOTTEN_MS)
    failNext(scene.stage.slack, 'users.info', { hang: true })
    const before = scene.stage.cdn.count('addDnsRecord')
    await scene.submits(OLGA, {}, { until: /nothing was sent/i })
    await scene.person(OLGA).closeView()
    expect(scene.late()).toEqual([])
    // Slack answers at last; what came of it is over once others were answered, and rounds of maintenance have passed.
    scene.clock.turn(30_000)
    await scene.answersOthers(OLGA)
    expect(changesIn(scene.store).at(-1)?.state).toBe('draft')
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(before)
  })
})
