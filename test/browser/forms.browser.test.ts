import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

let playground: BrowserStage
beforeAll(async () => void (playground = await BrowserStage.start()))
afterAll(() => playground.close())

describe('the form of', () => {
  it('a video library goes in steps, says what is wrong beside the field, and back', async () => {
    await playground.plays({}, async (visit) => {
      await openShortcut(visit, 'Create a video library')
      await visit.titled('New video library').waitFor()
      await visit.press('Next')
      await visit.modal.locator('.has-error').getByText('Please complete this required field.').waitFor()
      await visit.enter('Name', 'Demo')
      await visit.press('Next')
      await visit.titled('Encoding').waitFor()
      await visit.press('Back')
      await visit.titled('New video library').waitFor()
      expect(await visit.modal.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Demo')
      await visit.press('Next')
      await visit.titled('Encoding').waitFor()
      await visit.modal.getByRole('checkbox', { name: '1080p' }).check()
      await visit.modal.getByRole('checkbox', { name: 'av1' }).check()
      await visit.press('Next')
      await visit.modal.locator('.has-error').waitFor()
      expect(await visit.modal.locator('.has-error').innerText()).toMatch(/av1[\s\S]*premium/i)
      await visit.modal.getByRole('checkbox', { name: 'av1' }).uncheck()
      await visit.press('Next')
      await visit.titled('Playback and access').waitFor()
      await visit.press('Next')
      await visit.titled('Transcribing').waitFor()
      await visit.press('Review')
      await visit.titled('Review').getByText('1080p').waitFor()
      await visit.press('Create library')
      await visit.titled('Done').getByText('Demo').first().waitFor()
      const sent = playground.stage.cdn.requests.findLast(({ endpoint }) => endpoint === 'createVideoLibrary')
      expect(sent?.body).toMatchObject({ Name: 'Demo' })
    })
  })

  it('a DNS record follows the type and keeps what was typed', async () => {
    await playground.plays({}, async (visit) => {
      await openShortcut(visit, 'Add a DNS record')
      await visit.titled('Add a DNS record').waitFor()
      await visit.choose('DNS zone', 'shop')
      await visit.enter('Name', 'mail')
      await visit.choose('Type', 'MX')
      await visit.enter('Mail server', 'mail.example.net')
      await visit.enter('Priority', '10')
      await visit.enter('Comment', 'typed once')
      await visit.choose('Type', 'SRV')
      await visit.modal.getByRole('textbox', { name: 'Port' }).waitFor()
      expect(await valuesOf(visit)).toMatchObject({ Name: 'mail', Priority: '10', Comment: 'typed once' })
      await visit.choose('Type', 'A')
      await visit.modal.getByRole('textbox', { name: 'IPv4 address' }).waitFor()
      expect(await valuesOf(visit)).toMatchObject({ Name: 'mail', Comment: 'typed once' })
      expect(Object.keys(await valuesOf(visit))).not.toContain('Priority')
      await visit.enter('IPv4 address', 'nowhere')
      await visit.press('Review')
      await visit.modal.locator('.has-error').getByText('IPv4').first().waitFor()
      await visit.enter('IPv4 address', '192.0.2.10')
      await visit.press('Review')
      await visit.titled('Review').getByText('192.0.2.10').first().waitFor()
      await visit.press('Add record')
      await visit.titled('Done').waitFor()
      expect(playground.stage.cdn.requests.at(-1)?.body).toMatchObject({ Name: 'mail', Value: '192.0.2.10' })
    })
  })
})

async function openShortcut(visit: Visit, name: string): Promise<void> {
  await visit.page.getByRole('button', { name: 'Shortcuts' }).click()
  await visit.page.getByRole('button', { name }).click()
}

/** What stands in the fields of the form, by their labels without marks. */
async function valuesOf({ modal }: Visit): Promise<Readonly<Record<string, string>>> {
  const fields = await modal.locator('.input-block').all()
  const entries: [string, string][] = []
  for (const field of fields) {
    const input = field.locator('input:not([type=radio]), textarea').first()
    if ((await input.count()) === 0) continue
    const label = (await field.locator('.label').innerText()).replace(/ \*| \(optional\)/, '').trim()
    entries.push([label, await input.inputValue()])
  }
  return Object.fromEntries(entries)
}
