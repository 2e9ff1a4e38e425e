import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { accountPageHtml } from './account-page.ts'
import { perform, request as actRequest } from './acts.ts'
import { html, type Html, NOTHING } from './html.ts'
import { startFeed } from './live-feed.ts'
import { regionsOf, type Regions } from './regions.ts'
import type { Sources } from './sources.ts'
import { Stories } from './stories.ts'
import { SEATS, viewpointOf, type Viewpoint } from './viewpoint.ts'

/** More open pages than anybody looks at. */
const MAX_FEEDS = 40

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** The page while it is served. Its address is known before there is anything to show: the bot's links lead to it. */
export interface Page {
  readonly url: string
  /** Shows what there is from now on; before, all is answered 503. */
  show(sources: Sources): void
  close(): Promise<void>
}

/** Serves the page on loopback, at the wanted port or, when that is in use, at any free one. */
export async function openPage(port: number): Promise<Page> {
  const assets = await loadAssets()
  const feeds = new Set<() => void>()
  let shown: Shown | undefined
  const server = createServer((request, response) => {
    if (!isWelcome(request)) return send(response, 403, 'text/plain', 'This page is for this machine alone.')
    if (shown === undefined) return send(response, 503, 'text/plain', 'The playground is starting.')
    serve(request, response, { ...shown, assets, feeds }).catch(() => response.destroy())
  })
  await listen(server, port).catch(async () => listen(server, 0))
  // A boundary: a server that listens on a port has an address of this kind.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${LOOPBACK}:${taken}/`,
    show(sources) {
      shown = { sources, stories: new Stories(sources) }
    },
    async close() {
      for (const close of feeds) close()
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** What is shown, and the stories that can be played with it. */
interface Shown {
  readonly sources: Sources
  readonly stories: Stories
}

interface Serving extends Shown {
  readonly assets: ReadonlyMap<string, Asset>
  readonly feeds: Set<() => void>
}

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { sources, stories, assets } = serving
  const url = new URL(request.url ?? '/', `http://${LOOPBACK}`)
  const route = `${request.method} ${url.pathname}`
  if (route === 'GET /') {
    const viewpoint = viewpointOf(url.searchParams)
    return send(response, 200, 'text/html', shellHtml(viewpoint, await regionsOf(viewpoint, sources, stories)))
  }
  if (route === 'GET /account') return send(response, 200, 'text/html', accountHtml(sources))
  if (route === 'GET /events') return openFeed(url, response, serving)
  if (route === 'POST /act') return act(request, response, serving)
  if (route === 'GET /file') return sendFile(url, response, sources)
  const asset = route.startsWith('GET /assets/') ? assets.get(url.pathname.slice('/assets/'.length)) : undefined
  if (asset === undefined) return send(response, 404, 'text/plain', 'There is nothing here.')
  response.writeHead(200, { ...HEADERS, 'content-type': asset.type }).end(asset.content)
}

function openFeed(url: URL, response: ServerResponse, { sources, stories, feeds }: Serving): void {
  if (feeds.size >= MAX_FEEDS) return send(response, 503, 'text/plain', 'Too many pages are open.')
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
  const viewpoint = viewpointOf(url.searchParams)
  const { clock, slack, controls } = sources
  const subscriptions = [slack, controls, stories].map((each) => (listener: () => void) => each.subscribe(listener))
  const draw = async () => regionsOf(viewpoint, sources, stories)
  const close = startFeed({ clock, draw, subscriptions }, response)
  feeds.add(close)
  response.on('close', () => feeds.delete(close))
}

async function act(request: IncomingMessage, response: ServerResponse, { sources, stories }: Serving): Promise<void> {
  const parsed = actRequest.safeParse(await requestJson(request))
  if (!parsed.success) return send(response, 400, 'text/plain', 'This is not something one can do here.')
  send(response, 200, 'application/json', JSON.stringify(await perform(parsed.data, sources, stories)))
}

/** A file as a download, never as something the browser would show or run. */
function sendFile(url: URL, response: ServerResponse, { slack }: Sources): void {
  const { who } = viewpointOf(url.searchParams)
  const id = url.searchParams.get('id')
  const file = slack
    .person(SEATS[who].userId)
    .files()
    .find((each) => each.id === id)
  if (file === undefined) return send(response, 404, 'text/plain', 'There is no such file.')
  response
    .writeHead(200, { ...HEADERS, 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
    .end(file.content)
}

function send(response: ServerResponse, status: number, type: string, body: string | Html): void {
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body.toString())
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, LOOPBACK)
  await once(server, 'listening')
}

const FOLDER = new URL('assets/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

interface Asset {
  readonly type: string
  readonly content: Buffer
}

/** Every style, script and picture of the page, by its name. They are read once: nobody names a path on disk. */
async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(FOLDER)
  const assets = await Promise.all(
    names.map(async (name) => {
      const type = TYPES[name.split('.').at(-1) ?? '']
      return type === undefined ? [] : [[name, { type, content: await readFile(new URL(name, FOLDER)) }] as const]
    }),
  )
  return new Map(assets.flat())
}

/** The only address the page is served at. */
const LOOPBACK = '127.0.0.1'

/**
 * Whether a request may be served: it must name this address itself, so that no other name for it works, and what
 * changes something must come from the page, so that no other page in the same browser can act here.
 */
function isWelcome({ headers, method, socket }: IncomingMessage): boolean {
  const own = [`${LOOPBACK}:${socket.localPort}`, `localhost:${socket.localPort}`]
  if (!own.includes(headers.host ?? '')) return false
  if (headers.origin !== undefined) return headers.origin === `http://${headers.host}`
  return method === 'GET' || method === 'HEAD'
}

const MAX_BODY_BYTES = 512_000

/** What a request carries as JSON. Undefined for another type, for too much of it and for what is no JSON. */
async function requestJson(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-length': length } = request.headers
  if (type?.split(';')[0] !== 'application/json' || !(Number(length) <= MAX_BODY_BYTES)) return undefined
  return json(request).catch(() => undefined)
}

/** What both pages of this server load: the one stylesheet, and the sign in the tab. */
function headHtml(title: string): Html {
  return html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="/assets/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/assets/page.css">`
}

/** The whole page, as it is loaded: every region is there already, the script keeps them up to date. */
function shellHtml({ theme }: Viewpoint, regions: Regions): Html {
  const { sidebar, header, guide, content, composer, thread, panel, modal } = regions
  const hidden = (region: Html): Html => (region.toString() === '' ? html` hidden` : NOTHING)
  return html`<!doctype html><html lang="en" data-theme="${theme}"><head>${headHtml('CDN Ops playground')}<script type="module" src="/assets/page.js"></script></head><body><a class="skip" href="#content">Skip to the conversation</a><div id="app"><nav id="sidebar" aria-label="Workspace">${sidebar}</nav><main id="main"><header id="header" class="bar row">${header}</header><div id="guide" class="row">${guide}</div><div id="content" class="scroll" tabindex="0" role="region" aria-label="Messages">${content}</div><div id="composer">${composer}</div></main><aside id="thread" aria-label="Thread"${hidden(thread)}>${thread}</aside><aside id="panel" aria-label="Behind the scenes"${hidden(panel)}>${panel}</aside></div><div id="modal">${modal}</div><div id="toasts" role="region" aria-label="Notices"></div><div id="live" class="unseen" role="status" aria-live="polite"></div><noscript>This page needs its script, which comes from this machine.</noscript></body></html>`
}

function accountHtml({ cdn }: Sources): Html {
  return html`<!doctype html><html lang="en"><head>${headHtml('CDN panel')}</head><body class="account">${accountPageHtml(cdn.world)}</body></html>`
}
