import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

const STATISTICS = '/cdn storage stats shop'
const ANSWER = 'Storage zone shop (101)'

let playground: BrowserStage
beforeAll(async () => void (playground = await BrowserStage.start()))
afterAll(() => playground.close())

describe('charts and tables', () => {
  afterEach(() => playground.turn('refuse-charts', false))

  it('are drawn: lines over axes with marks, and a description of the numbers', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type(STATISTICS)
      const answer = visit.message(ANSWER)
      const chart = answer.getByRole('img', { name: 'Storage used in GB, by day' })
      await chart.waitFor()
      await answer.getByRole('img', { name: 'Number of files, by day' }).waitFor()
      const box = await chart.boundingBox()
      expect(box!.width).toBeGreaterThan(300)
      expect(box!.height).toBeGreaterThan(100)
      const line = await chart.locator('polyline').boundingBox()
      expect(line!.width).toBeGreaterThan(box!.width / 2)
      expect(line!.height).toBeGreaterThan(20)
      expect(await chart.locator('desc').textContent()).toMatch(/16 values from .*least .*most .*last/)
      expect(await chart.locator('text.mark').count()).toBeGreaterThan(5)
    })
  })
})

describe('Home', () => {
  it('says what one may do and opens a form', async () => {
    await playground.plays({ at: 'home' }, async (visit) => {
      await visit.content.getByText('You are an operator').waitFor()
      await visit.press('Add a DNS record', visit.content)
      await visit.titled('Add a DNS record').waitFor()
      await visit.press('Cancel')
      await visit.modal.waitFor({ state: 'detached' })
    })
  })
})

describe('light and dark', () => {
  it('follow the system', async () => {
    await playground.plays({ system: 'dark' }, async (visit) => expect(await brightness(visit)).toBeLessThan(0.2))
    await playground.plays({ system: 'light' }, async (visit) => expect(await brightness(visit)).toBeGreaterThan(0.8))
  })
})

describe('a narrow window', () => {
  it('has the sidebar behind a button and nothing wider than itself', async () => {
    await playground.plays({ viewport: { width: 400, height: 800 } }, async (visit) => {
      await visit.type(STATISTICS)
      await visit.message(ANSWER).locator('[data-table]').waitFor()
      expect(await visit.excess()).toEqual([0, 0])
      await visit.page.getByRole('button', { name: 'Open the sidebar' }).click()
      await visit.page.getByRole('link', { name: 'Vera Hribar' }).click()
      await expect.poll(() => new URL(visit.page.url()).searchParams.get('who')).toBe('vera')
    })
  })
})

// Stands last: the bot remembers for an hour that it was refused.
describe('charts and tables that the workspace refuses', () => {
  it('come in their plain form', async () => {
    await playground.plays({ panel: 'platform' }, async (visit) => {
      const refusing = visit.page.getByRole('switch', { name: 'No charts or tables' })
      await refusing.click()
      await expect.poll(() => refusing.getAttribute('aria-checked')).toBe('true')
      await visit.type(STATISTICS)
      const answer = visit.message(ANSWER)
      await answer
        .getByText(/\d{3}\.\d{2} GB/)
        .first()
        .waitFor()
      expect(await answer.locator('svg[role="img"]').count()).toBe(0)
      expect(await answer.locator('[data-table]').count()).toBe(0)
    })
  })
})

/** How bright what lies behind the messages is: 0 is black, 1 is white. */
async function brightness({ page }: Visit): Promise<number> {
  const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return (red + green + blue) / (3 * 255)
}
