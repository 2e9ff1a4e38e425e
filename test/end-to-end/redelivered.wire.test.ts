import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/seed.ts'
import { auditIn } from '../support/store-file.ts'
import { Scene, type Seen } from './scene.ts'
import { forger } from '../support/forger.ts'

const REVIEW = { until: /═══ Review ═══/ }

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())

const redeliver = (who: string) => forger(scene.stage.slack, who).redeliver()
const events = (): readonly string[] => auditIn(scene.store).map(({ event }) => event)

/** What comes of a second delivery, once everything that it could lead to has had its time. */
async function again(who: string): Promise<Seen> {
  const watch = scene.watch(who)
  await redeliver(who)
  await scene.answersOthers(VERA)
  return watch()
}

describe('what Slack delivers twice', () => {
  test('is answered once: a read', async () => {
    await scene.types(OLGA, '/cdn changes list', { until: /asked for|newest first/ })
    expect((await again(OLGA)).messages).toEqual([])
  })

  test('opens one form', async () => {
    await scene.types(OLGA, '/cdn dns add', { until: /═══ Add a DNS record ═══/ })
    const { id } = scene.person(OLGA).view() ?? {}
    expect((await again(OLGA)).messages).toEqual([])
    expect(scene.person(OLGA).view()?.id).toBe(id)
    await scene.person(OLGA).closeView()
  })

  test('has its effect once, and says so the second time: a write to the bot', async () => {
    await scene.types(OLGA, '/cdn zones add pull 301 web', { until: /web.*pull zone 301/ })
    const { text } = await again(OLGA)
    expect(text).toMatch(/done already/)
    expect(events().filter((event) => event === 'zone_added')).toHaveLength(1)
  })

  test('undoes once', async () => {
    await scene.presses(OLGA, 'Undo', { until: /removed/ })
    await again(OLGA)
    expect(events().filter((event) => event === 'zone_removed')).toHaveLength(1)
  })

  test('is sent once: a confirmed review', async () => {
    const before = scene.stage.cdn.count('addDnsRecord')
    await scene.types(OLGA, '/cdn dns add 201 A www 192.0.2.10', REVIEW)
    await scene.submits(OLGA, {}, { until: /═══ Done ═══/ })
    await again(OLGA)
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(before + 1)
    await scene.person(OLGA).closeView()
  })

  test('is asked for, approved and sent once', async () => {
    const before = scene.stage.cdn.count('createVideoLibrary')
    await scene.types(OLGA, '/cdn library create films --encoding-tier premium', REVIEW)
    await scene.submits(OLGA, {}, { until: /Others have been asked/ })
    await again(OLGA)
    await scene.person(OLGA).closeView()
    await scene.presses(OTTO, 'Approve …', { until: /═══ Approve\? ═══/ })
    expect((await again(OTTO)).messages).toEqual([])
    await scene.submits(OTTO, {}, { until: /═══ Done ═══/ })
    await again(OTTO)
    await scene.person(OTTO).closeView()
    expect(scene.stage.cdn.count('createVideoLibrary')).toBe(before + 1)
    const told = auditIn(scene.store)
      .filter(({ operation }) => operation === 'library create')
      .map(({ event }) => event)
    expect(told.filter((event) => event !== 'denied')).toEqual(['requested', 'approval', 'approved', 'sending', 'done'])
    expect(
      scene
        .person(OTTO)
        .messages(OPS)
        .filter(({ text }) => text.includes('films')),
    ).toHaveLength(1)
  })
})
