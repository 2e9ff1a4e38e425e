import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADA, OLGA, OPERATORS_GROUP, OPS, OTTO, RANDOM, VERA } from '../../src/playground/slack/state/seed.ts'
import { renderView } from '../../src/playground/slack/render-text.ts'
import { forger } from '../support/forger.ts'
import { approves, asks, cardOf, eventsOf, groupHas } from './approving.ts'
import type { Scene } from './scene.ts'
import { onPostgres, type StartScene } from './stores.ts'

/** Two bots on one store: what was begun at one goes on at the other. */

const CONFIG = `roles:
  admin: { users: [${ADA}] }
  operator: { groups: [${OPERATORS_GROUP}] }
  viewer: { users: [${VERA}] }
`
const REVIEW = { until: /═══ Review ═══/ }
/** Longer than it takes to leave Slack. */
const SLOW_MS = 2_000
const STATISTICS = /Number of files, by day/

onPostgres((start) => {
  viaRequests(start)
  viaLinks(start)
})

/** Slack sends requests, so that a test says which bot has the next. */
function viaRequests(start: StartScene): void {
  let scene: Scene
  let first: () => Promise<void>
  let second: () => Promise<void>
  beforeAll(async () => {
    scene = await start({ http: true, config: CONFIG })
    const requestUrl = scene.bot.requestUrl
    const other = await scene.bot.startAnother()
    first = () => scene.bot.sendTo({ requestUrl })
    second = () => scene.bot.sendTo(other)
    await groupHas(scene, OPERATORS_GROUP, [OLGA, OTTO])
    await scene.types(ADA, '/cdn zones add storage 101 media', { until: /media.*101/ })
  })
  beforeEach(() => first())
  afterAll(async () => scene.close())
  const sent = (): number => scene.stage.cdn.count('createVideoLibrary')

  test('a form is answered where it was asked, where CDN Ops is no member', async () => {
    const here = { channel: RANDOM }
    await scene.types(VERA, '/cdn storage stats', { ...here, until: /═══ Storage/ })
    await second()
    const { messages } = await scene.submits(VERA, { 'storageZone:storage': '101' }, { ...here, until: STATISTICS })
    expect(messages.filter(({ byBot }) => byBot)).toMatchObject([{ ephemeral: true, channel: RANDOM }])
  })

  test('a form goes on, back, and ends', async () => {
    await scene.types(OLGA, '/cdn library create', { until: /Step 1 of 4/ })
    for (const [step, entries] of [{ name: 'demo' }, {}, {}].entries()) {
      await (step % 2 === 0 ? second() : first())
      await scene.submits(OLGA, entries, { until: new RegExp(`Step ${step + 2} of 4`) })
    }
    await first()
    await scene.submits(OLGA, {}, { until: /═══ Review ═══[\s\S]*demo/ })
    await second()
    const before = sent()
    await scene.submits(OLGA, {}, { until: /═══ Done ═══[\s\S]*demo/ })
    expect(sent()).toBe(before + 1)
    await scene.person(OLGA).closeView()
  })

  test('buttons under an answer work', async () => {
    await scene.types(OLGA, '/cdn keys list', { until: /Page 1 of/ })
    await second()
    await scene.presses(OLGA, 'Next', { until: /Page 2 of/ })
    await first()
    const { messages } = await scene.presses(OLGA, 'Next', { until: /Page 3 of/ })
    expect(messages).toMatchObject([{ ephemeral: true }])
  })

  test('what one was asked is approved at the other, and sent once', async () => {
    const before = sent()
    const id = await asks(scene)
    await second()
    await approves(scene, OTTO, id, /═══ Done ═══/)
    expect(sent()).toBe(before + 1)
    expect(await eventsOf(scene, id)).toEqual(['requested', 'approval', 'approved', 'sending', 'done'])
  })

  test('a question in a thread is answered there', async () => {
    const { ts } = cardOf(scene, await asks(scene, { command: 'library create others --encoding-tier premium' }))
    await second()
    const asked = scene.does(VERA, (person) => person.say(OPS, '@cdn-ops storage stats 101', { threadTs: ts }), {
      until: STATISTICS,
    })
    expect((await asked).messages.filter(({ byBot }) => byBot)).toMatchObject([{ threadTs: ts, ephemeral: false }])
  })

  test('one that ends has left before it finishes what it does', async () => {
    const other = await scene.bot.startAnother()
    await scene.bot.sendTo(other)
    await scene.types(OLGA, '/cdn library create last', REVIEW)
    scene.stage.cdn.faults.set('createVideoLibrary', { kind: 'slow', delayMs: SLOW_MS })
    await scene.submits(OLGA, {}, { until: /being sent/ })
    const ended = other.app.stop()
    await expect.poll(() => isOpen(other.requestUrl)).toBe(false)
    expect(renderView(scene.person(OLGA).view()!)).toContain('being sent')
    await first()
    await scene.types(VERA, '/cdn whoami', { until: /You are/ })
    await scene.does(OLGA, async () => ({ ok: true }), { until: /═══ Done ═══[\s\S]*last/ })
    await ended
    scene.stage.cdn.faults.clear()
    await scene.person(OLGA).closeView()
  })

  test('who is no operator any more writes at none of them', async () => {
    await second()
    await scene.types(OTTO, '/cdn library create late', REVIEW)
    const before = sent()
    await first()
    await groupHas(scene, OPERATORS_GROUP, [OLGA])
    await second()
    await scene.submits(OTTO, {}, { until: /Nothing was (done|sent)/ })
    expect(sent()).toBe(before)
    await scene.person(OTTO).closeView()
    await scene.types(OTTO, '/cdn zones add dns 202 late', { until: /Only operators/ })
  })
}

