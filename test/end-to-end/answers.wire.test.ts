import { afterAll, beforeAll, expect, test } from 'vitest'
import { OLGA, OPS, RANDOM, VERA } from '../../src/playground/slack/state/seed.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { Scene } from './scene.ts'

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

test('a zone by its id is offered a name once, to whoever may give it', async () => {
  const viewers = await scene.types(VERA, '/cdn storage stats 101', STATISTICS)
  expect(viewers.text).not.toContain('Name this zone')
  await scene.types(OLGA, '/cdn storage stats 101', { until: /\[Name this zone\]/ })
  const form = await scene.presses(OLGA, 'Name this zone', { until: /═══ Name a zone ═══/ })
  expect(form.view?.values).toMatchObject({ id: { value: { value: '101' } } })
  await scene.person(OLGA).closeView()
  expect((await scene.types(OLGA, '/cdn storage stats 101', STATISTICS)).text).not.toContain('Name this zone')
})

test('a name that is not known is answered with those there are, each as a button', async () => {
  await scene.types(OLGA, '/cdn zones add pull 301 webshop', { until: /is now the name/ })
  const { text } = await scene.types(VERA, '/cdn status elsewhere', { until: /No pull zone is named elsewhere/ })
  expect(text).toMatch(/There is webshop; for another, type its id[\s\S]*\[webshop\]/)
  await scene.presses(VERA, 'webshop', { until: /webshop(?! ?\])[\s\S]*Refresh/ })
})

test('a file goes to the asker alone, and no cell of it is a formula', async () => {
  await scene.types(VERA, `/cdn logs 304 --day ${YESTERDAY} --cache all --csv`, {
    until: /file of the day[\s\S]*Sent to your direct messages/,
  })
  await scene.stage.slack.until(() => scene.person(VERA).files().length === 1)
  const [file] = scene.person(VERA).files()
  expect(file?.channel).toBe(scene.person(VERA).direct())
  expect(file?.content.split('\n').length).toBeGreaterThan(100)
  expect(file?.content).not.toMatch(/(^|,)"?[=+@\t]/m)
  expect(scene.person(OLGA).files()).toEqual([])
})

test('in a channel the bot is not in, a result goes by the response address and to the operations channel', async () => {
  const ops = scene.watch(OLGA)
  await scene.types(OLGA, '/cdn dns add 201 A www 192.0.2.10', { channel: RANDOM, until: /═══ Review ═══/ })
  const { messages, text } = await scene.submits(OLGA, {}, { channel: RANDOM, until: /invite it with \/invite/ })
  await scene.person(OLGA).closeView()
  expect(text).toMatch(/added an? .* to DNS zone/)
  expect(messages.filter(({ byBot }) => byBot)).toMatchObject([{ ephemeral: false, channel: RANDOM }])
  await scene.stage.slack.until(() => /added an? .* to DNS zone/.test(ops().text))
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
