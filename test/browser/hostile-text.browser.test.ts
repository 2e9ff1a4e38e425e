import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowserStage } from '../support/browser-stage.ts'
import type { Visit } from '../support/browser-visit.ts'

const MAX_TYPED_CHARACTERS = 2_900
const LONG_WORD = 'w'.repeat(10_000)
/** What somebody may send to a site so that it stands in the log, told apart by where it would do harm. */
const HOSTILE = {
  script: '<script>alert("script ran")</script>',
  handler: '"><img src=x onerror=alert("handler-ran")>',
  attribute: `' onfocus='alert("attribute-ran")' autofocus x='`,
  channel: '<!channel> <!here|everybody>',
  link: '<javascript:alert("link-ran")|free shoes>',
  address: 'javascript:alert("address-ran")',
  markup: '*bold* `code` ~gone~ :rotating_light: &lt;b&gt;',
  long: LONG_WORD,
} as const

let playground: BrowserStage
let logs: { readonly url: string; close(): void }
beforeAll(async () => {
  logs = await serveLog()
  playground = await BrowserStage.start({ settings: { CDN_LOGGING_URL: logs.url } })
})
afterAll(async () => {
  await playground.close()
  logs.close()
})

describe('text from outside that is made to do harm', () => {
  it('is nothing but text in groups, in a file and in what is shared', async () => {
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn logs 301 --since 1h --cache all --by path')
      await visit.message('path').getByText('script ran').first().waitFor()
      await visit.press('Share in channel', visit.message('path'))
      await visit.message('Shared by').getByText('script ran').first().waitFor()
      await visit.type('/cdn logs 301 --since 1h --cache all --csv')
      await visit.page
        .getByRole('link', { name: /^CDN Ops/ })
        .first()
        .click()
      await visit.content.locator('figure.file').getByText('script ran').first().waitFor()
      await seesNoHarm(visit)
    })
  })

  it('is nothing but text when somebody types it', async () => {
    await playground.plays({ who: 'otto' }, async (visit) => {
      for (const words of Object.values(HOSTILE)) {
        const before = await visit.content.locator('article').count()
        await visit.type(words.slice(0, MAX_TYPED_CHARACTERS))
        await visit.content.locator('article').nth(before).waitFor()
        await seesNoHarm(visit)
      }
    })
  })

  // Stands last: the bot remembers for an hour that charts and tables were refused.
  it.each([{}, { charts: 'refused' }])('is nothing but text in log lines %o', async ({ charts }) => {
    playground.turn('refuse-charts', charts === 'refused')
    await playground.plays({}, async (visit) => {
      await visit.type('/cdn logs 301 --since 1h --cache all')
      const answer = visit.message('Log of pull zone')
      await answer.getByText('script ran').first().waitFor()
      await answer.getByText('!channel').first().waitFor()
      await seesNoHarm(visit)
    })
  })
})

/** Dialogs, errors and calls to elsewhere are complaints of the visit. */
async function seesNoHarm(visit: Visit): Promise<void> {
  const { page } = visit
  await page.mouse.wheel(0, -2_000)
  expect(await page.locator('#app script, #app iframe, #app object, #app base, #app img').count()).toBe(0)
  const links = await page.locator('a[href]').evaluateAll((found) => found.map((each) => each.getAttribute('href')))
  for (const link of links) expect(link).toMatch(/^(\/|http:\/\/127\.0\.0\.1:\d+\/account#[a-z]+-zone-\d+$|#)/)
  expect(
    await page
      .locator('#content .mention')
      .filter({ hasText: /channel|here|everybody/ })
      .count(),
  ).toBe(0)
  expect(await visit.excess()).toEqual([0, 0])
  const [content] = await page
    .locator('#content')
    .evaluateAll((found) => found.map((each) => each.scrollWidth - each.clientWidth))
  expect(content).toBeLessThanOrEqual(0)
}

/** A log that holds these lines for whichever zone and time is asked. */
async function serveLog(): Promise<{ readonly url: string; close(): void }> {
  const texts = Object.values(HOSTILE)
  const server = createServer((_, response) => {
    const now = new Date(performance.timeOrigin + performance.now())
    const data = texts.map((text, index) => ({
      timestamp: new Date(now.getTime() - 60_000 - index).toISOString(),
      pullZoneId: 301,
      requestId: `${index}`.padStart(32, '0'),
      cacheStatus: 'MISS',
      statusCode: 200,
      bytesSent: 10,
      remoteIp: '192.0.2.0',
      countryCode: 'DE',
      edgeLocation: text.slice(0, 40),
      scheme: 'https',
      host: 'www.shop.example',
      path: `/${text}`,
      url: `https://www.shop.example/${text}`,
      userAgent: text,
      referer: text,
    }))
    response.setHeader('content-type', 'application/json')
    const pagination = { offset: 0, limit: data.length, returned: data.length, hasMore: false }
    const query = { pullZoneId: 301, from: new Date(now.getTime() - 3_600_000), to: now, order: 'desc' }
    response.end(JSON.stringify({ data, pagination, query }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A boundary: a server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
