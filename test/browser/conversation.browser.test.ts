import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPS, OTTO } from '../../src/playground/slack/state/seed.ts'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

let playground: BrowserStage
beforeAll(async () => void (playground = await BrowserStage.start()))
afterAll(() => playground.close())

/** By how much a list could be scrolled down further. */
async function toEnd({ page }: Visit, list: string): Promise<number> {
  return page.evaluate<number>(
    `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('${list}'))`,
  )
}

async function scrollUp({ page }: Visit): Promise<void> {
  await page.evaluate("document.querySelector('#content').scrollTop = 0")
  await page.evaluate('new Promise(requestAnimationFrame)')
}

const otto = () => playground.stage.slack.person(OTTO)

describe('a conversation', () => {
  it('goes to the end after a command of one’s own, and is not moved by others while one reads', async () => {
    await playground.plays({}, async (visit) => {
      for (let line = 0; line < 30; line += 1) await otto().say(OPS, `line ${line}`)
      await visit.message('line 29').waitFor()
      expect(await toEnd(visit, '#content')).toBeLessThan(2)
      await scrollUp(visit)
      await otto().say(OPS, 'a word of Otto')
      await visit.message('a word of Otto').waitFor()
      expect(await toEnd(visit, '#content')).toBeGreaterThan(200)
      await visit.type('/cdn whoami')
      await visit.message('You are').waitFor()
      expect(await toEnd(visit, '#content')).toBeLessThan(2)
      await visit.type('/cdn keys list')
      await scrollUp(visit)
      await visit.message('Page 1 of 50').waitFor()
      await expect.poll(() => toEnd(visit, '#content')).toBeLessThan(2)
    })
  })

  it('keeps a thread of five replies in sight', async () => {
    await playground.plays({ viewport: { width: 1_200, height: 420 } }, async (visit) => {
      await visit.type('the root of it')
      await visit.message('the root of it').hover()
      await visit.message('the root of it').getByRole('link', { name: 'Reply in thread' }).click()
      for (const reply of ['first', 'second', 'third', 'fourth', '@cdn-ops storage stats shop']) {
        await visit.page.locator('#reply').fill(reply)
        await visit.page.locator('#reply').press('Enter')
        await visit.page
          .locator('#thread article')
          .filter({ hasText: reply.replace('@cdn-ops ', '') })
          .last()
          .waitFor()
      }
      await visit.page.locator('#thread article').filter({ hasText: 'Storage zone shop (101)' }).waitFor()
      await expect.poll(() => toEnd(visit, '.thread-body')).toBeLessThan(2)
    })
  })
})

describe('a form', () => {
  it('picks what is typed by Enter of what the app offers, and takes nothing else', async () => {
    await playground.plays({ viewport: { width: 1_000, height: 480 } }, async (visit) => {
      await visit.type('/cdn dns add')
      await visit.titled('Add a DNS record').waitFor()
      const zone = visit.modal.getByRole('combobox', { name: 'DNS zone' })
      await zone.click()
      await visit.page.keyboard.type('med')
      await visit.page.locator('#offered option[value^="media"]').waitFor({ state: 'attached' })
      await visit.page.keyboard.press('Enter')
      await expect.poll(() => zone.inputValue()).toBe('media (202)')
      await visit.choose('Type', 'MX')
      await visit.modal.getByRole('textbox', { name: 'Mail server' }).waitFor()
      expect(await zone.inputValue()).toBe('media (202)')
      await zone.fill('nothing of the kind')
      await visit.page.keyboard.press('Enter')
      await visit.modal.locator('[data-note]').getByText('offers no').waitFor()
      expect(await zone.inputValue()).toBe('media (202)')
      await zone.fill('')
      await visit.page.keyboard.press('Tab')
      await visit.press('Review')
      await visit.modal.locator('.has-error').first().waitFor()
    })
  })
})
