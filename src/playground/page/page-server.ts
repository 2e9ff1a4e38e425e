import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { json } from 'node:stream/consumers'
import { listen, LOOPBACK, shut } from '../../shared/server.ts'
import { perform, request as actRequest } from './acts.ts'
import { html, type Html, NOTHING } from './html.ts'
import { regionsOf, type Regions } from './regions.ts'
import type { Stage } from '../stage/stage.ts'
import { Stories } from './stories.ts'
import { SEATS, viewpointOf, type Viewpoint } from './viewpoint.ts'
import { RECORD_TYPES } from '../cdn/dns-record-handler.ts'
import type { World } from '../cdn/world/world.ts'
import type { DnsZone } from '../cdn/world/zones.ts'

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
export type Page = Awaited<ReturnType<typeof openPage>>

/** Serves the page on loopback, at the wanted port or, when that is in use, at any free one. */
export async function openPage(port: number) {
  const assets = await loadAssets()
  let shown: Serving | undefined
  const server = createServer((request, response) => {
    if (!isWelcome(request)) return send(response, 403, 'text/plain', 'This page is for this machine alone.')
    if (shown === undefined) return send(response, 503, 'text/plain', 'The playground is starting.')
    serve(request, response, shown).catch(() => response.destroy())
  })
  const taken = await listen(server, port).catch(async () => listen(server, 0))
  return {
    url: `http://${LOOPBACK}:${taken}/`,
    /** Shows what there is from now on; before, all is answered 503. */
    show(stage: Stage): void {
      shown = { stage, stories: new Stories(stage), assets }
    },
    close: async () => shut(server),
  }
}

interface Serving {
  readonly stage: Stage
  readonly stories: Stories
  readonly assets: ReadonlyMap<string, Buffer>
}

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { stage, stories, assets } = serving
  const url = new URL(request.url ?? '/', `http://${LOOPBACK}`)
  const route = `${request.method} ${url.pathname}`
  if (route === 'GET /') {
    const viewpoint = viewpointOf(url.searchParams)
    return send(response, 200, 'text/html', shellHtml(await regionsOf(viewpoint, stage, stories)))
  }
  if (route === 'GET /account') return send(response, 200, 'text/html', accountHtml(stage.cdn.world))
  if (route === 'GET /events') return feed(viewpointOf(url.searchParams), response, serving)
  if (route === 'POST /act') return act(request, response, serving)
  if (route === 'GET /file') return sendFile(url, response, stage)
  const asset = request.method === 'GET' ? assets.get(url.pathname) : undefined
  if (asset === undefined) return send(response, 404, 'text/plain', 'There is nothing here.')
  response.writeHead(200, { ...HEADERS, 'content-type': TYPES[extname(url.pathname)] }).end(asset)
}

async function act(request: IncomingMessage, response: ServerResponse, { stage, stories }: Serving): Promise<void> {
  const parsed = actRequest.safeParse(await requestJson(request))
  if (!parsed.success) return send(response, 400, 'text/plain', 'This is not something one can do here.')
  send(response, 200, 'application/json', JSON.stringify(await perform(parsed.data, stage, stories)))
}

