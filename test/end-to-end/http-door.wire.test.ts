import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OLGA, SAM, VERA } from '../../src/playground/slack/state/seed.ts'
import { auditIn } from '../support/store-file.ts'
import { Scene } from './scene.ts'
import { failNext } from '../support/failing-slack.ts'

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
    expect(scene.late()).toEqual([])
  })

  test('Home is drawn when it is opened', async () => {
    await scene.person(OLGA).openHome()
    expect(await scene.stage.slack.until(() => scene.person(OLGA).home())).toBeDefined()
    expect(scene.late()).toEqual([])
  })

  test('a person of another workspace has no role, which is on record', async () => {
    await scene.types(SAM, '/cdn storage stats 101', { until: /other workspaces have no role|role viewer/ })
    expect(auditIn(scene.store).findLast(({ actor }) => actor === SAM)).toMatchObject({ event: 'denied' })
  })
})

describe('Slack has its acknowledgement in time over HTTP', () => {
  test('while Slack wants fewer calls', async () => {
    failNext(scene.stage.slack, 'views.open', { status: 429, retryAfterS: 30 })
    const { text } = await scene.types(OLGA, '/cdn dns add', {
      until: /Slack may not have shown the form \(ratelimited\)/,
    })
    expect(text).toMatch(/Nothing was done/)
    expect(scene.late()).toEqual([])
  })

  test('while the store is locked: what is read is answered, what is written is not done', async () => {
    const other = new DatabaseSync(scene.store)
    other.exec('begin immediate')
    try {
      const late = { timeoutMs: 15_000 }
      const read = await scene.types(VERA, '/cdn storage stats 101', { ...late, ...STATISTICS })
      // What its buttons are for cannot be written.
      expect(read.text).not.toContain('Share in channel')
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
    expect(scene.late()).toEqual([])
  })
})
