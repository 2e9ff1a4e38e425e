import type { Locator } from 'playwright-core'
import type { Visit } from '../support/browser-visit.ts'
import type { State } from './screenshot-state.ts'

/** The whole of a message with its buttons. */
const TALL = { width: 1_280, height: 880 } as const
/** Of real time, at sixty times the speed. */
const TOLD_WITHIN_MS = 30_000
const RESOLVED_WITHIN_MS = 90_000

/** The message about the incident, which is the same from its beginning to its end. */
const cardOf = (visit: Visit): Locator => visit.message('shows what this channel gets')

/** An alert from its beginning to its end, and what was tried on the past. */
export const ALERT_STATES: readonly State[] = [
  {
    name: 'alert-firing',
    look: { panel: 'platform', viewport: TALL },
    async play(visit, playground) {
      await visit.type('/cdn alerts watch shop')
      await visit.message('Pull zone shop (301) is watched now').waitFor()
      playground.turn('fast-time', true)
      playground.turn('origin-down', true)
      await cardOf(visit).waitFor({ timeout: TOLD_WITHIN_MS })
      await cardOf(visit).locator('svg[role="img"]').waitFor({ timeout: TOLD_WITHIN_MS })
      playground.turn('fast-time', false)
      await showTop(cardOf(visit))
    },
  },
  {
    name: 'alert-thread',
    look: { system: 'dark' },
    async play(visit) {
      await visit.press('Acknowledge', cardOf(visit))
      await cardOf(visit).getByText('Acknowledged by').waitFor()
      await cardOf(visit).hover()
      await cardOf(visit).getByRole('link', { name: 'Reply in thread' }).click()
      await visit.page.locator('#reply').fill('@cdn-ops status')
      await visit.page.locator('#reply').press('Enter')
      const answer = visit.page.locator('#thread article').filter({ hasText: 'Hit ratio' }).last()
      await answer.locator('svg[role="img"]').waitFor()
      await showTop(answer)
    },
  },
  {
    name: 'alert-resolved',
    look: { viewport: TALL },
    async play(visit, playground) {
      playground.turn('origin-down', false)
      playground.turn('fast-time', true)
      await cardOf(visit).getByText('✅ Resolved').first().waitFor({ timeout: RESOLVED_WITHIN_MS })
      playground.turn('fast-time', false)
      await showTop(cardOf(visit))
    },
  },
  {
    name: 'alerts-test',
    look: { system: 'dark' },
    async play(visit) {
      await visit.type('/cdn alerts test origin-failing shop')
      const answer = visit.message('tried on pull zone shop (301)')
      await answer.locator('svg[role="img"]').waitFor()
      await showTop(answer)
    },
  },
]

async function showTop(article: Locator): Promise<void> {
  await article.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}
