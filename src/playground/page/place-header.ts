import { BOT_USER_ID } from '../slack/seed.ts'
import { html, type Html } from './html.ts'
import type { Place } from './place.ts'
import { hrefOf, type Viewpoint } from './viewpoint.ts'

/** The line above the messages: where one is, and the switches for the page itself. */
export function placeHeaderHtml(viewpoint: Viewpoint, place: Place): Html {
  const isOpen = viewpoint.panel !== 'none'
  return html`<button type="button" class="icon-button nav-open" data-nav aria-label="Open the sidebar">☰</button><div class="place"><h1>${title(place)}</h1>${tabs(viewpoint, place)}</div><div class="page-tools"><button type="button" class="icon-button" data-theme-switch aria-label="Switch between light and dark"><span aria-hidden="true">◐</span></button><a class="icon-button panel-switch" href="${hrefOf(viewpoint, { panel: isOpen ? 'none' : 'platform' })}" data-go title="${isOpen ? 'Close the side panel' : 'Open the side panel'}" aria-label="Behind the scenes: ${isOpen ? 'close' : 'open'}"><span aria-hidden="true">⚗</span><span>Behind the scenes</span></a></div>`
}

function title(place: Place): Html {
  if (place.kind !== 'channel') return html`CDN Ops <span class="badge">APP</span>`
  return html`<span class="sign" aria-hidden="true">${place.channel.kind === 'private' ? '🔒' : '#'}</span>${place.channel.name}`
}

function tabs(viewpoint: Viewpoint, place: Place): Html {
  if (place.kind === 'channel') {
    const { members } = place.channel
    return html`<span class="quiet">${members.size} members${members.has(BOT_USER_ID) ? '' : ', without the bot'}</span>`
  }
  const tab = (at: 'home' | 'dm', words: string): Html =>
    html`<a href="${hrefOf(viewpoint, { at, thread: undefined })}" data-go${place.kind === at ? html` aria-current="page"` : ''}>${words}</a>`
  return html`<nav class="tabs" aria-label="The app">${tab('home', 'Home')}${tab('dm', 'Messages')}</nav>`
}
