import type { Person } from '../slack/person.ts'
import { BOT_USER_ID, TEAM } from '../slack/seed.ts'
import type { ShownView } from '../slack/shown.ts'
import { blocksHtml } from './blocks.ts'
import { composerHtml, threadComposerHtml } from './composer.ts'
import { domId, html, type Html, NOTHING } from './html.ts'
import { avatarHtml, messageListHtml, phoneHtml, type Talk, threadListHtml } from './messages.ts'
import { auditPanelHtml, peoplePanelHtml, platformPanelHtml, requestsPanelHtml } from './panels.ts'
import { namesOf, type Names, type Reader } from './reader.ts'
import type { Sources } from './sources.ts'
import { type Stories, storyCardsHtml } from './stories.ts'
import { hrefOf, type Place, placeAt, placesOf, SEAT_KEYS, SEATS, type Viewpoint } from './viewpoint.ts'

/** The parts of the page that are drawn anew on their own, by the ids they have on it. */
export const REGIONS = ['sidebar', 'header', 'guide', 'content', 'composer', 'thread', 'panel', 'modal'] as const
export type Regions = Readonly<Record<(typeof REGIONS)[number], Html>>

const MAX_AUDIT_ENTRIES = 60

export async function regionsOf(viewpoint: Viewpoint, sources: Sources, stories: Stories): Promise<Regions> {
  const { slack, clock } = sources
  const { userId } = SEATS[viewpoint.who]
  const person = slack.person(userId)
  const names = namesOf(slack.workspace)
  const reader: Reader = { userId, zone: names.member(userId)?.timeZone ?? 'UTC', now: clock.now(), names }
  const places = placesOf(slack.workspace, userId)
  const place = placeAt(places, viewpoint.at)
  const talk = talkOf(viewpoint, place, person, reader)
  const view = person.view()
  return {
    sidebar: sidebarHtml(viewpoint, places, place, names),
    header: headerHtml(viewpoint, place),
    guide: stories.guideHtml(viewpoint.who),
    content:
      talk === undefined ? homeHtml(person.home(), reader) : html`${greetingHtml(place)}${messageListHtml(talk)}`,
    composer: composerHtml(place, slack.app.shortcuts ?? []),
    thread: talk === undefined ? NOTHING : threadHtml(viewpoint, place, talk),
    panel: panelHtml(viewpoint, await panelContent(viewpoint, sources, reader)),
    modal: view !== undefined ? modalHtml(view, reader) : talk === undefined ? NOTHING : phoneHtml(talk),
  }
}

function talkOf(viewpoint: Viewpoint, place: Place, person: Person, reader: Reader): Talk | undefined {
  if (place.kind === 'home') return undefined
  return { messages: person.messages(place.channel.id), files: person.files(), viewpoint, reader }
}

function threadHtml(viewpoint: Viewpoint, place: Place, talk: Talk): Html {
  const { thread } = viewpoint
  const list = thread === undefined ? undefined : threadListHtml(talk, thread)
  if (thread === undefined || list === undefined) return NOTHING
  const close = hrefOf(viewpoint, { thread: undefined })
  return html`<div class="bar row between"><h2>Thread</h2><a class="icon-button close" href="${close}" data-go aria-label="Close the thread">×</a></div><div class="thread-body scroll" id="${domId('thread', thread)}">${list}</div>${threadComposerHtml(place, thread)}`
}

const TABS = { platform: 'Platform', people: 'People', requests: 'Requests', audit: 'Audit log' } as const

async function panelContent({ panel }: Viewpoint, sources: Sources, reader: Reader): Promise<Html> {
  const { cdn, config, controls, slack, audit } = sources
  switch (panel) {
    case 'platform':
      return platformPanelHtml(controls.list(), slack.linkCount)
    case 'people':
      return peoplePanelHtml(slack.workspace.groups, reader.names, config)
    case 'requests':
      return requestsPanelHtml(cdn.requests, reader)
    case 'audit':
      return auditPanelHtml(await audit(MAX_AUDIT_ENTRIES).catch(() => undefined), reader)
    case 'none':
    default:
      return NOTHING
  }
}

function panelHtml(viewpoint: Viewpoint, content: Html): Html {
  if (viewpoint.panel === 'none') return NOTHING
  return html`<div class="bar row between"><h2>Behind the scenes</h2><a class="icon-button close" href="${hrefOf(viewpoint, { panel: 'none' })}" data-go aria-label="Close the side panel">×</a></div><nav class="tabs row panel-body" aria-label="Side panel">${Object.entries(
    TABS,
  ).map(
    ([panel, words]) =>
      html`<a href="${hrefOf(viewpoint, { panel })}" data-go${panel === viewpoint.panel ? html` aria-current="page"` : ''}>${words}</a>`,
  )}</nav><div class="panel-body scroll" id="panel-${viewpoint.panel}">${content}</div>`
}

function headerHtml(viewpoint: Viewpoint, place: Place): Html {
  const isOpen = viewpoint.panel !== 'none'
  return html`<button type="button" class="icon-button nav-open" data-nav aria-label="Open the sidebar">☰</button><div class="row grow"><h1>${title(place)}</h1>${tabs(viewpoint, place)}</div><button type="button" class="icon-button" data-theme-switch aria-label="Switch between light and dark">◐</button><a class="icon-button panel-switch" href="${hrefOf(viewpoint, { panel: isOpen ? 'none' : 'platform' })}" data-go aria-label="Behind the scenes: ${isOpen ? 'close' : 'open'}">⚗<span> Behind the scenes</span></a>`
}

function title(place: Place): Html {
  if (place.kind !== 'channel') return html`CDN Ops <span class="badge">APP</span>`
  return html`${channelSign(place.channel.kind)}${place.channel.name}`
}

