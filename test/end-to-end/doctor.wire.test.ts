import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { ADA, BOT_USER_ID, GENERAL, OLGA, OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import { PROGRAM } from '../../src/store/schema/audit-entry.ts'
import { closedPort } from '../support/bot.ts'
import { entriesBy, recordOf } from './approving.ts'
import { PREFLIGHT_MS, Scene } from './scene.ts'

const CONFIG = `
roles: {admin: {users: [${ADA}]}, operator: {users: [${OLGA}]}, viewer: {users: [${VERA}]}}
alerts: {rules: [{kind: cache-not-working, zone: 301, channel: ${OPS}}]}
`

let scene: Scene
let port: number
beforeAll(async () => {
  port = await closedPort()
  scene = await Scene.start({ config: CONFIG, settings: { HEALTH_PORT: `127.0.0.1:${port}` } })
})
afterAll(async () => scene.close())

const keysListed = (): number => scene.stage.cdn.count('listApiKeys')

describe('/cdn doctor', () => {
  test('says in a line that nothing is wrong, and on request what was looked at; on record before keys are read', async () => {
    const before = keysListed()
    const { text } = await scene.types(OLGA, '/cdn doctor', { until: /Nothing is wrong/ })
    expect(text).not.toMatch(/could not be made/)
    expect(keysListed()).toBe(before + 1)
    expect((await entriesBy(OLGA, scene)).at(-1)).toMatchObject({ operation: 'doctor', event: 'read' })
    await scene.presses(OLGA, 'All checks', {
      until: /bot token\*: for the workspace[\s\S]*CDN key\*: accepted, with User/,
    })
  })

  test('says what is wrong and what to do, and looks again', async () => {
    const { workspace } = scene.stage.slack
    workspace.setMembership(OPS, BOT_USER_ID, false)
    const seen = {
      channel: GENERAL,
      until: /1 thing is wrong[\s\S]*CDN Ops is not in OPS_CHANNEL[\s\S]*Invite CDN Ops/,
    }
    expect((await scene.types(OLGA, '/cdn doctor', seen)).text).toContain('[Check again]')
    workspace.setMembership(OPS, BOT_USER_ID, true)
    await scene.presses(OLGA, 'Check again', { channel: GENERAL, until: /Nothing is wrong/ })
  })
})

test('charts that Slack refuses are said, and stop nothing', async () => {
  const { switches } = scene.stage.slack
  switches.refusedBlocks = ['data_visualization']
  await scene.types(OLGA, '/cdn storage stats 101', { until: /Number of files, by day/ })
  switches.refusedBlocks = []
  const { text } = await scene.types(OLGA, '/cdn doctor', { until: /Slack refused chart/ })
  expect(text).toContain('npm run live-check')
})

test('the health port says what the bot sees of its store and of logs, and no more', async () => {
  scene.stage.cdn.world.setLogging(301n, 'off')
  const before = keysListed()
  const answer = await fetch(`http://127.0.0.1:${port}/doctor`)
  expect(await answer.json()).toMatchObject([
    { check: 'mentioned by alerts', seen: 'nobody is named' },
    { check: 'charts and tables', findings: [{ cause: 'drawings', stops: false }] },
    { check: 'store', findings: [] },
    { check: 'replicas', seen: 'one process has the store for itself' },
    { check: 'logs', findings: [{ cause: 'logs:404:301' }] },
  ])
  scene.stage.cdn.world.setLogging(301n, 'on')
  expect(keysListed()).toBe(before)
})

describe('after a start', () => {
  const told = (): number =>
    scene
      .person(OLGA)
      .messages(OPS)
      .filter((message) => /something does not work[\s\S]*may not|list API keys \(403\)/.test(renderMessage(message)))
      .length
  const isKnown = (): boolean => {
    const database = new DatabaseSync(scene.store, { readOnly: true })
    const row = database.prepare(`select value from remembered where name = 'findings'`).get()
    database.close()
    return String(row?.['value']).includes('cdn-key:403')
  }
  /** Until what it found is told, and kept. */
  const looks = async (known: boolean): Promise<void> => {
    const calls = keysListed()
    scene.clock.turn(PREFLIGHT_MS)
    await expect.poll(keysListed).toBe(calls + 1)
    await expect.poll(isKnown).toBe(known)
  }

  test('what stops something is told in the operations channel and the log, once for each time it begins', async () => {
    const { faults } = scene.stage.cdn
    const logged = (): number => scene.log.join('').split('"cause":"cdn-key:403"').length - 1
    faults.set('listApiKeys', { kind: 'status', status: 403 })
    await scene.bot.restart()
    await looks(true)
    await expect.poll(told).toBe(1)
    expect(logged()).toBe(1)
    expect((await recordOf(scene)).at(-1)).toMatchObject({ operation: 'doctor', actor: PROGRAM, event: 'read' })
    await scene.bot.restart()
    await looks(true)
    faults.clear()
    await scene.bot.restart()
    await looks(false)
    expect([told(), logged()]).toEqual([1, 1])
    faults.set('listApiKeys', { kind: 'status', status: 403 })
    await scene.bot.restart()
    await looks(true)
    await expect.poll(told).toBe(2)
    expect(logged()).toBe(2)
  })
})
