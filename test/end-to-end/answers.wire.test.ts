import { afterAll, beforeAll, expect, test } from 'vitest'
import { GUS, OLGA, OPS, RANDOM, VERA } from '../../src/playground/slack/seed.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { Scene } from './scene.ts'
import { faultOf } from '../support/broken-answers.ts'

const DAY_MS = 86_400_000
const YESTERDAY = new Date(systemClock.now().getTime() - DAY_MS).toISOString().slice(0, 10)
const STATISTICS = { until: /Number of files, by day/ }

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())

test('an answer is shared once, by whom it is for', async () => {
  await scene.types(VERA, '/cdn storage stats 101', STATISTICS)
  const { messages } = await scene.presses(VERA, 'Share in channel', { until: /Shared by @vera/ })
  expect(messages).toMatchObject([{ ephemeral: false }])
  await scene.presses(VERA, 'Share in channel', { until: /Nothing was done[\s\S]*fresh answer/ })
  expect(
    scene
      .person(OLGA)
      .messages(OPS)
      .filter(({ blocks }) => JSON.stringify(blocks).includes('Shared by')),
  ).toHaveLength(1)
})

test('keys are paged in place', async () => {
  await scene.types(OLGA, '/cdn keys list', { until: /Page 1 of 50/ })
  const next = await scene.presses(OLGA, 'Next', { until: /Page 2 of 50/ })
  expect(next.messages).toMatchObject([{ ephemeral: true, edited: true }])
  await scene.presses(OLGA, 'Previous', { until: /Page 1 of 50/ })
})

test('older lines follow, in place of the newer', async () => {
  const first = await scene.types(VERA, '/cdn logs 301 --since 2h --limit 5', { until: /Newest matching lines/ })
  const older = await scene.presses(VERA, 'Older', { until: /edited/ })
  expect(older.messages).toMatchObject([{ edited: true }])
  const times = (text: string): readonly string[] => text.match(/\d\d:\d\d:\d\d\.\d+|\d\d:\d\d:\d\d/g) ?? []
  expect(times(first.text).length).toBeGreaterThan(4)
  expect(times(older.text)).not.toEqual(times(first.text))
})

test('a file goes to the asker alone, and no cell of it is a formula', async () => {
  await scene.types(VERA, `/cdn logs 304 --day ${YESTERDAY} --cache all --csv`, { until: /in the file of the day/ })
  await scene.stage.slack.until(() => scene.person(VERA).files().length === 1)
  const [file] = scene.person(VERA).files()
  expect(file?.channel).toBe(scene.person(VERA).direct())
  expect(file?.content.split('\n').length).toBeGreaterThan(100)
  expect(file?.content).not.toMatch(/(^|,)"?[=+@\t]/m)
  expect(scene.person(OLGA).files()).toEqual([])
})

test('where Slack takes no charts, the plain form is sent, once', async () => {
  const { slack } = scene.stage
  const before = slack.calls.length
  slack.switches.refuseCharts = true
  try {
    const { messages } = await scene.types(VERA, '/cdn storage stats 101', { until: /Storage zone[\s\S]*101/ })
    await scene.answersOthers(OLGA)
    const posts = slack.calls.slice(before).filter(({ args }) => JSON.stringify(args).includes('Storage zone'))
    expect(posts.map(({ status }) => status >= 400)).toEqual([true, false])
    expect(messages).toHaveLength(1)
    expect(messages[0]?.blocks.some(({ type }) => type === 'data_visualization')).toBe(false)
  } finally {
    slack.switches.refuseCharts = false
  }
})

test('in a channel the bot is not in, a result goes by the response address and to the operations channel', async () => {
  const ops = scene.watch(OLGA)
  await scene.types(OLGA, '/cdn dns add 201 A www 192.0.2.10', { channel: RANDOM, until: /═══ Review ═══/ })
  const { messages, text } = await scene.submits(OLGA, {}, { channel: RANDOM, until: /invite it with \/invite/ })
  await scene.person(OLGA).closeView()
  expect(text).toMatch(/was added to DNS zone/)
  expect(messages.filter(({ byBot }) => byBot)).toMatchObject([{ ephemeral: false, channel: RANDOM }])
  await scene.stage.slack.until(() => /was added to DNS zone/.test(ops().text))
})

test('details of a result are for everybody with a role', async () => {
  await scene.types(OLGA, '/cdn library create demo', { until: /═══ Review ═══/ })
  await scene.submits(OLGA, {}, { until: /═══ Done ═══/ })
  await scene.person(OLGA).closeView()
  await scene.stage.slack.until(() =>
    /was created/.test(JSON.stringify(scene.person(VERA).messages(OPS).at(-1)?.blocks)),
  )
  const label = 'All fields'
  const details = await scene.presses(VERA, label, { until: /PlayerVersion|Player/ })
  expect(details.messages).toMatchObject([{ ephemeral: true }])
  const refused = await scene.presses(GUS, label, { until: /Nothing was shown/ })
  expect(refused.messages).toMatchObject([{ ephemeral: true }])
})

test('a slow file is spoken of while it is read', async () => {
  const { cdn, slack } = scene.stage
  cdn.faults.set('streamDayFile', faultOf({ kind: 'drip', bytes: 20_000, everyMs: 6 }))
  const watch = scene.watch(VERA)
  const doing = { until: /in the file of the day/, timeoutMs: 20_000 }
  const answered = scene.types(VERA, `/cdn logs 304 --day ${YESTERDAY}`, doing)
  const progress = (): number =>
    watch().messages.filter(({ blocks }) => JSON.stringify(blocks).includes(':hourglass')).length
  await slack.until(() => progress() === 1)
  // The second word comes ten seconds after the start. In two steps, so that no post seems to hang.
  scene.clock.turn(5_000)
  await scene.answersOthers(OLGA)
  scene.clock.turn(5_000)
  await slack.until(() => progress() === 2)
  await answered
  cdn.faults.clear()
  expect(progress()).toBe(2)
  expect(watch().messages).toHaveLength(3)
})

test('a response address was never used more often than Slack lets it', () => {
  const used = scene.stage.slack.calls.filter(({ method }) => method === 'response_url')
  expect(used.length).toBeGreaterThan(10)
  expect(used.filter(({ answer }) => JSON.stringify(answer).includes('used_url'))).toEqual([])
})

test('another slash command is told which one is meant', async () => {
  const other = await Scene.start({ settings: { COMMAND: '/ops' } })
  try {
    const { text } = await other.types(VERA, '/cdn storage stats 101', { until: /answers to/ })
    expect(text).toMatch(/CDN Ops answers to \/ops only\. Nothing was done/)
    expect(other.stage.cdn.requests).toEqual([])
  } finally {
    await other.close()
  }
})
