import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

/** Reading three days back takes its time on a busy machine. */
const WATCHED_WITHIN_MS = 40_000
/** Its requests count against the limit for so long, which at sixty times the speed would be ten minutes without news. */
const PAST_READING_BACK_MS = 10_100
/** Of real time, at sixty times the speed: a quarter of an hour for the shop. */
const TOLD_WITHIN_MS = 15_000
/** An hour and a half: windows have to empty, and then it has to stay well for a while. */
const RESOLVED_WITHIN_MS = 90_000
const TEST_TIMEOUT_MS = 180_000

let playground: BrowserStage
beforeAll(async () => {
  playground = await BrowserStage.start({ oneTime: true })
})
afterAll(async () => playground.close())

const cards = (visit: Visit) => visit.content.locator('article').filter({ hasText: 'shows what this channel gets' })

describe('an origin that fails at sixty times the speed', () => {
  it(
    'is told within 15 s, acknowledged, silenced, asked about in its thread, and resolved in the same message',
    async () => {
      await playground.plays({ who: 'olga' }, async (olga) => {
        await olga.type('/cdn alerts watch shop')
        await olga.message('Pull zone shop (301) is watched now').waitFor({ timeout: WATCHED_WITHIN_MS })

        playground.clock.turn(PAST_READING_BACK_MS)
        playground.turn('fast-time', true)
        playground.turn('origin-down', true)
        await cards(olga).first().waitFor({ timeout: TOLD_WITHIN_MS })
        const ts = await cards(olga).first().getAttribute('data-ts')
        const card = olga.content.locator(`article[data-ts="${ts}"]`)
        const element = await card.elementHandle()
        await card.getByText('shop (301)').first().waitFor()

        await olga.press('Acknowledge', card)
        await card.getByText('Acknowledged by').waitFor()
        expect(await card.locator('button').filter({ hasText: 'Acknowledge' }).count()).toBe(0)
        await card.hover()
        await card.getByRole('link', { name: 'Reply in thread' }).click()
        const thread = olga.page.locator('#thread')
        await olga.press('Silence 8 h', card)
        await thread.getByText('Silenced by').waitFor()
        await answered(olga, '@cdn-ops status', /hit ratio/i)
        await answered(olga, '@cdn-ops logs --cache STALE --since 30m', 'STALE')
        expect(await thread.locator('article').count()).toBeGreaterThanOrEqual(5)

        playground.turn('origin-down', false)
        await card.getByText('✅ Resolved').first().waitFor({ timeout: RESOLVED_WITHIN_MS })
        expect(await element?.evaluate((article) => article.isConnected && article.textContent)).toContain('Resolved')
        expect(await cards(olga).count()).toBe(1)
        expect(await card.locator('button').filter({ hasText: 'Silence' }).count()).toBe(0)
      })
    },
    TEST_TIMEOUT_MS,
  )
})

/** Writes into the open thread and waits for what the bot says to it. */
async function answered(visit: Visit, words: string, expected: string | RegExp): Promise<void> {
  const field = visit.page.locator('#reply')
  await field.fill(words)
  await field.press('Enter')
  const thread = visit.page.locator('#thread')
  await thread
    .locator('article')
    .filter({ hasText: words.slice('@cdn-ops '.length) })
    .last()
    .waitFor()
  await thread.locator('article').filter({ hasText: 'APP' }).filter({ hasText: expected }).last().waitFor()
}
