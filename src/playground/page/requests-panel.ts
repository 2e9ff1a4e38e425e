import type { LedgerEntry } from '../cdn/request-ledger.ts'
import { clockTime, exactTime } from './date-words.ts'
import { domId } from './dom-id.ts'
import { html, type Html } from './html.ts'
import type { Reader } from './reader.ts'

const MAX_REQUESTS = 60
const MAX_BODY_CHARACTERS = 4_000

/** The requests that reached the platform, newest first, with what each carried and how it was answered. */
export function requestsPanelHtml(requests: readonly LedgerEntry[], reader: Reader): Html {
  if (requests.length === 0) {
    return html`<p class="quiet">Nothing has reached the platform yet. What the bot sends shows up here, as it was sent.</p>`
  }
  const shown = requests.map((request, index) => ({ request, index })).slice(-MAX_REQUESTS)
  return html`<p class="quiet">${requests.length.toLocaleString('en-US')} so far, newest first.</p><ol class="requests">${shown
    .toReversed()
    .map(({ request, index }) => requestHtml(request, index, reader))}</ol>`
}

function requestHtml(
  { method, path, query, body, at, status, fault }: LedgerEntry,
  index: number,
  reader: Reader,
): Html {
  const search = new URLSearchParams(query).toString()
  const state = status === undefined ? 'wait' : status < 300 ? 'good' : 'bad'
  const words = fault === undefined ? (status ?? '…') : `${status ?? '✕'} ${fault}`
  return html`<li id="${domId('request', index, at.getTime())}"><details id="${domId('request', index, at.getTime(), 'd')}"><summary><span class="status ${state}">${words}</span><span class="method">${method}</span><span class="path">${path}</span><time datetime="${at.toISOString()}" title="${exactTime(at, reader.zone)}">${clockTime(at, reader.zone)}</time></summary>${search === '' ? '' : html`<p class="path">?${search}</p>`}${body === undefined ? html`<p class="quiet">No body.</p>` : html`<pre class="code" tabindex="0">${bodyText(body)}</pre>`}</details></li>`
}

function bodyText(body: unknown): string {
  const text = JSON.stringify(body, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)
  return text.length <= MAX_BODY_CHARACTERS ? text : `${text.slice(0, MAX_BODY_CHARACTERS)}…`
}
