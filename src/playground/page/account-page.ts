import { RECORD_TYPES } from '../cdn/dns-record-handler.ts'
import type { World } from '../cdn/world/world.ts'
import { html, type Html } from './html.ts'

const MAX_ROWS = 40
const SHOWN_KEY_CHARACTERS = 4

export type Account = Pick<World, 'pullZones' | 'storageZones' | 'dnsZones' | 'libraries' | 'apiKeys'>

type Cell = string | bigint

/**
 * The panel of the emulated CDN, to look up what the bot does not know. The bot's links lead to the id of a zone or
 * library on this page.
 */
export function accountPageHtml({ pullZones, storageZones, dnsZones, libraries, apiKeys }: Account): Html {
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
