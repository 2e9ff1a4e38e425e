import type { AppManifest } from '../slack/app-manifest.ts'
import { html, type Html, NOTHING } from './html.ts'
import type { Place } from './viewpoint.ts'

/** Commands to begin with and what they are for. Slack completes nothing behind `/cdn`, so they stand beside the field. */
export const EXAMPLES: readonly (readonly [command: string, purpose: string])[] = [
  ['/cdn status', 'How are the watched zones?'],
  ['/cdn logs shop --cache MISS,STALE --since 1h', 'Which requests missed the cache?'],
  ['/cdn logs shop --status 5xx --by path', 'Which paths fail?'],
  ['/cdn storage stats shop', 'How much is stored, day by day?'],
  ['/cdn keys list', 'Which API keys are there, and what may they do?'],
  ['/cdn dns add shop MX @ 10 mail.example.net', 'Add a DNS record'],
  ['/cdn dns add shop', 'The same, in a form'],
  ['/cdn library create Trailers', 'Make a video library'],
  ['/cdn alerts watch shop', 'Be told in this channel when the shop is in trouble'],
  ['/cdn alerts test origin-failing shop', 'Try an alert on the past'],
  ['/cdn changes list', 'What was asked, and what became of it?'],
  ['/cdn audit', 'Who did what?'],
  ['/cdn help', 'What else is there?'],
]

/** The field to type into, the shortcuts behind its plus, and examples beside it. Home has none. */
export function composerHtml(place: Place, shortcuts: AppManifest['shortcuts']): Html {
  if (place.kind === 'home') return NOTHING
  const to = place.kind === 'dm' ? 'CDN Ops' : `#${place.channel.name}`
  const plus = menuHtml(
    'shortcuts',
    'Shortcuts',
    html`+`,
    shortcuts.map(({ callbackId, name, description }) => ({
      does: html` data-act="shortcut" data-shortcut="${callbackId}"`,
      words: html`⚡ ${name}<small>${description}</small>`,
    })),
  )
  const examples = menuHtml(
    'examples',
    'Examples of commands',
    html`Examples`,
    EXAMPLES.map(([command, purpose]) => ({
      does: html` data-example="${command}"`,
      words: html`<code>${command}</code><small>${purpose}</small>`,
    })),
  )
  return html`<form class="composer card" data-composer data-channel="${place.channel.id}">${plus}${fieldHtml('say', `Message ${to}`, `Message ${to}`)}</form><div class="row between quiet small">${examples}<span class="keys">Enter sends</span></div>`
}

export function threadComposerHtml(place: Place, ts: string): Html {
  if (place.kind === 'home') return NOTHING
  return html`<form class="composer card" data-composer data-channel="${place.channel.id}" data-thread="${ts}">${fieldHtml('reply', 'Reply', 'Reply, or ask @cdn-ops status')}</form>`
}

function fieldHtml(id: string, label: string, placeholder: string): Html {
  return html`<textarea class="grow" id="${id}" rows="1" maxlength="3000" placeholder="${placeholder}" aria-label="${label}" autocomplete="off" spellcheck="false"></textarea><button type="submit" class="send icon-button" aria-label="Send"><svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="M1.7 2.3 14.5 8 1.7 13.7 3.2 8.8 9 8 3.2 7.2z"/></svg></button>`
}

/** A line of a menu: what its button does, as attributes for the script, and what stands on it. */
interface MenuItem {
  readonly does: Html
  readonly words: Html
}

/** A button with a list that the browser opens, closes and leaves by Escape. */
function menuHtml(id: string, label: string, sign: Html, items: readonly MenuItem[]): Html {
  return html`<button type="button" class="icon-button" id="${id}" aria-haspopup="menu" aria-label="${label}" popovertarget="${id}-menu">${sign}</button><div class="menu list card" id="${id}-menu" popover role="menu" aria-labelledby="${id}">${items.map(
    ({ does, words }, index) =>
      html`<button type="button" role="menuitem" tabindex="-1"${index === 0 ? html` autofocus` : ''} popovertarget="${id}-menu" popovertargetaction="hide"${does}>${words}</button>`,
  )}</div>`
}