/** Whether anything takes connections there. */
async function isOpen(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

const LINKS_OF_BOTH = 4

/** Slack spreads what it sends over the links of both. */
function viaLinks(start: StartScene): void {
  let scene: Scene
  beforeAll(async () => {
    scene = await start()
    await scene.bot.startAnother()
  })
  afterAll(async () => scene.close())

  test('links of both take turns, and each request is carried out once', async () => {
    const before = scene.stage.cdn.count('createVideoLibrary')
    for (let n = 0; n < 4; n += 1) {
      await approves(
        scene,
        OTTO,
        await asks(scene, { command: `library create f${n} --encoding-tier premium` }),
        /═══ Done ═══/,
      )
      // One delivery more, so that the next round begins at another link.
      await scene.types(VERA, '/cdn whoami', { until: /You (are|have)/ })
    }
    expect(scene.stage.cdn.count('createVideoLibrary')).toBe(before + 4)
  })

  /** Slack delivers again what it sent last for somebody; resolves once all that this could lead to has had its time. */
  const again = async (who: string): Promise<void> => {
    await forger(scene.stage.slack, who).redeliver()
    // Each takes as long as anything that is delivered again here.
    for (const zone of [101, 102]) await scene.types(ADA, `/cdn storage stats ${zone}`, { until: STATISTICS })
  }
  /** Each time it begins at another link, and goes on at the next: at the same bot, or at the other one. */
  const atEachLink = async (work: () => Promise<void>): Promise<void> => {
    for (let link = 0; link < LINKS_OF_BOTH; link += 1) {
      const before = deliveries()
      await work()
      while ((deliveries() - before) % LINKS_OF_BOTH !== 1) await scene.person(ADA).command(OPS, '/cdn whoami')
    }
  }
  const deliveries = (): number => scene.stage.slack.deliveries.length

  test('what is delivered again over another link is answered once: a command', () =>
    atEachLink(async () => {
      await scene.types(VERA, '/cdn storage stats 102', { until: STATISTICS })
      const watch = scene.watch(VERA)
      await again(VERA)
      expect(watch().messages).toEqual([])
    }))

  test('what is delivered again over another link is answered once: a question', () =>
    atEachLink(async () => {
      const channel = scene.person(VERA).direct()
      await scene.does(VERA, (person) => person.say(channel, 'storage stats 102'), { channel, until: STATISTICS })
      const watch = scene.watch(VERA, channel)
      await again(VERA)
      expect(watch().messages).toEqual([])
    }))
}
