import type { World } from '../cdn/world/world.ts'
import type { Control } from '../controls.ts'
import { domId } from './dom-id.ts'
import { html, type Html } from './html.ts'

/** What the platform's account holds, as far as it helps to follow what the bot does. */
export type PlatformState = Pick<World, 'pullZones' | 'storageZones' | 'dnsZones' | 'libraries' | 'apiKeys'>

/** The switches, and what is in the account. */
export function platformPanelHtml(state: PlatformState, controls: readonly Control[], links: number): Html {
  return html`<section><h3>Make something happen</h3><ul class="controls">${controls.map(controlHtml)}</ul></section><section><h3>The account</h3><dl class="facts"><div><dt>API keys</dt><dd>${state.apiKeys.length.toLocaleString('en-US')}</dd></div><div><dt>Video libraries</dt><dd>${state.libraries.length === 0 ? 'none yet' : state.libraries.map(({ name, id }) => `${name} (${id})`).join(', ')}</dd></div><div><dt>Links of the bot to Slack</dt><dd>${links}</dd></div></dl>${zonesHtml(state)}</section>`
}

function controlHtml({ id, label, hint, kind, on }: Control): Html {
  const hintId = domId('control', id)
  const button =
    kind === 'toggle'
      ? html`<button type="button" class="switch" role="switch" id="${hintId}b" aria-checked="${on === true ? 'true' : 'false'}" aria-describedby="${hintId}" data-control="${id}" data-on="${on === true ? 'no' : 'yes'}"><span class="knob" aria-hidden="true"></span>${label}</button>`
      : html`<button type="button" class="switch press" id="${hintId}b" aria-describedby="${hintId}" data-control="${id}" data-on="yes"><span class="bolt" aria-hidden="true">▸</span>${label}</button>`
  return html`<li>${button}<small class="quiet" id="${hintId}">${hint}</small></li>`
}

function zonesHtml({ pullZones, storageZones, dnsZones }: PlatformState): Html {
  const table = (
    caption: string,
    head: readonly string[],
    rows: readonly (readonly (string | number | bigint)[])[],
  ): Html =>
    html`<table class="zones"><caption>${caption}</caption><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows.map(
      (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`,
    )}</tbody></table>`
  return html`${table(
    'Pull zones',
    ['Id', 'Host', 'Log'],
    pullZones.map(({ id, host, logging, state }) => [id, host, state === 'active' ? logging : state]),
  )}${table(
    'Storage zones',
    ['Id', 'Name'],
    storageZones.map(({ id, name }) => [id, name]),
  )}${table(
    'DNS zones',
    ['Id', 'Domain', 'Records'],
    dnsZones.map(({ id, domain, records }) => [id, domain, records.length]),
  )}`
}
