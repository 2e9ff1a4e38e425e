import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OLGA, SAM, VERA } from '../../src/playground/slack/state/seed.ts'
import { auditIn } from '../support/store-file.ts'
import { Scene } from './scene.ts'
import { failNext } from '../support/failing-slack.ts'

/** Slack's own patience. */
const ACK_MS = 3_000
const STATISTICS = { until: /Number of files, by day/ }

let scene: Scene
let stray: unknown[]
const onStray = (reason: unknown): void => void stray.push(reason)

beforeAll(async () => {
  stray = []
  process.on('unhandledRejection', onStray)
  scene = await Scene.start({ http: true })
})
afterAll(async () => {
  await scene.close()
  process.off('unhandledRejection', onStray)
  if (stray.length > 0) throw new AggregateError(stray, 'Errors that nothing handled')
})

describe('over signed requests, without a link to Slack', () => {
  test('a question is answered, and a record is added after its review', async () => {
    expect(scene.stage.slack.linkCount).toBe(0)
    await scene.types(VERA, '/cdn storage stats 101', STATISTICS)
    await scene.types(OLGA, '/cdn dns add 201 A www 192.0.2.10', { until: /═══ Review ═══/ })
    await scene.submits(OLGA, {}, { until: / added an? / })
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(1)
    expectAllAcknowledged()
  })

  test('Home is drawn when it is opened', async () => {
    await scene.person(OLGA).openHome()
    expect(await scene.stage.slack.until(() => scene.person(OLGA).home())).toBeDefined()
    expectAllAcknowledged()
  })

  test('a person of another workspace has no role, which is on record', async () => {
    await scene.types(SAM, '/cdn storage stats 101', { until: /other workspaces have no role|role viewer/ })
    expect(auditIn(scene.store).findLast(({ actor }) => actor === SAM)).toMatchObject({ event: 'denied' })
  })
})

describe('Slack has its acknowledgement in time over HTTP', () => {
  test('while the platform hangs', async () => {
    const { cdn } = scene.stage
    cdn.faults.set('getStorageStatistics', { kind: 'hang', carriedOut: true }, { times: 1 })
    const answered = scene.types(OLGA, '/cdn storage stats 101', { until: /did not answer in time/ })
    await expect.poll(() => cdn.count('getStorageStatistics')).toBeGreaterThan(1)
    await scene.types(VERA, '/cdn storage stats 102', STATISTICS)
    scene.clock.turn(8_500)
    await answered
    expectAllAcknowledged()
  })

  test('while Slack wants fewer calls', async () => {
    failNext(scene.stage.slack, 'views.open', { status: 429, retryAfterS: 30 })
    const { text } = await scene.types(OLGA, '/cdn dns add', { until: /Slack did not open the form \(ratelimited\)/ })
    expect(text).toMatch(/Nothing was done/)
    expectAllAcknowledged()
  })

  test('while the store is locked: what is read is answered, what is written is not done', async () => {
    const other = new DatabaseSync(scene.store)
    other.exec('begin immediate')
    try {
      const late = { timeoutMs: 15_000 }
      await scene.types(VERA, '/cdn storage stats 101', { ...late, ...STATISTICS })
      await scene.types(OLGA, '/cdn zones add pull 301 web', {
        ...late,
        until: /Nothing was done: CDN Ops does not act without it/,
      })
    } finally {
      other.exec('rollback')
      other.close()
    }
    const { text } = await scene.types(OLGA, '/cdn zones add pull 301 web', { until: /web/ })
    expect(text).not.toMatch(/Nothing was done/)
    expectAllAcknowledged()
  })
})

function expectAllAcknowledged(): void {
  const { deliveries } = scene.stage.slack
  expect(deliveries.length).toBeGreaterThan(0)
  for (const { outcome, ackMs } of deliveries) {
    expect(outcome).toBe('acked')
    expect(ackMs).toBeLessThan(ACK_MS)
  }
}
