import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

const STATISTICS = '/cdn storage stats shop'
const ANSWER = 'Storage zone shop (101)'

let playground: BrowserStage
beforeAll(async () => void (playground = await BrowserStage.start()))
afterAll(() => playground.close())

describe('charts and tables', () => {
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

describe('light and dark', () => {
  it('follow the system', async () => {
    await playground.plays({ system: 'dark' }, async (visit) => expect(await brightness(visit)).toBeLessThan(0.2))
    await playground.plays({ system: 'light' }, async (visit) => expect(await brightness(visit)).toBeGreaterThan(0.8))
  })
})

describe('a narrow window', () => {
  it('has the sidebar on top, examples to send, and nothing wider than itself', async () => {
    await playground.plays({ viewport: { width: 390, height: 844 } }, async (visit) => {
      await visit.page.getByRole('button', { name: 'Examples of commands' }).click()
      await visit.page.getByRole('button', { name: STATISTICS }).click()
      await visit.page.keyboard.press('Enter')
      await visit.message(ANSWER).locator('[data-table]').waitFor()
      expect(await visit.excess()).toEqual([0, 0])
      await visit.page.getByRole('link', { name: 'Vera Hribar' }).click()
      await expect.poll(() => new URL(visit.page.url()).searchParams.get('who')).toBe('vera')
    })
  })
})

/** How bright what lies behind the messages is: 0 is black, 1 is white. */
async function brightness({ page }: Visit): Promise<number> {
  const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  return (red + green + blue) / (3 * 255)
}
