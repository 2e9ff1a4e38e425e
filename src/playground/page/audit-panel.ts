import type { RecordedEntry } from '../../store/audit-entry.ts'
import { clockTime, exactTime } from './date-words.ts'
import { domId } from './dom-id.ts'
import { html, type Html } from './html.ts'
import type { Reader } from './reader.ts'

const BAD = new Set(['denied', 'rejected', 'not_sent', 'not_done', 'expired', 'cancelled'])

/** The bot's own record of what was asked, decided and done, newest first. Undefined while it cannot be read. */
export function auditPanelHtml(entries: readonly RecordedEntry[] | undefined, reader: Reader): Html {
  if (entries === undefined) return html`<p class="quiet">The bot’s record cannot be read at the moment.</p>`
  if (entries.length === 0) return html`<p class="quiet">Nothing is on record yet.</p>`
  return html`<p class="quiet">From the bot’s own store, newest first. Every entry is chained to the one before it.</p><ol class="audit">${entries.map((entry) => entryHtml(entry, reader))}</ol>`
}

function entryHtml({ seq, at, actor, event, summary, detail }: RecordedEntry, reader: Reader): Html {
  const state = BAD.has(event) ? 'bad' : event === 'unknown' ? 'wait' : 'good'
  const who = reader.names.member(actor)?.realName ?? actor
  return html`<li id="${domId('audit', seq)}"><div class="audit-head"><span class="quiet">${seq}</span><span class="status ${state}">${event.replaceAll('_', ' ')}</span><span>${who}</span><time datetime="${at.toISOString()}" title="${exactTime(at, reader.zone)}">${clockTime(at, reader.zone)}</time></div><p>${summary}</p>${detail === undefined ? '' : html`<p class="quiet">${detail}</p>`}</li>`
}
