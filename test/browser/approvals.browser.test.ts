import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

/** The playground's rule lets an approval wait for half an hour. */
const PAST_EXPIRY_MS = 31 * 60_000
const CARD = 'Waiting for approval'

let playground: BrowserStage
beforeAll(async () => {
  playground = await BrowserStage.start()
})
afterAll(async () => playground.close())

/** Asks for an A record that takes two people, and resolves with the words that tell its message from others. */
async function asks(visit: Visit, name: string): Promise<string> {
  await visit.type(`/cdn dns add media A ${name} 192.0.2.44`)
  await visit.titled('Review').getByText('The DNS zone media takes two people').waitFor()
  await visit.press('Ask for approval')
  await visit.message(CARD).filter({ hasText: name }).waitFor()
  await visit.page.keyboard.press('Escape')
  await visit.modal.waitFor({ state: 'detached' })
  return name
}

const cardOf = (visit: Visit, name: string) => visit.message(`Add an A record ${name}`)
const sent = () => playground.stage.cdn.count('addDnsRecord')

describe('a request that takes two people', () => {
  it('is approved by the other, and the one message about it changes in its place', async () => {
    const before = sent()
    await playground.plays({ who: 'olga' }, async (olga) => {
      const name = await asks(olga, 'approved')
      const card = cardOf(olga, name)
      const element = await card.elementHandle()
      const ts = await card.getAttribute('data-ts')
      expect(sent()).toBe(before)
      await playground.plays({ who: 'otto' }, async (otto) => {
        await otto.press('Approve …', cardOf(otto, name))
        await otto.titled('Approve?').getByText('192.0.2.44').first().waitFor()
        expect(sent()).toBe(before)
        await otto.press('Approve')
        await otto.content.locator(`article[data-ts="${ts}"]`).getByText('Approved by').waitFor()
      })
      const ended = olga.content.locator(`article[data-ts="${ts}"]`)
      await ended.getByText('was added').waitFor()
      expect(await element?.evaluate((article) => article.isConnected && article.textContent)).toContain('was added')
      expect(await olga.content.locator('article').filter({ hasText: name }).count()).toBe(1)
      expect(await ended.locator('button').filter({ hasText: 'Approve' }).count()).toBe(0)
      expect(sent()).toBe(before + 1)
    })
  })

  it('is not approved by who asked', async () => {
    const before = sent()
    await playground.plays({ who: 'olga' }, async (olga) => {
      const name = await asks(olga, 'own')
      await olga.press('Approve …', cardOf(olga, name))
      await olga.page.getByText('You asked for this yourself').first().waitFor()
      await cardOf(olga, name).getByText(CARD).waitFor()
      expect(sent()).toBe(before)
    })
  })

  it('is cancelled by who asked, once they have said that they mean it', async () => {
    const before = sent()
    await playground.plays({ who: 'olga' }, async (olga) => {
      const name = await asks(olga, 'taken-back')
      await olga.press('Cancel request', cardOf(olga, name))
      await olga.press('Keep it', olga.titled('Cancel this request?'))
      await olga.modal.waitFor({ state: 'detached' })
      await cardOf(olga, name).getByText(CARD).waitFor()
      await olga.press('Cancel request', cardOf(olga, name))
      await olga.press('Cancel request', olga.titled('Cancel this request?'))
      await cardOf(olga, name).getByText('Cancelled: nothing was sent').waitFor()
      expect(sent()).toBe(before)
    })
  })

  it('is declined with a reason that everybody sees', async () => {
    await playground.plays({ who: 'olga' }, async (olga) => {
      const name = await asks(olga, 'declined')
      await playground.plays({ who: 'ada' }, async (ada) => {
        await ada.press('Decline …', cardOf(ada, name))
        await ada.titled('Decline?').waitFor()
        await ada.enter('Why not?', 'Not before Monday')
        await ada.press('Decline')
        await ada.titled('Decline?').waitFor({ state: 'detached' })
        await cardOf(ada, name).getByText('Not before Monday').waitFor()
      })
      await cardOf(olga, name).getByText('Declined: nothing was sent').waitFor()
      await cardOf(olga, name).getByText('Not before Monday').waitFor()
    })
  })

  it('expires, and says so in its message', async () => {
    const before = sent()
    await playground.plays({ who: 'olga' }, async (olga) => {
      const name = await asks(olga, 'expired')
      playground.clock.turn(PAST_EXPIRY_MS)
      await cardOf(olga, name).getByText('Expired: nothing was sent').waitFor()
      expect(await cardOf(olga, name).locator('button').filter({ hasText: 'Approve' }).count()).toBe(0)
      expect(sent()).toBe(before)
    })
  })

  it('is not approved by somebody who is no operator any more', async () => {
    const before = sent()
    await playground.plays({ who: 'olga' }, async (olga) => {
      const name = await asks(olga, 'left')
      playground.turn('otto-leaves', true)
      await playground.plays({ who: 'otto' }, async (otto) => {
        await otto.press('Approve …', cardOf(otto, name))
        await otto.page.getByText('Nothing was done').first().waitFor()
      })
      playground.turn('otto-leaves', false)
      await cardOf(olga, name).getByText(CARD).waitFor()
      expect(sent()).toBe(before)
    })
  })
})

describe('a write of which nobody knows whether it happened', () => {
  it('is settled by who looked, in its message', async () => {
    playground.stage.cdn.faults.set('addDnsRecord', { kind: 'reset', carriedOut: true }, { times: 1 })
    const before = sent()
    await playground.plays({ who: 'otto' }, async (otto) => {
      await otto.type('/cdn dns add shop A unsure 192.0.2.45')
      await otto.titled('Review').waitFor()
      await otto.press('Add record')
      await otto.titled('Unknown').waitFor()
      await otto.page.keyboard.press('Escape')
      await otto.modal.waitFor({ state: 'detached' })
      const card = cardOf(otto, 'unsure')
      const ts = await card.getAttribute('data-ts')
      await card.getByText('it may or may not have happened').waitFor()
      await otto.press('It exists', card)
      await otto.press('It exists', otto.titled('Does it exist?'))
      const settled = otto.content.locator(`article[data-ts="${ts}"]`)
      await settled.getByText('A person looked: it is there').waitFor()
      expect(await settled.locator('button').filter({ hasText: 'It exists' }).count()).toBe(0)
      expect(sent()).toBe(before + 1)
    })
  })
})