function channelSign(kind: string): Html {
  return html`<span class="sign" aria-hidden="true">${kind === 'private' ? '🔒' : '#'}</span>`
}

function tabs(viewpoint: Viewpoint, place: Place): Html {
  if (place.kind === 'channel') {
    const { members } = place.channel
    return html`<span class="quiet">${members.size} members${members.has(BOT_USER_ID) ? '' : ', without the bot'}</span>`
  }
  const tab = (at: 'home' | 'dm', words: string): Html =>
    html`<a href="${hrefOf(viewpoint, { at, thread: undefined })}" data-go${place.kind === at ? html` aria-current="page"` : ''}>${words}</a>`
  return html`<nav class="tabs row" aria-label="The app">${tab('home', 'Home')}${tab('dm', 'Messages')}</nav>`
}

/** The start of a conversation. In the channel where the work is done it says what to try. */
export function greetingHtml(place: Place): Html {
  if (place.kind === 'home') return NOTHING
  if (place.kind === 'dm') {
    return html`<div class="greeting"><h2>CDN Ops <span class="badge">APP</span></h2><p class="quiet">This is the very beginning of your direct messages with CDN Ops. Commands work here as well: type <code>/cdn</code>.</p></div>`
  }
  const { name } = place.channel
  if (name !== 'ops') {
    return html`<div class="greeting"><h2>#${name}</h2><p class="quiet">This is the very beginning of the <strong>#${name}</strong> channel.</p></div>`
  }
  return html`<div class="greeting"><h2>Welcome to #ops</h2><p class="quiet">The real bot, between a made-up Slack and a made-up CDN. Three stories, each with one click:</p>${storyCardsHtml()}<p class="quiet">Or type a command below: “Examples” has some. On the left you become somebody else.</p></div>`
}

/** The modal on top of a person's stack. Its ids stay the same while the app redraws it, so what is typed stays too. */
export function modalHtml(view: ShownView, reader: Reader): Html {
  const { id, title, submit, close } = view
  const titleId = domId(id, 'title')
  const isForm = submit !== undefined
  return html`<dialog class="modal card" id="${domId(id, 'modal')}" aria-labelledby="${titleId}" data-view="${id}" data-modal><header class="bar row">${avatarHtml(reader.names.member(BOT_USER_ID), 28)}<h2 class="grow" id="${titleId}">${title}</h2><button type="button" class="icon-button close" data-act="close" data-dismiss aria-label="Close">×</button></header><div class="modal-body scroll" tabindex="-1">${blocksHtml(view.blocks, { reader, key: id, form: { values: view.values, errors: view.errors } })}</div>${
    isForm || close !== undefined
      ? html`<footer class="modal-foot bar row"><p class="error grow" role="alert" data-note></p><button type="button" class="button" data-act="close">${close ?? 'Cancel'}</button>${isForm ? html`<button type="button" class="button primary" data-act="submit">${submit}</button>` : ''}</footer>`
      : ''
  }</dialog>`
}

/** The app's Home tab of one person, or what is there before the app has shown any. */
function homeHtml(view: ShownView | undefined, reader: Reader): Html {
  if (view === undefined) {
    return html`<div class="home"><h2>This is the start of CDN Ops’ Home</h2><p class="quiet">The app has not published anything here.</p></div>`
  }
  return html`<div class="home" data-view="${view.id}">${blocksHtml(view.blocks, { reader, key: view.id, form: { values: view.values, errors: view.errors } })}</div>`
}

export function sidebarHtml(viewpoint: Viewpoint, places: readonly Place[], current: Place, names: Names): Html {
  const links = (those: readonly Place[]): Html =>
    html`<ul class="plain">${those.map((place) => {
      const here = place.key === current.key ? html` aria-current="page"` : ''
      return html`<li><a href="${hrefOf(viewpoint, { at: place.key, thread: undefined, phone: undefined })}" data-go${here}>${placeHtml(place, names)}</a></li>`
    })}</ul>`
  return html`<div class="bar row between"><strong>${TEAM.name}</strong><button type="button" class="bare nav-close" data-nav aria-label="Close the sidebar">×</button></div>${seatsHtml(viewpoint, names)}<h2>Channels</h2>${links(places.filter(({ kind }) => kind === 'channel'))}<h2>Apps</h2>${links(places.filter(({ kind }) => kind !== 'channel'))}`
}

/** Whom one can be. Only where one is stands out; who one is says “you”. */
function seatsHtml(viewpoint: Viewpoint, names: Names): Html {
  return html`<h2 id="seats">You are</h2><ul class="plain" aria-labelledby="seats">${SEAT_KEYS.map((key) => {
    const { userId, role } = SEATS[key]
    const isYou = key === viewpoint.who
    return html`<li><a href="${hrefOf(viewpoint, { who: key, thread: undefined, phone: undefined })}" data-go${isYou ? html` aria-current="true"` : ''}>${avatarHtml(names.member(userId), 20)}<span class="name grow">${names.member(userId)?.realName ?? userId}</span>${isYou ? html`<span class="badge">you</span>` : ''}<span class="small">${role}</span></a></li>`
  })}</ul>`
}

function placeHtml(place: Place, names: Names): Html {
  if (place.kind === 'channel')
    return html`${channelSign(place.channel.kind)}<span class="name grow">${place.channel.name}</span>`
  if (place.kind === 'home')
    return html`<span class="sign" aria-hidden="true">⌂</span><span class="name grow">CDN Ops, Home</span>`
  return html`${avatarHtml(names.member(BOT_USER_ID), 20)}<span class="name grow">CDN Ops <span class="badge">APP</span></span>`
}
