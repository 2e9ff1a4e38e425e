import axe from 'axe-core'
import * as z from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Look, Visit } from '../support/browser-visit.ts'

const LIGHTS = ['light', 'dark'] as const
/** Only what is wrong is told with all its places: of a page of tables, what is right takes seconds to write down. */
const AXE_RUN = "axe.run(document, { resultTypes: ['violations'] })"
const findings = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullable(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string() })),
    }),
  ),
  passes: z.array(z.unknown()),
})

let playground: BrowserStage
beforeAll(async () => void (playground = await BrowserStage.start()))
afterAll(() => playground.close())

const PANELS = { Requests: '#panel-requests', 'Audit log': '#panel-audit' } as const

describe('in the light and in the dark, no serious fault is found', () => {
  it('on the main page, with messages, charts, tables and all panels', async () => {
    await playground.plays({ panel: 'platform' }, async (visit) => {
      for (const command of ['help', 'storage stats shop', 'keys list', 'logs shop', 'whoami']) {
        await visit.type(`/cdn ${command}`)
      }
      await visit.message('You are an operator').waitFor()
      await visit.message('Log of pull zone').waitFor()
      await visit.message('API keys of the account').waitFor()
      await visit.message('Storage zone shop').waitFor()
      expect(await faults(visit)).toEqual([])
      for (const [panel, id] of Object.entries(PANELS)) {
        await visit.page.getByRole('navigation', { name: 'Side panel' }).getByText(panel).click()
        await visit.page.locator(id).waitFor()
        expect(await faults(visit)).toEqual([])
      }
      await visit.page.getByRole('button', { name: 'Examples of commands' }).click()
      await visit.page.getByRole('button', { name: '/cdn status' }).waitFor()
      expect(await faults(visit)).toEqual([])
    })
  })

  it('on a thread, and on the panel of the platform', async () => {
    await playground.plays({ who: 'otto' }, async (visit) => {
      await visit.type('a word to all')
      await visit.message('a word to all').hover()
      await visit.message('a word to all').getByRole('link', { name: 'Reply in thread' }).click()
      await visit.page.locator('#reply').waitFor()
      expect(await faults(visit)).toEqual([])
      await visit.page.goto(new URL('/account', visit.page.url()).href)
      expect(await faults(visit)).toEqual([])
    })
  })

  it('on an open form, with a complaint, and on a review', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn dns add shop A --name www')
      await visit.titled('Add a DNS record').waitFor()
      await visit.enter('IPv4 address', 'nowhere')
      await visit.press('Review')
      await visit.modal.locator('.has-error').waitFor()
      expect(await faults(visit)).toEqual([])
      await visit.choose('Type', 'TXT')
      await visit.modal.getByRole('textbox', { name: 'Text' }).fill('hello')
      await visit.enter('Name', 'www')
      await visit.press('Review')
      await visit.titled('Review').waitFor()
      expect(await faults(visit)).toEqual([])
    })
  })

  it('on a request that waits, and what others read', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn dns add media A approved 192.0.2.44')
      await visit.titled('Review').waitFor()
      await visit.press('Ask for approval')
      const card = visit.message('Waiting for approval')
      await card.waitFor()
      await visit.page.keyboard.press('Escape')
      await visit.modal.waitFor({ state: 'detached' })
      expect(await faults(visit)).toEqual([])
      await playground.plays({ who: 'otto' }, async (otto) => {
        await otto.press('Approve …', otto.message('Waiting for approval'))
        await otto.titled('Approve?').waitFor()
        expect(await faults(otto)).toEqual([])
      })
    })
  })

  it('on a form with boxes and radio buttons', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn library create')
      await visit.titled('New video library').waitFor()
      await visit.enter('Name', 'Accessible')
      await visit.press('Next')
      await visit.titled('Encoding').waitFor()
      expect(await faults(visit)).toEqual([])
    })
  })

  it('on Home', async () => {
    await playground.plays({ at: 'home' }, async (visit) => {
      await visit.content.getByText('You are an operator').waitFor()
      expect(await faults(visit)).toEqual([])
    })
  })
})

/** Of real time, at sixty times the speed. */
const TOLD_WITHIN_MS = 60_000
const ALERT = 'shop: origin failing'
const WINDOWS = [
  { name: 'as wide as a screen', look: {} },
  { name: 'as wide as a phone', look: { viewport: { width: 390, height: 844 } } },
] as const satisfies readonly { readonly name: string; readonly look: Look }[]

describe('while an alert fires', () => {
  let firing: BrowserStage
  beforeAll(async () => {
    firing = await BrowserStage.start({ oneTime: true })
    await firing.plays({}, async (visit) => {
      await visit.page.locator('.stories [data-story="alert"]').click()
      await visit.message(ALERT).waitFor({ timeout: TOLD_WITHIN_MS })
    })
  }, 2 * TOLD_WITHIN_MS)
  afterAll(() => firing.close())

  it.each(WINDOWS)('$name no serious fault is found on it, its menu, help, an answer and Home', async ({ look }) => {
    await firing.plays(look, async (visit) => {
      await visit.message(ALERT).getByRole('button', { name: 'More actions' }).click()
      await visit.page.getByRole('button', { name: 'Silence this zone for 1 hour' }).waitFor()
      expect(await faults(visit)).toEqual([])
      await visit.page.keyboard.press('Escape')
      await visit.type('/cdn')
      await visit.press('More commands', visit.message('What do you need?'))
      await visit.message('changes list').waitFor()
      await visit.type('/cdn status shop')
      await visit.message('Requests a minute').waitFor()
      expect(await faults(visit)).toEqual([])
      expect((await visit.excess())[0]).toBeLessThanOrEqual(0)
    })
    await firing.plays({ ...look, at: 'home' }, async (visit) => {
      await visit.content.getByText('1 alert fires').waitFor()
      expect(await faults(visit)).toEqual([])
      expect((await visit.excess())[0]).toBeLessThanOrEqual(0)
    })
  })

  it('one acknowledges it, silences it and ends the silence with the keyboard alone', async () => {
    await firing.plays({}, async (visit) => {
      const { keyboard } = visit.page
      const card = visit.message(ALERT)
      await visit.tabTo('Acknowledge', 'Shift+Tab')
      await keyboard.press('Enter')
      await card.getByText('Looked after by').waitFor()
      await visit.tabTo('More actions')
      await keyboard.press('Enter')
      await visit.page.getByRole('button', { name: 'Silence this zone for 1 hour' }).focus()
      await keyboard.press('Enter')
      await card.getByText('Silenced until').waitFor()
      await visit.tabTo('End', 'Shift+Tab')
      await keyboard.press('Enter')
      await card.getByText('Silenced until').waitFor({ state: 'detached' })
      expect(await card.innerText()).toContain('Looked after by')
    })
  })
})

/** What axe calls serious or critical, with where it is, in the light and in the dark. */
async function faults({ page }: Visit): Promise<readonly string[]> {
  // The page allows no script but its own, so the checker comes in by the debugger's door.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const found: string[] = []
  for (const colorScheme of LIGHTS) {
    await page.emulateMedia({ colorScheme })
    const { violations, passes } = findings.parse(await page.evaluate(AXE_RUN))
    expect(passes.length).toBeGreaterThan(10)
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    for (const { id, nodes } of grave)
      found.push(...nodes.map(({ html, failureSummary }) => `${colorScheme}, ${id}: ${html} ${failureSummary}`))
  }
  return found
}
