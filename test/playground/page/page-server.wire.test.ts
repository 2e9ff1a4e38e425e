import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FastClock } from '../../../src/playground/stage/fast-clock.ts'
import { openPage, type Page } from '../../../src/playground/page/page-server.ts'
import { REGIONS } from '../../../src/playground/page/regions.ts'
import { ADA, OLGA, OPS } from '../../../src/playground/slack/state/seed.ts'
import { startStage, type Stage } from '../../../src/playground/stage/stage.ts'
import { harmIn, tagsOf, textOf } from './page-markup.ts'

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await startStage({ clock: new FastClock() })
  page = await openPage(0)
  page.show(stage)
})

afterAll(async () => {
  await page.close()
  await stage.close()
})

/** A request with exactly these headers; `fetch` would not let a test lie about its host. */
async function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<{ status: number; text: string; headers: Readonly<Record<string, unknown>> }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    text: string
    headers: Readonly<Record<string, unknown>>
  }>()
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request(new URL(path, page.url), { method, headers }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (part: string) => (text += part))
    response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
  })
  sent.on('error', reject).end(body)
  return promise
}

async function act(given: object, who = 'olga'): Promise<Readonly<Record<string, unknown>>> {
  const { text, status } = await ask('/act', own(), JSON.stringify({ who, act: given }))
  expect(status).toBe(200)
  return JSON.parse(text) as Readonly<Record<string, unknown>>
}

/** The regions that an open page is sent, by their names. */
async function* eventsOf(url: string): AsyncGenerator<Readonly<Record<string, string>>, undefined> {
  let rest = ''
  for await (const part of (await fetch(url)).body!.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${part}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^event: regions\ndata: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) yield JSON.parse(data) as Readonly<Record<string, string>>
    }
  }
}

const origin = () => page.url.slice(0, -1)
const own = () => ({ origin: origin(), 'content-type': 'application/json' })
const olga = () => stage.slack.person(OLGA)

describe('the server of the page', () => {
  it('serves the whole page, which loads nothing from elsewhere and runs nothing from within', async () => {
    const { status, text, headers } = await ask('/')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    const loaded = tagsOf(text).filter(({ name }) => name === 'script' || name === 'link')
    for (const { attributes } of loaded) {
      const path = attributes['src'] ?? attributes['href'] ?? ''
      expect(path).toMatch(/^\/assets\//)
      expect((await ask(path)).status).toBe(200)
    }
    expect(textOf(text)).toContain('Welcome to #ops')
  })

  it.each(['evil.example', 'evil.example:4600', '127.0.0.1', '[::1]'])(
    'refuses to answer to the name %s',
    async (host) => {
      for (const path of ['/', '/events', '/assets/page.js']) expect((await ask(path, { host })).status).toBe(403)
    },
  )

  it('refuses what another page sends', async () => {
    const body = JSON.stringify({ who: 'olga', act: { do: 'reload' } })
    const type = { 'content-type': 'application/json' }
    expect((await ask('/act', { ...type, origin: 'http://evil.example' }, body)).status).toBe(403)
    expect((await ask('/act', { ...type, origin: 'null' }, body)).status).toBe(403)
    expect((await ask('/act', type, body)).status).toBe(403)
    expect((await ask('/events', { origin: 'http://127.0.0.1:1' })).status).toBe(403)
    expect((await ask('/act', own(), body)).status).toBe(200)
  })

  it.each([
    ['text/plain', '{"who":"olga","act":{"do":"reload"}}'],
    ['application/json', '{"who":"nobody","act":{"do":"reload"}}'],
    ['application/json', '{"who":"olga","act":{"do":"fly"}}'],
    ['application/json', '{"who":"olga","act":{"do":"reload","more":1}}'],
    ['application/json', 'not JSON'],
    ['application/json', `"${'x'.repeat(600_000)}"`],
  ])('does nothing for %s that makes no sense', async (type, body) => {
    expect((await ask('/act', { ...own(), 'content-type': type }, body)).status).toBe(400)
  })

  it('has nothing at other paths, those outside of its folder least of all', async () => {
    for (const path of ['/nothing', '/assets/', '/assets/..%2fpage-server.ts', '/assets/../html.ts', '/file?id=F1']) {
      expect((await ask(path)).status).toBe(404)
    }
  })
})

describe('a page that is open', () => {
  it('gets all it shows at once, and then what changes', async () => {
    const events = eventsOf(`${page.url}events?who=olga&panel=audit`)
    const { value: first = {} } = await events.next()
    expect(Object.keys(first).sort()).toEqual(REGIONS.toSorted())
    expect(await act({ do: 'say', channel: OPS, text: '/cdn whoami' })).toEqual({ ok: true })
    for await (const { content = '' } of events) {
      expect(harmIn(content)).toEqual([])
      if (/Only visible to you[\s\S]*operator/.test(textOf(content))) break
    }
  })

  it('is shown what Slack would say when something is refused', async () => {
    expect(await act({ do: 'say', channel: OPS, text: '/nope' })).toMatchObject({
      ok: false,
      shown: '/nope is not a valid command.',
    })
    expect(await act({ do: 'say', channel: 'C0SECRET01', text: '/cdn' })).toMatchObject({ ok: false })
    expect(await act({ do: 'submit', texts: {} })).toMatchObject({ ok: false, shown: 'No modal is open.' })
  })
})

describe('the panel of the platform', () => {
  it('shows records with their comments, and of keys no more than how they end', async () => {
    const zone = stage.cdn.world.dnsZone(201n)!
    stage.cdn.world.addRecord(zone, { type: 0, name: 'lost', value: '192.0.2.45', comment: 'cdn-ops <b>1</b>' })
    const { status, text } = await ask('/account')
    expect(status).toBe(200)
    expect(textOf(text)).toContain('Alost192.0.2.45cdn-ops <b>1</b>')
    expect(tagsOf(text).filter(({ attributes }) => attributes['id'] === 'dns-zone-201')).toHaveLength(1)
    const [newest] = stage.cdn.world.apiKeys.toReversed()
    expect(textOf(text)).toContain(`…${newest!.value!.slice(-4)}`)
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/)
  })
})

describe('a file', () => {
  it('goes to whoever may see it, to be kept and not to be run', async () => {
    await act({ do: 'say', channel: OPS, text: '/cdn storage stats shop --csv' })
    const file = await stage.slack.until(() => olga().files()[0])
    const own = await ask(`/file?who=olga&id=${file.id}`)
    expect(own).toMatchObject({ status: 200, text: file.content })
    expect(own.headers).toMatchObject({
      'content-disposition': 'attachment',
      'content-type': 'application/octet-stream',
    })
    expect((await ask(`/file?who=vera&id=${file.id}`)).status).toBe(404)
    expect(stage.slack.person(ADA).files()).toEqual([])
  })
})
