import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OLGA, VERA } from '../../src/playground/slack/state/seed.ts'
import { auditIn, changesIn } from '../support/store-file.ts'
import { Scene } from './scene.ts'
import { failNext } from '../support/failing-slack.ts'

/** Slack's own patience. */
const ACK_MS = 3_000
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
    expectAllAcknowledged()
  })

  test('while nobody can say who asks: then nothing is done', async () => {
    scene.clock.turn(FORGOTTEN_MS)
    failNext(scene.stage.slack, 'users.info', { hang: true, times: 2 })
    const before = scene.stage.cdn.requests.length
    await scene.types(OLGA, '/cdn storage stats 101', { until: /could not tell who you are, so nothing was done/ })
    expect(scene.stage.cdn.requests).toHaveLength(before)
    expectAllAcknowledged()
    await scene.types(OLGA, '/cdn storage stats 101', STATISTICS)
  })

  test('while nobody can say who confirms: then nothing is sent, not even later', async () => {
    await scene.types(OLGA, RECORD, { until: /═══ Review ═══/ })
    scene.clock.turn(FORGOTTEN_MS)
    failNext(scene.stage.slack, 'users.info', { hang: true })
    const before = scene.stage.cdn.count('addDnsRecord')
    await scene.submits(OLGA, {}, { until: /nothing was sent/i })
    await scene.person(OLGA).closeView()
    expectAllAcknowledged()
    // Slack answers at last; what came of it is over once others were answered, and rounds of maintenance have passed.
    scene.clock.turn(30_000)
    await scene.answersOthers(OLGA)
    expect(changesIn(scene.store).at(-1)?.state).toBe('draft')
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(before)
  })
})

test('while the record cannot be written, writes and key reads are refused and plain reads go on', async () => {
  await scene.types(OLGA, RECORD, { until: /═══ Review ═══/ })
  const { cdn } = scene.stage
  const before = {
    audit: auditIn(scene.store).length,
    keys: cdn.count('listApiKeys'),
    records: cdn.count('addDnsRecord'),
  }
  const other = new DatabaseSync(scene.store)
  other.exec('begin immediate')
  try {
    const late = { timeoutMs: 15_000 }
    await scene.submits(OLGA, {}, { ...late, until: /(nothing was sent|Nothing was done)/i })
    await scene.person(OLGA).closeView()
    await scene.types(OLGA, '/cdn keys list', { ...late, until: /audit log cannot be written, so nothing was read/ })
    await scene.types(OLGA, RECORD, { ...late, until: /Nothing was done: CDN Ops does not act without it/ })
    await scene.types(OLGA, '/cdn zones add pull 301 web', {
      ...late,
      until: /Nothing was done: CDN Ops does not act without it/,
    })
    // Without its buttons: what they are for cannot be written.
    const { text } = await scene.types(VERA, '/cdn storage stats 101', { ...late, ...STATISTICS })
    expect(text).not.toContain('Share in channel')
  } finally {
    other.exec('rollback')
    other.close()
  }
  expect(cdn.count('listApiKeys')).toBe(before.keys)
  expect(cdn.count('addDnsRecord')).toBe(before.records)
  expect(
    auditIn(scene.store)
      .slice(before.audit)
      .map(({ event }) => event),
  ).not.toContain('sending')
  await scene.types(OLGA, '/cdn keys list', { until: /Page 1 of 50/ })
  expectAllAcknowledged()
})

function expectAllAcknowledged(): void {
  const { deliveries } = scene.stage.slack
  expect(deliveries.length).toBeGreaterThan(0)
  for (const { outcome, ackMs } of deliveries) {
    expect(outcome).toBe('acked')
    expect(ackMs).toBeLessThan(ACK_MS)
  }
}
