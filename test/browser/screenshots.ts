import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OLGA, OPS, OTTO } from '../../src/playground/slack/seed.ts'
import type { Visit } from '../support/browser-visit.ts'
import { BrowserStage } from '../support/browser-stage.ts'
import { ALERT_STATES } from './alert-screenshots.ts'
import type { State } from './screenshot-state.ts'

/** Takes the pictures of README and docs: `npm run screenshots`. Each state is played, not arranged. */

const FOLDER = new URL('../../.github/screenshots/', import.meta.url).pathname
const WINDOW = { width: 1_280, height: 760 } as const

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
    name: 'home',
    look: { system: 'dark', at: 'home' },
    play: async (visit) => visit.content.getByText('Your role is').waitFor(),
  },
  {
    name: 'approval',
    look: { who: 'otto', panel: 'people' },
    async play(visit, { stage: { slack } }) {
      const olga = slack.person(OLGA)
      olga.reload()
      await olga.command(OPS, '/cdn dns add media A www 192.0.2.44')
      await slack.until(() => olga.view()?.submit === 'Ask for approval')
      await olga.submit()
      const card = visit.message('Waiting for approval')
      await card.getByRole('button', { name: 'Approve …' }).waitFor()
      await card.evaluate((article) => article.scrollIntoView({ block: 'start' }))
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
      await visit.message('Approved by').getByText('was added').waitFor()
      await visit.page.locator('#panel-audit').getByText('done', { exact: true }).waitFor()
      await visit.message('Approved by').evaluate((article) => article.scrollIntoView({ block: 'end' }))
    },
  },
  ...ALERT_STATES,
]

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

/** Scrolls the message that says this to the top, as somebody does who reads it. */
async function seeTop(visit: Visit, words: string): Promise<void> {
  const message = visit.message(words)
  await message.locator('[data-table]').waitFor()
  await message.evaluate((article) => article.scrollIntoView({ block: 'start' }))
}
