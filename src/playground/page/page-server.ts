import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listen, LOOPBACK, shut } from '../../shared/server.ts'
import { perform, request as actRequest } from './acts.ts'
import { html, type Html, NOTHING } from './html.ts'
import { regionsOf, type Regions } from './regions.ts'
import type { Sources } from './reader.ts'
import { Stories } from './stories.ts'
import { SEATS, viewpointOf, type Viewpoint } from './viewpoint.ts'
import { RECORD_TYPES } from '../cdn/dns-record-handler.ts'
import type { World } from '../cdn/world/world.ts'

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
  let shown: Shown | undefined
  const server = createServer((request, response) => {
    if (!isWelcome(request)) return send(response, 403, 'text/plain', 'This page is for this machine alone.')
    if (shown === undefined) return send(response, 503, 'text/plain', 'The playground is starting.')
    serve(request, response, { ...shown, assets }).catch(() => response.destroy())
  })
  const taken = await listen(server, port).catch(async () => listen(server, 0))
  return {
    url: `http://${LOOPBACK}:${taken}/`,
    show(sources) {
      shown = { sources, stories: new Stories(sources) }
    },
    close: async () => shut(server),
  }
}

/** What is shown, and the stories that can be played with it. */
interface Shown {
  readonly sources: Sources
  readonly stories: Stories
}

interface Serving extends Shown {
  readonly assets: ReadonlyMap<string, Asset>
}

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { sources, stories, assets } = serving
  const url = new URL(request.url ?? '/', `http://${LOOPBACK}`)
  const route = `${request.method} ${url.pathname}`
  if (route === 'GET /') {
    const viewpoint = viewpointOf(url.searchParams)
    return send(response, 200, 'text/html', shellHtml(await regionsOf(viewpoint, sources, stories)))
  }
  if (route === 'GET /account') return send(response, 200, 'text/html', accountHtml(sources))
  if (route === 'GET /events') return feed(viewpointOf(url.searchParams), response, serving)
  if (route === 'POST /act') return act(request, response, serving)
  if (route === 'GET /file') return sendFile(url, response, sources)
  const asset = route.startsWith('GET /assets/') ? assets.get(url.pathname.slice('/assets/'.length)) : undefined
  if (asset === undefined) return send(response, 404, 'text/plain', 'There is nothing here.')
  response.writeHead(200, { ...HEADERS, 'content-type': asset.type }).end(asset.content)
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
function shellHtml({ sidebar, header, guide, content, composer, thread, panel, modal }: Regions): Html {
  const hidden = (region: Html): Html => (region.toString() === '' ? html` hidden` : NOTHING)
  return html`<!doctype html><html lang="en"><head>${headHtml('CDN Ops playground')}<script type="module" src="/assets/page.js"></script></head><body><a class="skip" href="#content">Skip to the conversation</a><div id="app"><nav id="sidebar" aria-label="Workspace">${sidebar}</nav><main id="main"><header id="header" class="bar row">${header}</header><div id="guide" class="row">${guide}</div><div id="content" class="scroll" tabindex="0" role="region" aria-label="Messages">${content}</div><div id="composer">${composer}</div></main><aside id="thread" aria-label="Thread"${hidden(thread)}>${thread}</aside><aside id="panel" aria-label="Behind the scenes"${hidden(panel)}>${panel}</aside></div><div id="modal">${modal}</div><datalist id="offered"></datalist><div id="toasts" role="region" aria-label="Notices"></div><div id="live" class="unseen" role="status" aria-live="polite"></div><noscript>This page needs its script, which comes from this machine.</noscript></body></html>`
}

function accountHtml({ cdn }: Sources): Html {
  return html`<!doctype html><html lang="en"><head>${headHtml('CDN panel')}</head><body class="account">${accountPageHtml(cdn.world)}</body></html>`
}

/** Changes that come together are sent together. */
const THROTTLE_MS = 40
/** Of what changes elsewhere than in Slack nobody tells. */
const LOOK_AGAIN_MS = 500
const RETRY_MS = 500
/** A browser that does not read is let go; it comes back by itself and gets everything anew. */
const MAX_UNREAD_BYTES = 8_000_000

