import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OLGA, OPERATORS_GROUP, OPS } from '../../src/playground/slack/state/seed.ts'
import type { ReplyBody } from '../../src/alerts/incidents/incident-reply.ts'
import type { NewAlertPost } from '../../src/store/schema/alert-records.ts'
import { openStore } from '../../src/store/store.ts'
import { silentLog } from '../store/harness.ts'
import { sampleAlert, sampleDoc } from '../support/sample-incident.ts'
import { Scene } from './scene.ts'

const KEY = 'R0UT1NGKEY00000000000000000hush0'
const ID = 'abcdef01'.repeat(4)
/** Longer than the first pause after a failure. */
const PAUSE_MS = 6_000
/** One message a second goes to a channel, and other suites take their share of the machine. */
const PATIENCE = { timeout: 8_000 }

/** A paging service: takes events with 202, or answers what it was told to. */
let service: Server
let taken: Record<string, unknown>[]
let status: number
let asked: number
let scene: Scene
beforeEach(async () => {
  taken = []
  asked = 0
  status = 202
  service = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      asked += 1
      if (status === 202) taken.push(JSON.parse(body) as Record<string, unknown>) // what the bot sent itself
      response.writeHead(status).end('{"status":"success"}')
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo // a TCP server has this form of address
  const address = `http://127.0.0.1:${port}/v2/enqueue`
  scene = await Scene.start({ settings: { ALERT_WEBHOOK_URL: address, ALERT_ROUTING_KEY: KEY } })
})
afterEach(async () => {
  await scene.close()
  service.closeAllConnections()
  service.close()
})

/** An incident is written, with what has to be told of it, while no bot runs to tell it; then one starts. */
async function happens(reply?: ReplyBody): Promise<void> {
  await scene.bot.restart(async () => {
    const { clock } = scene
    const store = await openStore({ url: scene.store, clock, log: silentLog, auditKey: undefined })
    const alerts = [sampleAlert()]
    const incident = { id: ID, subject: 'pull/301', channelId: OPS, openedAt: clock.now(), doc: sampleDoc({ alerts }) }
    const post = (what: NewAlertPost['what'], body?: unknown) => {
      return { incidentId: ID, channelId: OPS, what, body, dueAt: clock.now() }
    }
    const replies = reply === undefined ? [] : [post('reply', reply)]
    const posts = [post('card'), ...replies, post('webhook', { status: 'firing', alerts })]
    await store.alerts.commit({ subject: 'pull/301', revision: 0, watch: {}, incidents: [incident], posts })
    await store.close()
  })
}
const actions = (): readonly unknown[] => taken.map(({ event_action: action }) => action)

test('an incident pages, is acknowledged from Slack, and resolved by the same key', async () => {
  await happens()
  await expect.poll(actions, PATIENCE).toEqual(['trigger'])
  expect(taken[0]).toMatchObject({ client_url: 'https://panel.example.com/pull-zone/301' })
  await scene.types(OLGA, '/cdn alerts acknowledge abcdef01', { until: /acknowledged the alert/ })
  await expect.poll(actions, PATIENCE).toEqual(['trigger', 'acknowledge'])
  await scene.types(OLGA, '/cdn alerts dismiss abcdef01', { until: /is closed/ })
  await expect.poll(actions, PATIENCE).toEqual(['trigger', 'acknowledge', 'resolve'])
  for (const event of taken) expect(event).toMatchObject({ routing_key: KEY, dedup_key: ID })
  expect(scene.log.join('')).not.toContain(KEY)
})

test('what the service did not take before the bot ended is told by the next one, in order, and once', async () => {
  status = 500
  await happens()
  await scene.types(OLGA, '/cdn alerts acknowledge abcdef01', { until: /acknowledged the alert/ })
  await expect
    .poll(() => scene.log.some((line) => line.includes('the configured address did not take a message')))
    .toBe(true)
  await scene.bot.restart(async () => void (status = 202))
  scene.clock.turn(PAUSE_MS)
  await expect.poll(actions, PATIENCE).toEqual(['trigger', 'acknowledge'])
  await scene.bot.restart()
  await scene.answersOthers(OLGA)
  expect(actions()).toEqual(['trigger', 'acknowledge'])
})

test('whom an alert calls next is called by the bot that starts, once, in the thread and for the channel to see', async () => {
  const called = () =>
    scene
      .person(OLGA)
      .messages(OPS)
      .filter(({ blocks }) => JSON.stringify(blocks).includes(`<!subteam^${OPERATORS_GROUP}>`))
  await happens({ kind: 'nobody acknowledged', alert: sampleAlert(), escalate: OPERATORS_GROUP, broadcast: true })
  await expect
    .poll(called, PATIENCE)
    .toMatchObject([{ text: expect.stringContaining('Still not acknowledged'), broadcast: true }])
  await scene.bot.restart()
  await scene.answersOthers(OLGA)
  expect(called()).toHaveLength(1)
})

test('what is refused for the key or the address is told once that is mended', async () => {
  await refuseForHalfAnHour(404)
  status = 202
  // The pause after the last refusal may begin only now.
  await expect
    .poll(() => {
      scene.clock.turn(PAUSE_MS)
      return actions()
    }, PATIENCE)
    .toEqual(['trigger'])
})

test('what is refused as it is for half an hour is given up', async () => {
  await refuseForHalfAnHour(400)
  await expect.poll(() => scene.log.some((line) => line.includes('refuses it: it answered with 400'))).toBe(true)
  expect(actions()).toEqual([])
})

async function refuseForHalfAnHour(refusal: number): Promise<void> {
  status = refusal
  await happens()
  await expect.poll(() => asked, PATIENCE).toBeGreaterThan(0)
  scene.clock.turn(31 * 60_000)
  const before = asked
  await expect.poll(() => asked, PATIENCE).toBeGreaterThan(before)
}
