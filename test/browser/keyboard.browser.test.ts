import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

const MAX_STEPS = 60
/** For the browser, as text: its types would offer the whole program things that Node does not have. */
const NAME_OF_FOCUS = `(() => {
  const { activeElement: active } = document
  const label = document.getElementById(active.getAttribute('aria-labelledby'))
  return label?.innerText ?? active.getAttribute('aria-label') ?? active.querySelector('.name')?.innerText ?? active.innerText
})()`

/** The browser lets one leave a dialog for the browser itself, which has the focus on the body. */
const BEHIND_THE_FORM = 'document.activeElement.closest("dialog") === null && document.activeElement !== document.body'

let playground: BrowserStage
beforeAll(async () => {
  playground = await BrowserStage.start()
})
afterAll(async () => playground.close())

describe('with the keyboard alone', () => {
  it('a record is added, from the slash to the confirmation', async () => {
    await playground.plays({}, async (visit) => {
      const { keyboard } = visit.page
      await keyboard.type('/cdn dns add shop')
      await keyboard.press('Enter')
      await visit.titled('Add a DNS record').waitFor()
      await tabTo(visit, 'Type')
      await keyboard.type('TXT')
      await keyboard.press('Enter')
      await visit.modal.getByRole('textbox', { name: 'Text' }).waitFor()
      expect(await focused(visit)).toBe('Type')
      await tabTo(visit, 'Name')
      await keyboard.type('note')
      await tabTo(visit, 'Text')
      await keyboard.type('by keyboard')
      await tabTo(visit, 'Review')
      await keyboard.press('Enter')
      await visit.titled('Review').getByText('by keyboard').first().waitFor()
      await tabTo(visit, 'Add record')
      await keyboard.press('Space')
      await visit.titled('Done').waitFor()
      await keyboard.press('Enter')
      await visit.modal.waitFor({ state: 'detached' })
      await expect.poll(() => focused(visit)).toContain('Message #ops')
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
      await tabTo(visit, 'Shortcuts', 'Shift+Tab')
      await keyboard.press('Enter')
      await visit.page.getByRole('menuitem', { name: 'Create a video library' }).waitFor()
      await keyboard.press('Escape')
      expect(await focused(visit)).toBe('Shortcuts')
      await keyboard.press('Enter')
      await keyboard.press('Enter')
      await visit.titled('New video library').waitFor()
      expect(await focused(visit)).toBe('Name')
    })
  })

  it('one becomes somebody else and goes elsewhere', async () => {
    await playground.plays({}, async (visit) => {
      await tabTo(visit, 'Ada Clarke', 'Shift+Tab')
      await visit.page.keyboard.press('Enter')
      await expect.poll(() => new URL(visit.page.url()).searchParams.get('who')).toBe('ada')
      await tabTo(visit, 'general')
      await visit.page.keyboard.press('Enter')
      await visit.page.getByRole('heading', { level: 1, name: 'general' }).waitFor()
    })
  })
})

/** Presses a key until what has the focus is called so. */
async function tabTo(visit: Visit, name: string, key = 'Tab'): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if ((await focused(visit)).startsWith(name)) return
    await visit.page.keyboard.press(key)
  }
  throw new Error(`${MAX_STEPS} times ${key} did not lead to ${name}, but to ${await focused(visit)}`)
}

/** What a person would call what has the focus: its label, or the words on it. */
async function focused({ page }: Visit): Promise<string> {
  const words = await page.evaluate<string>(NAME_OF_FOCUS)
  return words.replace(/ \*$| \(optional\)$/, '').trim()
}