/** A file as a download, never as something the browser would show or run. */
function sendFile(url: URL, response: ServerResponse, { slack }: Stage): void {
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
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Every style, script and picture of the page, by its path. They are read once: nobody names a path on disk. */
async function loadAssets(): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(FOLDER)
  return new Map(
    await Promise.all(names.map(async (name) => [`/assets/${name}`, await readFile(new URL(name, FOLDER))] as const)),
  )
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

function headHtml(title: string): Html {
  return html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="icon" href="/assets/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/assets/page.css"><link rel="stylesheet" href="/assets/messages.css">`
}

/** The whole page, as it is loaded: every region is there already, the script keeps them up to date. */
function shellHtml({ sidebar, header, guide, content, composer, thread, panel, modal }: Regions): Html {
  const hidden = (region: Html): Html => (region.toString() === '' ? html` hidden` : NOTHING)
  return html`<!doctype html><html lang="en"><head>${headHtml('CDN Ops playground')}<script type="module" src="/assets/page.js"></script></head><body><a class="skip" href="#content">Skip to the conversation</a><div id="app"><nav id="sidebar" aria-label="Workspace">${sidebar}</nav><main id="main"><header id="header" class="bar row">${header}</header><div id="guide" class="row">${guide}</div><div id="content" class="scroll" tabindex="0" role="region" aria-label="Messages">${content}</div><div id="composer">${composer}</div></main><aside id="thread" aria-label="Thread"${hidden(thread)}>${thread}</aside><aside id="panel" aria-label="Behind the scenes"${hidden(panel)}>${panel}</aside></div><div id="modal">${modal}</div><datalist id="offered"></datalist><div id="toasts" role="region" aria-label="Notices"></div><div id="live" class="unseen" role="status" aria-live="polite"></div><noscript>This page needs its script, which comes from this machine.</noscript></body></html>`
}

const THROTTLE_MS = 100
/** What changes without Slack's doing, such as requests to the CDN, is seen so much later. */
const LOOK_AGAIN_MS = 500
const RETRY_MS = 500
/** A browser that does not read is let go; it comes back by itself and gets everything anew. */
const MAX_UNREAD_BYTES = 8_000_000

/** Sends one open page the regions that have changed, as server-sent events, until it goes away. */
async function feed(viewpoint: Viewpoint, response: ServerResponse, { stage, stories }: Serving): Promise<void> {
  const sent = new Map<string, string>()
  let isStale = false
  response.on(
    'close',
    stage.slack.subscribe(() => (isStale = true)),
  )
  response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' })
  response.write(`retry: ${RETRY_MS}\n\n`)
  while (!response.closed) {
    isStale = false
    const regions = Object.entries(await regionsOf(viewpoint, stage, stories))
    const drawn = regions.map(([name, markup]) => [name, markup.toString()] as const)
    const changed = drawn.filter(([name, markup]) => sent.get(name) !== markup)
    for (const [name, markup] of changed) sent.set(name, markup)
    if (changed.length > 0) response.write(`event: regions\ndata: ${JSON.stringify(Object.fromEntries(changed))}\n\n`)
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    await stage.clock.sleep(THROTTLE_MS)
    await stage.slack.until(() => isStale, LOOK_AGAIN_MS).catch(() => undefined)
  }
}

const MAX_ROWS = 40
const SHOWN_KEY_CHARACTERS = 4

type Row = readonly (string | bigint)[]

/** The panel of the emulated CDN. The bot's links lead to the id of a zone or library on it. */
function accountHtml({ pullZones, storageZones, dnsZones, libraries, apiKeys }: World): Html {
  const records = (zone: DnsZone): readonly Row[] =>
    zone.records.map(({ id, type, name, value, comment = '' }) => [
      id,
      RECORD_TYPES[type] ?? String(type),
      name === '' ? '@' : name,
      value,
      comment,
    ])
  const keys = apiKeys.map(({ id, value, roles }): Row => [
    id,
    value === null ? '–' : `…${value.slice(-SHOWN_KEY_CHARACTERS)}`,
    roles?.join(', ') ?? '–',
  ])
  return html`<!doctype html><html lang="en"><head>${headHtml('CDN panel')}</head><body class="account"><header class="bar row"><h1>Northwind’s account</h1><span class="quiet">The panel of the made-up CDN</span></header><main>${dnsZones.map(
    (zone) =>
      html`<div id="dns-zone-${zone.id}">${rowsHtml('dns-record', `DNS zone ${zone.domain} (${zone.id})`, ['Id', 'Type', 'Name', 'Value', 'Comment'], records(zone))}</div>`,
  )}${rowsHtml(
    'video-library',
    'Video libraries',
    ['Id', 'Name', 'Storage zone', 'Pull zone'],
    libraries.map(({ id, name, storageZoneId, pullZoneId }) => [id, name, storageZoneId, pullZoneId]),
  )}${rowsHtml(
    'pull-zone',
    'Pull zones',
    ['Id', 'Host', 'Log'],
    pullZones.map(({ id, host, logging, state }) => [id, host, state === 'active' ? logging : state]),
  )}${rowsHtml(
    'storage-zone',
    'Storage zones',
    ['Id', 'Name'],
    storageZones.map(({ id, name }) => [id, name]),
  )}${rowsHtml('api-key', 'API keys', ['Id', 'Key', 'Roles'], keys)}</main></body></html>`
}

/** A table with its newest row on top; a link can lead to each row, whose first cell is its id. */
function rowsHtml(place: string, title: string, head: readonly string[], rows: readonly Row[]): Html {
  const shown = rows.slice(-MAX_ROWS).toReversed()
  const count = shown.length < rows.length ? `the newest ${shown.length} of ${rows.length}` : rows.length
  return html`<section><h2>${title} <small>${count}</small></h2><div class="table-scroll frame card" tabindex="0" role="group" aria-label="${title}"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${shown.map(
    (row) => html`<tr id="${place}-${row[0]}">${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div></section>`
}
