import type { AppShortcut } from '../slack/app-manifest.ts'
import { html, type Html } from './html.ts'
import type { Place } from './place.ts'

/** Something that can be typed after a slash. */
export interface Completion {
  /** What is put into the field: `/cdn storage stats `. */
  readonly insert: string
  /** How it goes on: `/cdn storage stats <storage-zone> [--csv]`. */
  readonly usage: string
  readonly summary: string
}

/** The field to type into, what it offers for a slash, and the shortcuts behind its plus. Home has none. */
export function composerHtml(
  place: Place,
  completions: readonly Completion[],
  shortcuts: readonly AppShortcut[],
): Html {
  if (place.kind === 'home') return html``
  const to = place.kind === 'dm' ? 'CDN Ops' : `#${place.channel.name}`
  return html`<div class="completions" data-completions hidden><div class="completions-head">Commands of CDN Ops</div><ul role="listbox" id="completions" aria-label="Commands">${completions.map(
    ({ insert, usage, summary }, index) =>
      html`<li role="option" id="completion-${index}" aria-selected="false" data-insert="${insert}"><span class="usage">${usage}</span><small>${summary}</small></li>`,
  )}</ul></div><form class="composer" data-composer data-channel="${place.channel.id}">${shortcutMenu(shortcuts)}<textarea id="say" rows="1" maxlength="3000" placeholder="Message ${to}: type / for commands" aria-label="Message ${to}" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="completions" autocomplete="off" spellcheck="false"></textarea><button type="submit" class="send" aria-label="Send"><svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d="M1.7 2.3 14.5 8 1.7 13.7 3.2 8.8 9 8 3.2 7.2z"/></svg></button></form><div class="composer-hint"><span data-usage></span><span class="keys"><kbd>/</kbd> commands <kbd>↑</kbd> earlier ones <kbd>Enter</kbd> sends</span></div>`
}

/** The field under a thread, where Slack takes no commands. */
export function threadComposerHtml(place: Place, ts: string): Html {
  if (place.kind === 'home') return html``
  return html`<form class="composer" data-composer data-channel="${place.channel.id}" data-thread="${ts}"><textarea id="reply" rows="1" maxlength="3000" placeholder="Reply, or ask @cdn-ops status" aria-label="Reply" autocomplete="off" spellcheck="false"></textarea><button type="submit" class="send" aria-label="Send the reply"><svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d="M1.7 2.3 14.5 8 1.7 13.7 3.2 8.8 9 8 3.2 7.2z"/></svg></button></form>`
}

function shortcutMenu(shortcuts: readonly AppShortcut[]): Html {
  return html`<span class="menu menu-up" data-menu><button type="button" class="icon-button" id="shortcuts" aria-haspopup="menu" aria-expanded="false" aria-controls="shortcuts-menu" aria-label="Shortcuts" data-menu-open>+</button><span class="menu-list" id="shortcuts-menu" role="menu" aria-labelledby="shortcuts" hidden>${shortcuts.map(
    ({ callbackId, name, description }) =>
      html`<button type="button" role="menuitem" tabindex="-1" data-act="shortcut" data-shortcut="${callbackId}">⚡ ${name}<small>${description}</small></button>`,
  )}<button type="button" role="menuitem" tabindex="-1" data-type="/cdn help">What can I do?<small>Types /cdn help</small></button></span></span>`
}
