import { BOT_USER_ID, TEAM } from '../slack/seed.ts'
import { avatarHtml } from './avatar.ts'
import { html, type Html } from './html.ts'
import type { Place } from './place.ts'
import type { Names } from './reader.ts'
import { SEATS } from './seats.ts'
import { hrefOf, type Viewpoint } from './viewpoint.ts'

/** The workspace's name, whom one can be, and everywhere one can go. */
export function sidebarHtml(viewpoint: Viewpoint, places: readonly Place[], current: Place, names: Names): Html {
  const channels = places.filter((place) => place.kind === 'channel')
  const apps = places.filter((place) => place.kind !== 'channel')
  const link = (place: Place): Html => {
    const here = place.key === current.key ? html` aria-current="page"` : ''
    return html`<li><a href="${hrefOf(viewpoint, { at: place.key, thread: undefined })}" data-go${here}>${sign(place, names)}<span class="name">${label(place)}</span></a></li>`
  }
  return html`<div class="team"><strong>${TEAM.name}</strong><button type="button" class="close nav-close" data-nav aria-label="Close the sidebar">×</button></div>${seatsHtml(viewpoint, names)}<h2>Channels</h2><ul>${channels.map(link)}</ul><h2>Apps</h2><ul>${apps.map(link)}</ul>`
}

function seatsHtml(viewpoint: Viewpoint, names: Names): Html {
  return html`<h2 id="seats">You are</h2><ul class="seats" aria-labelledby="seats">${SEATS.map(
    ({ key, userId, name, role }) =>
      html`<li><a href="${hrefOf(viewpoint, { who: key, thread: undefined })}" data-go${key === viewpoint.who ? html` aria-current="true"` : ''}>${avatarHtml(names.member(userId), 20)}<span class="name">${name}</span><span class="role">${role}</span></a></li>`,
  )}</ul>`
}

function sign(place: Place, names: Names): Html {
  if (place.kind === 'dm') return avatarHtml(names.member(BOT_USER_ID), 20)
  if (place.kind === 'home') return html`<span class="sign" aria-hidden="true">⌂</span>`
  return html`<span class="sign" aria-hidden="true">${place.channel.kind === 'private' ? '🔒' : '#'}</span>`
}

function label(place: Place): Html {
  if (place.kind === 'home') return html`CDN Ops, Home`
  return place.kind === 'dm' ? html`CDN Ops <span class="badge">APP</span>` : html`${place.channel.name}`
}
