import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../../shared/node-http.ts'
import { perform, request as actRequest } from './acts.ts'
import { type Asset, loadAssets } from './assets.ts'
import { LiveFeed } from './live-feed.ts'
import { regionsOf } from './regions.ts'
import { isWelcome, LOOPBACK } from './request-guard.ts'
import { requestJson } from './request-json.ts'
import { seatOf } from './seats.ts'
import { shellHtml } from './shell.ts'
import type { Sources } from './sources.ts'
import { viewpointOf } from './viewpoint.ts'

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

/** The page while it is served. */
export interface Page {
  readonly url: string
  close(): Promise<void>
}

/** Serves the page on loopback, at the wanted port or, when that is in use, at any free one. */
export async function startPage(sources: Sources, port: number): Promise<Page> {
  const assets = await loadAssets()
  const feeds = new Set<LiveFeed>()
  const server = createServer((request, response) => {
    const serving = isWelcome(request)
      ? serve(request, response, { sources, assets, feeds })
      : Promise.resolve(send(response, 403, 'text/plain', 'This page is for this machine alone.'))
    serving.catch(() => response.destroy())
  })
  await listen(server, port).catch(async () => listen(server, 0))
  // A boundary: a server that listens on a port has an address of this kind.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${LOOPBACK}:${taken}/`,
    async close() {
      for (const feed of feeds) feed.close()
      await shut(server)
    },
  }
}

interface Serving {
  readonly sources: Sources
  readonly assets: ReadonlyMap<string, Asset>
  readonly feeds: Set<LiveFeed>
}

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { sources, assets, feeds } = serving
  const url = new URL(request.url ?? '/', `http://${LOOPBACK}`)
  const route = `${request.method} ${url.pathname}`
  if (route === 'GET /') {
    const viewpoint = viewpointOf(url.searchParams)
    return send(response, 200, 'text/html', shellHtml(viewpoint, await regionsOf(viewpoint, sources)).toString())
  }
  if (route === 'GET /events') return openFeed(url, response, sources, feeds)
  if (route === 'POST /act') return act(request, response, sources)
  if (route === 'GET /file') return sendFile(url, response, sources)
  const asset = route.startsWith('GET /assets/') ? assets.get(url.pathname.slice('/assets/'.length)) : undefined
  if (asset !== undefined) {
    response.writeHead(200, { ...HEADERS, 'content-type': asset.type }).end(asset.content)
    return
  }
  send(response, 404, 'text/plain', 'There is nothing here.')
}

function openFeed(url: URL, response: ServerResponse, sources: Sources, feeds: Set<LiveFeed>): void {
  if (feeds.size >= MAX_FEEDS) return send(response, 503, 'text/plain', 'Too many pages are open.')
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
  const viewpoint = viewpointOf(url.searchParams)
  const { clock, slack, controls } = sources
  const subscriptions = [slack.subscribe, (listener: () => void) => controls.subscribe(listener)]
  const draw = async () => regionsOf(viewpoint, sources)
  const feed = new LiveFeed({ clock, draw, subscriptions }, response)
  feeds.add(feed)
  response.on('close', () => feeds.delete(feed))
}

async function act(request: IncomingMessage, response: ServerResponse, sources: Sources): Promise<void> {
  const parsed = actRequest.safeParse(await requestJson(request))
  if (!parsed.success) return send(response, 400, 'text/plain', 'This is not something one can do here.')
  send(response, 200, 'application/json', JSON.stringify(await perform(parsed.data, sources)))
}

/** A file as a download, never as something the browser would show or run. */
function sendFile(url: URL, response: ServerResponse, { slack }: Sources): void {
  const { who } = viewpointOf(url.searchParams)
  const id = url.searchParams.get('id')
  const file = slack
    .person(seatOf(who).userId)
    .files()
    .find((each) => each.id === id)
  if (file === undefined) return send(response, 404, 'text/plain', 'There is no such file.')
  response
    .writeHead(200, { ...HEADERS, 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
    .end(file.content)
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body)
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function shut(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
