import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'

let playground: BrowserStage
beforeAll(async () => {
  playground = await BrowserStage.start()
})
afterAll(async () => playground.close())

describe('a typed command', () => {
  it('shows storage statistics, only to who asked until they share them', async () => {
    await playground.plays({ who: 'vera' }, async (visit) => {
      await visit.type('/cdn storage stats shop')
      const answer = visit.message('Storage zone shop (101)')
      await answer.getByText('Only visible to you').waitFor()
      await visit.press('Share in channel', answer)
      const shared = visit.message('Shared by')
      await shared.getByText('Storage zone shop (101)').waitFor()
      expect(await shared.getByText('Only visible to you').count()).toBe(0)
    })
    await playground.plays({ who: 'otto' }, async (visit) => {
      await visit.message('Shared by').getByText('Storage zone shop (101)').waitFor()
      expect(await visit.content.getByText('Only visible to you').count()).toBe(0)
    })
  })

  it('lists keys, redacted, page by page', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn keys list')
      await visit.message('Page 1 of 50').waitFor()
      await visit.press('Next', visit.message('Page 1 of 50'))
      await visit.message('Page 2 of 50').waitFor()
      await visit.press('Next', visit.message('Page 2 of 50'))
      await visit.press('Previous', visit.message('Page 3 of 50'))
      await visit.message('Page 2 of 50').waitFor()
      const rows = await visit.message('Page 2 of 50').locator('tbody tr').allInnerTexts()
      const cells = await visit.message('Page 2 of 50').locator('tbody tr td:nth-child(2)').allTextContents()
      expect(rows.length).toBeGreaterThanOrEqual(25)
      for (const cell of cells) expect(cell).toMatch(/^(…[0-9a-f]{4}|–)$/)
    })
  })

  it('reads log lines', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn logs shop --cache MISS --since 1h')
      const answer = visit.message('Log of pull zone shop (301)')
      await answer.locator('tbody tr').first().waitFor()
      const cells = await answer.locator('tbody tr td:nth-child(2)').allTextContents()
      expect(new Set(cells)).toEqual(new Set(['MISS']))
    })
  })

  it('creates a library after its review', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn library create Trailers')
      await visit.titled('Review').getByText('Create the video library “Trailers”').waitFor()
      expect(playground.stage.cdn.count('createVideoLibrary')).toBe(0)
      await visit.press('Create library')
      await visit.titled('Done').waitFor()
      await visit.press('Done')
      await visit.message('Asked by').getByText('Trailers').first().waitFor()
      expect(playground.stage.cdn.world.libraries.map(({ name }) => name)).toEqual(['Trailers'])
    })
  })

  it('adds a record when it is confirmed, and not when it is cancelled', async () => {
    const record = '/cdn dns add shop MX @ 10 mail.example.net'
    await playground.plays({}, async (visit) => {
      await visit.type(record)
      await visit.titled('Review').getByText('CDN Ops cannot remove it').waitFor()
      await visit.press('Cancel')
      await visit.modal.waitFor({ state: 'detached' })
      await visit.type(record)
      await visit.titled('Review').waitFor()
      expect(playground.stage.cdn.count('addDnsRecord')).toBe(0)
      await visit.press('Add record')
      await visit.titled('Done').getByText('was added to DNS zone').waitFor()
      expect(playground.stage.cdn.count('addDnsRecord')).toBe(1)
    })
  })

  it('is refused to a viewer, with who may do it', async () => {
    await playground.plays({ who: 'vera' }, async (visit) => {
      await visit.type('/cdn keys list')
      const answer = visit.message('Nothing was done')
      await answer.getByText('yours is viewer').waitFor()
      expect(await answer.innerText()).toContain('@ada')
      await visit.type('/cdn dns add shop A www 192.0.2.10')
      await visit.message('dns add').getByText('yours is viewer').waitFor()
      expect(await visit.modal.count()).toBe(0)
    })
  })
})
