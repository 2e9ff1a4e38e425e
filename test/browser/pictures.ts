import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { OLGA, OPS, OTTO } from '../../src/playground/slack/state/seed.ts'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Look, Visit } from '../support/browser-visit.ts'

const FOLDER = new URL('../../.github/screenshots/', import.meta.url).pathname
const WINDOW = { width: 1_280, height: 760 } as const
/** The whole of a message with its buttons. */
const TALL = { width: 1_280, height: 880 } as const
/** Of real time, at sixty times the speed. */
const TOLD_WITHIN_MS = 30_000
const RESOLVED_WITHIN_MS = 90_000

/** The message about the incident, which is the same from its beginning to its end. */
const cardOf = (visit: Visit): Locator => visit.message(/(🔴|🔶|✅) shop: /)

/** What a picture shows. Each is played on the same stage, after those before it. */
interface State {
  /** Of the file, without its ending. */
  readonly name: string
  readonly look: Look
  /** Brings the page into the state. Ends when it can be seen. */
  readonly play: (visit: Visit, playground: BrowserStage) => Promise<void>
}

/** An alert from its beginning to its end, and what was tried on the past. */
const ALERT_STATES: readonly State[] = [
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
      await cardOf(visit).getByText('Looked after by').waitFor()
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
    name: 'home',
    look: { system: 'dark', at: 'home' },
    async play(visit, { stage: { slack } }) {
      const otto = slack.person(OTTO)
      otto.reload()
      await otto.command(OPS, '/cdn dns add media A api 192.0.2.45')
      await slack.until(() => otto.view()?.submit === 'Ask for approval')
      await otto.submit()
      await slack.until(() => otto.view()?.title === 'Waiting for approval')
      await visit.content.getByText('You are an operator').waitFor()
      await visit.press('Refresh', visit.content)
      await visit.content.getByRole('button', { name: 'Approve …' }).waitFor()
      await visit.content.getByText('origin failing').first().waitFor()
    },
  },
  {
    name: 'alert-resolved',
    look: { viewport: TALL },
    async play(visit, playground) {
      playground.turn('origin-down', false)
      playground.turn('fast-time', true)
      await cardOf(visit).getByText('origin works again').first().waitFor({ timeout: RESOLVED_WITHIN_MS })
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

const STATES: readonly State[] = [
  {
    name: 'first-minute',
    look: {},
    play: async (visit) => visit.content.locator('.stories').waitFor(),
  },
  {
    name: 'storage-charts',
    look: {},
    async play(visit) {
      await visit.type('/cdn storage stats shop')
      await seeTop(visit, 'Storage zone shop (101)')
    },
  },
  {
    name: 'log-lines',
    look: { system: 'dark' },
    async play(visit) {
      await visit.type('/cdn logs shop --cache MISS,STALE --since 1h')
      await seeTop(visit, 'Log of pull zone shop')
    },
  },
  {
    name: 'api-keys',
    look: {},
    async play(visit) {
      await visit.type('/cdn keys list')
      await visit.press('Next', visit.message('Page 1 of 50'))
      await seeTop(visit, 'Page 2 of 50')
    },
  },
  {
    name: 'dns-form',
    look: {},
    async play(visit) {
      await visit.type('/cdn dns add shop SRV _sip._tcp')
      await visit.titled('Add a DNS record').waitFor()
      await visit.enter('Priority', '10')
      await visit.enter('Weight', '5')
      await visit.enter('Port', '506000')
      await visit.enter('Target host', 'sip.example.net')
      await visit.press('Review')
      await visit.modal.locator('.has-error').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'review',
    look: { system: 'dark' },
    async play(visit) {
      await visit.type('/cdn dns add shop MX @ 10 mail.example.net')
      await visit.titled('Review').waitFor()
    },
  },
  {
    name: 'refusal',
    look: { who: 'vera', panel: 'audit' },
    async play(visit) {
      await visit.type('/cdn keys list')
      await visit.message('Nothing was done').waitFor()
      await visit.type('/cdn dns add shop A www 192.0.2.10')
      await visit.message('dns add').waitFor()
      await visit.page.locator('#panel-audit').getByText('dns add').first().waitFor()
    },
  },
  {
    name: 'approval',
    look: { who: 'otto' },
    async play(visit, { stage: { slack } }) {
      const olga = slack.person(OLGA)
      olga.reload()
      await olga.command(OPS, '/cdn dns add media A www 192.0.2.44')
      await slack.until(() => olga.view()?.submit === 'Ask for approval')
      await olga.submit()
      const card = visit.message('Waiting for approval')
      await card.getByRole('button', { name: 'Approve …' }).waitFor()
      await showTop(card)
    },
  },
  {
    name: 'approved',
    look: { system: 'dark', panel: 'audit' },
    async play(visit, { stage: { slack } }) {
      const otto = slack.person(OTTO)
      const card = otto.messages(OPS).findLast(({ text }) => text.startsWith('Waiting for approval'))
      if (card === undefined) throw new Error('Nothing waits for approval')
      await otto.click({ message: card }, 'change', 'change:approve')
      await slack.until(() => otto.view()?.submit === 'Approve')
      await otto.submit()
      await visit.message('Approved by').getByText('added an ').waitFor()
      await visit.page.locator('#panel-audit').getByText('done', { exact: true }).waitFor()
      await visit.message('Approved by').evaluate((article) => article.scrollIntoView({ block: 'end' }))
    },
  },
  ...ALERT_STATES,
]

/** Takes the pictures of README and docs, for `npm run docs -- --pictures`. Each state is played, not arranged. */
export async function takePictures(): Promise<void> {
  const playground = await BrowserStage.start({ oneTime: true })
  try {
    await mkdir(FOLDER, { recursive: true })
    for (const { name, look, play } of STATES) {
      const path = join(FOLDER, `${name}.png`)
      await playground.plays({ viewport: WINDOW, ...look }, async (visit) => {
        await play(visit, playground)
        await visit.page.screenshot({ path, animations: 'disabled', caret: 'hide' })
      })
      const { size } = await stat(path)
      process.stdout.write(`${name}.png ${Math.round(size / 1_000)} kB\n`)
    }
  } finally {
    await playground.close()
  }
}

/** Scrolls the message that says this to the top, as somebody does who reads it. */
async function seeTop(visit: Visit, words: string): Promise<void> {
  const message = visit.message(words)
  await message.locator('[data-table]').waitFor()
  await showTop(message)
}

async function showTop(article: Locator): Promise<void> {
  await article.evaluate((element) => element.scrollIntoView({ block: 'start' }))
}
