import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

/** Of real time, from the click to where a story leads. */
const LED_WITHIN_MS = 60_000
const TEST_TIMEOUT_MS = 90_000

let playground: BrowserStage
beforeAll(async () => void (playground = await BrowserStage.start({ oneTime: true })))
afterAll(() => playground.close())

/** Plays a story by its one button, and resolves once it has led to a message that is in sight. */
async function plays(visit: Visit, story: string, words: string): Promise<void> {
  await visit.page.locator(`.stories [data-story="${story}"]`).click()
  const card = visit.content.locator('article:focus').filter({ hasText: words })
  await card.waitFor({ timeout: LED_WITHIN_MS })
  expect(await inSight(visit, await card.getAttribute('id'))).toBe(true)
}

/** Whether the beginning of a message lies within the window of the conversation. */
async function inSight({ page }: Visit, id: string | null): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top } = document.getElementById('${id}').getBoundingClientRect()
    const box = document.querySelector('#content').getBoundingClientRect()
    return top >= box.top - 1 && top < box.bottom
  })()`)
}

describe('each story is one click away, and leads', () => {
  it('to the alert, once the origin of the shop has failed', { timeout: TEST_TIMEOUT_MS }, async () => {
    await playground.plays({}, async (visit) => {
      await plays(visit, 'alert', 'shop: origin failing')
      await visit.press('Acknowledge', visit.message('shop: origin failing'))
      await visit.message('Looked after by').waitFor()
      await visit.page.getByText('Done. Everybody in the channel').waitFor()
      playground.turn('origin-down', false)
    })
  })

  it('from Olga, who asks, to Otto, who approves', { timeout: TEST_TIMEOUT_MS }, async () => {
    await playground.plays({ who: 'vera', at: 'ops' }, async (visit) => {
      await plays(visit, 'approval', 'Waiting for approval')
      expect(new URL(visit.page.url()).searchParams.get('who')).toBe('otto')
      await visit.press('Approve …', visit.message('Waiting for approval'))
      await visit.press('Approve', visit.titled('Approve?'))
      await visit.message('Approved by').waitFor()
      await visit.page.getByText('Done. The record was sent once').waitFor()
    })
  })

  it('to a lost answer, which one looks up and settles', { timeout: TEST_TIMEOUT_MS }, async () => {
    await playground.plays({}, async (visit) => {
      await plays(visit, 'unknown', 'it may or may not have happened')
      const card = visit.message('it may or may not have happened')
      const comment = /cdn-ops [0-9a-f]{8}/.exec(await card.innerText())?.[0] ?? 'no comment'
      const [panel] = await Promise.all([
        visit.page.context().waitForEvent('page'),
        card.getByRole('link', { name: 'Open it in the CDN’s panel' }).click(),
      ])
      await panel.locator('#dns-zone-201 tr').filter({ hasText: comment }).getByText('lost').waitFor()
      await panel.close()
      await visit.press('It exists', card)
      await visit.press('It exists', visit.titled('It exists?'))
      await visit.message('A person looked: it is there').waitFor()
      await visit.page.getByText('Done. What you found').waitFor()
    })
  })
})
