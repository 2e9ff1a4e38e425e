import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'

const MAX_STEPS = 60
/** The browser lets one leave a dialog for the browser itself, which has the focus on the body. */
const BEHIND_THE_FORM = 'document.activeElement.closest("dialog") === null && document.activeElement !== document.body'

let playground: BrowserStage
beforeAll(async () => void (playground = await BrowserStage.start()))
afterAll(() => playground.close())

describe('with the keyboard alone', () => {
  it('a record is added, from the slash to the confirmation', async () => {
    await playground.plays({}, async (visit) => {
      const { keyboard } = visit.page
      await keyboard.type('/cdn dns add shop')
      await keyboard.press('Enter')
      await visit.titled('Add a DNS record').waitFor()
      await visit.tabTo('Type')
      await keyboard.type('TXT')
      await visit.modal.getByRole('textbox', { name: 'Text' }).waitFor()
      expect(await visit.focused()).toBe('Type')
      await visit.tabTo('Name')
      await keyboard.type('note')
      await visit.tabTo('Text')
      await keyboard.type('by keyboard')
      await visit.tabTo('Review')
      await keyboard.press('Enter')
      await visit.titled('Review').getByText('by keyboard').first().waitFor()
      await visit.tabTo('Add record')
      await keyboard.press('Space')
      await visit.titled('Done').waitFor()
      await keyboard.press('Enter')
      await visit.modal.waitFor({ state: 'detached' })
      await expect.poll(() => visit.focused()).toContain('Message #ops')
      expect(playground.stage.cdn.count('addDnsRecord')).toBe(1)
    })
  })

  it('the focus stays in a form while it is open', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn storage stats')
      await visit.titled('Storage statistics').waitFor()
      for (let step = 0; step < MAX_STEPS; step += 1) {
        await visit.page.keyboard.press('Tab')
        expect(await visit.page.evaluate(BEHIND_THE_FORM)).toBe(false)
      }
      await visit.page.keyboard.press('Escape')
      await visit.modal.waitFor({ state: 'detached' })
    })
  })

  it('a shortcut is chosen, and a menu is left by Escape', async () => {
    await playground.plays({}, async (visit) => {
      const { keyboard } = visit.page
      await visit.tabTo('Shortcuts', 'Shift+Tab')
      await keyboard.press('Enter')
      await visit.page.getByRole('button', { name: 'Create a video library' }).waitFor()
      await keyboard.press('Escape')
      expect(await visit.focused()).toBe('Shortcuts')
      await keyboard.press('Enter')
      await keyboard.press('Enter')
      await visit.titled('New video library').waitFor()
      expect(await visit.focused()).toBe('Name')
    })
  })

  it('one becomes somebody else and goes elsewhere', async () => {
    await playground.plays({}, async (visit) => {
      await visit.tabTo('Ada Clarke', 'Shift+Tab')
      await visit.page.keyboard.press('Enter')
      await expect.poll(() => new URL(visit.page.url()).searchParams.get('who')).toBe('ada')
      await visit.tabTo('general')
      await visit.page.keyboard.press('Enter')
      await visit.page.getByRole('heading', { level: 1, name: 'general' }).waitFor()
    })
  })
})
