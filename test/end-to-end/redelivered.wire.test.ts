import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import { auditIn } from '../support/store-file.ts'
import { Scene, type Seen } from './scene.ts'
import { forger } from '../support/forger.ts'

const REVIEW = { until: /═══ Review ═══/ }

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())

const redeliver = (who: string) => forger(scene.stage.slack, who).redeliver()

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

  test('is asked for, approved and sent once', async () => {
    const before = scene.stage.cdn.count('createVideoLibrary')
    await scene.types(OLGA, '/cdn library create films --encoding-tier premium', REVIEW)
    await scene.submits(OLGA, {}, { until: /Others are being asked/ })
    await scene.stage.slack.until(() =>
      scene
        .person(OTTO)
        .messages(OPS)
        .some(({ text }) => text.includes('films')),
    )
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