/** Sends one open page the regions that have changed, as server-sent events, until it goes away. */
async function feed(viewpoint: Viewpoint, response: ServerResponse, { sources, stories }: Shown): Promise<void> {
  const { clock, slack } = sources
  const sent = new Map<string, string>()
  let isStale = false
  response.on(
    'close',
    slack.subscribe(() => (isStale = true)),
  )
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(`retry: ${RETRY_MS}\n\n`)
  while (!response.closed) {
    isStale = false
    const regions = Object.entries(await regionsOf(viewpoint, sources, stories))
    const drawn = regions.map(([name, markup]) => [name, markup.toString()] as const)
    const changed = drawn.filter(([name, markup]) => sent.get(name) !== markup)
    for (const [name, markup] of changed) sent.set(name, markup)
    if (changed.length > 0) response.write(`event: regions\ndata: ${JSON.stringify(Object.fromEntries(changed))}\n\n`)
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    await clock.sleep(THROTTLE_MS)
    await slack.until(() => isStale, LOOK_AGAIN_MS).catch(() => undefined)
  }
}

const MAX_ROWS = 40
const SHOWN_KEY_CHARACTERS = 4

type Account = Pick<World, 'pullZones' | 'storageZones' | 'dnsZones' | 'libraries' | 'apiKeys'>

type Cell = string | bigint

/**
 * The panel of the emulated CDN, to look up what the bot does not know. The bot's links lead to the id of a zone or
 * library on this page.
 */
function accountPageHtml({ pullZones, storageZones, dnsZones, libraries, apiKeys }: Account): Html {
  const zones = dnsZones.map(({ id, domain, records }) => {
    const rows = records.map(({ id: record, type, name, value, comment = '' }) => [
      record,
      typeName(type),
      name === '' ? '@' : name,
      value,
      comment,
    ])
    return html`<section id="dns-zone-${id}"><h2>${domain} <small>DNS zone ${id}</small></h2>${rowsHtml('dns-record', ['Id', 'Type', 'Name', 'Value', 'Comment'], rows)}</section>`
  })
  return html`<header class="bar row"><h1>Northwind’s account</h1><span class="quiet">The panel of the made-up CDN</span></header><nav class="tabs bar row" aria-label="Account"><a href="#dns">DNS</a><a href="#libraries">Video libraries</a><a href="#zones">Zones</a><a href="#keys">API keys</a></nav><main><div id="dns">${zones}</div><section id="libraries"><h2>Video libraries</h2>${rowsHtml(
    'video-library',
    ['Id', 'Name', 'Storage zone', 'Pull zone', 'Keys'],
    libraries.map(({ id, name, storageZoneId, pullZoneId }) => [id, name, storageZoneId, pullZoneId, 'three, hidden']),
  )}</section><section id="zones"><h2>Pull zones</h2>${rowsHtml(
    'pull-zone',
    ['Id', 'Host', 'Log'],
    pullZones.map(({ id, host, logging, state }) => [id, host, state === 'active' ? logging : state]),
  )}<h2>Storage zones</h2>${rowsHtml(
    'storage-zone',
    ['Id', 'Name'],
    storageZones.map(({ id, name }) => [id, name]),
  )}</section><section id="keys"><h2>API keys</h2>${rowsHtml(
    'api-key',
    ['Id', 'Key', 'Roles'],
    apiKeys.map(({ id, value, roles }) => [
      id,
      value === null ? '–' : `…${value.slice(-SHOWN_KEY_CHARACTERS)}`,
      roles?.join(', ') ?? '–',
    ]),
  )}</section></main>`
}

/** A table with its newest row on top; a link can lead to each row, whose first cell is its id. */
function rowsHtml(place: string, head: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p class="quiet">None yet.</p>`
  const shown = rows.slice(-MAX_ROWS).toReversed()
  return html`<div class="table-scroll frame card" tabindex="0" role="group" aria-label="${head.join(', ')}"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${shown.map(
    (row) => html`<tr id="${place}-${row[0]}">${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>${shown.length < rows.length ? html`<p class="quiet">The newest ${shown.length} of ${rows.length.toLocaleString('en-US')}.</p>` : ''}`
}

function typeName(type: number): string {
  return RECORD_TYPES[type] ?? String(type)
}
