import type { RecordedEntry } from '../../store/audit-entry.ts'
import type { LedgerEntry } from '../cdn/request-ledger.ts'
import type { Control } from '../controls.ts'
import type { Member, UserGroup } from '../slack/seed.ts'
import { clockTime, exactTime } from './date-words.ts'
import { domId, html, type Html } from './html.ts'
import type { Names, Reader } from './reader.ts'
import { SEATS } from './viewpoint.ts'

const MAX_REQUESTS = 60
const MAX_BODY_CHARACTERS = 4_000
const BAD = new Set(['denied', 'rejected', 'not_sent', 'not_done', 'expired', 'cancelled'])
/** What kinds of people are called, where it matters to the bot. */
const KINDS: Readonly<Partial<Record<Member['kind'], string>>> = {
  guest: 'guest',
  stranger: 'other workspace',
  deactivated: 'deactivated',
}

/** The switches, and where to see what is in the account. */
export function platformPanelHtml(controls: readonly Control[], links: number): Html {
  return html`<section><h3>Make something happen</h3><ul class="records plain">${controls.map(controlHtml)}</ul></section><section><h3>Look behind</h3><p><a href="/account" target="_blank" rel="noopener noreferrer">Open the CDN’s own panel</a></p><p class="quiet">The bot has ${links} links to Slack.</p></section>`
}

function controlHtml({ id, label, hint, on }: Control): Html {
  const hintId = domId('control', id)
  const state = on === undefined ? '' : html` role="switch" aria-checked="${on ? 'true' : 'false'}"`
  const sign = on === undefined ? '▶️' : on ? '🟢' : '⚪'
  return html`<li><button type="button" class="bare" id="${hintId}b"${state} aria-describedby="${hintId}" data-control="${id}" data-on="${on === true ? 'no' : 'yes'}"><span aria-hidden="true">${sign}</span> ${label}</button><p class="quiet" id="${hintId}">${hint}</p></li>`
}

/** Who is in which user group now, and the configuration file that gives them their roles. */
export function peoplePanelHtml(groups: readonly UserGroup[], names: Names, config: string | undefined): Html {
  const grouped = new Set(groups.flatMap(({ users }) => users))
  const others = Object.values(SEATS)
    .map(({ userId }) => userId)
    .filter((id) => !grouped.has(id))
  return html`<section><h3>Who is in which group</h3><dl class="records plain">${groups.map(
    ({ handle, users, disabledAtS }) => factHtml(`@${handle}${disabledAtS === 0 ? '' : ', disabled'}`, users, names),
  )}${factHtml('In no group', others, names)}</dl></section>${config === undefined ? '' : html`<section><h3>The configuration file</h3><p class="quiet">It gives roles to people and groups, and says what takes the approval of somebody else.</p><pre class="code" tabindex="0">${config}</pre></section>`}`
}

function factHtml(title: string, users: readonly string[], names: Names): Html {
  const people = users.map((id) => {
    const member = names.member(id)
    const kind = member === undefined ? undefined : KINDS[member.kind]
    return `${member?.realName ?? id}${kind === undefined ? '' : ` (${kind})`}`
  })
  return html`<div class="row between"><dt>${title}</dt><dd>${people.length === 0 ? 'nobody' : people.join(', ')}</dd></div>`
}

/** The requests that reached the platform, newest first, with what each carried and how it was answered. */
export function requestsPanelHtml(requests: readonly LedgerEntry[], reader: Reader): Html {
  if (requests.length === 0) {
    return html`<p class="quiet">Nothing has reached the platform yet. What the bot sends shows up here, as it was sent.</p>`
  }
  const shown = requests.map((request, index) => ({ request, index })).slice(-MAX_REQUESTS)
  return html`<p class="quiet">${requests.length.toLocaleString('en-US')} so far, newest first.</p><ol class="records plain">${shown
    .toReversed()
    .map(({ request, index }) => requestHtml(request, index, reader))}</ol>`
}

function requestHtml(request: LedgerEntry, index: number, { zone }: Reader): Html {
  const { method, path, query, body, at, status, fault } = request
  const search = new URLSearchParams(query).toString()
  const state = status === undefined ? 'wait' : status < 300 ? 'good' : 'bad'
  const words = fault === undefined ? (status ?? '…') : `${status ?? '✕'} ${fault}`
  const id = domId('request', index, at.getTime())
  return html`<li id="${id}"><details id="${id}d"><summary class="row"><span class="status ${state}">${words}</span><strong>${method}</strong><code>${path}</code>${timeHtml(at, zone)}</summary>${search === '' ? '' : html`<p><code>?${search}</code></p>`}${body === undefined ? html`<p class="quiet">No body.</p>` : html`<pre class="code" tabindex="0">${bodyText(body)}</pre>`}</details></li>`
}

function bodyText(body: unknown): string {
  const text = JSON.stringify(body, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)
  return text.length <= MAX_BODY_CHARACTERS ? text : `${text.slice(0, MAX_BODY_CHARACTERS)}…`
}

/** The bot's own record of what was asked, decided and done, newest first. Undefined while it cannot be read. */
export function auditPanelHtml(entries: readonly RecordedEntry[] | undefined, reader: Reader): Html {
  if (entries === undefined) return html`<p class="quiet">The bot’s record cannot be read at the moment.</p>`
  if (entries.length === 0) return html`<p class="quiet">Nothing is on record yet.</p>`
  return html`<p class="quiet">From the bot’s own store, newest first. Every entry is chained to the one before it.</p><ol class="records plain">${entries.map((entry) => entryHtml(entry, reader))}</ol>`
}

function entryHtml({ seq, at, actor, event, summary, detail }: RecordedEntry, { names, zone }: Reader): Html {
  const state = BAD.has(event) ? 'bad' : event === 'unknown' ? 'wait' : 'good'
  return html`<li id="${domId('audit', seq)}"><div class="row"><span class="quiet">${seq}</span><span class="status ${state}">${event.replaceAll('_', ' ')}</span><span>${names.member(actor)?.realName ?? actor}</span>${timeHtml(at, zone)}</div><p>${summary}</p>${detail === undefined ? '' : html`<p class="quiet">${detail}</p>`}</li>`
}

function timeHtml(at: Date, zone: string): Html {
  return html`<time class="small quiet" datetime="${at.toISOString()}" title="${exactTime(at, zone)}">${clockTime(at, zone)}</time>`
}
