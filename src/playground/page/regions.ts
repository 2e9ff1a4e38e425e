import type { Person } from '../slack/person.ts'
import type { ShownFile, ShownView } from '../slack/shown.ts'
import { auditPanelHtml } from './audit-panel.ts'
import { composerHtml, threadComposerHtml, type Completion } from './composer.ts'
import { html, type Html, NOTHING } from './html.ts'
import { type ListLinks, messageListHtml, threadListHtml } from './message-list.ts'
import { peoplePanelHtml } from './people-panel.ts'
import { type Place, placeAt, placesOf } from './place.ts'
import { platformPanelHtml } from './platform-panel.ts'
import { namesOf, type Reader, type Names } from './reader.ts'
import { requestsPanelHtml } from './requests-panel.ts'
import { seatOf, type SeatKey, SEATS } from './seats.ts'
import type { Sources } from './sources.ts'
import { hrefOf, type Viewpoint } from './viewpoint.ts'
import { BOT_USER_ID, TEAM } from '../slack/seed.ts'
import type { Operation } from '../../operations/operation.ts'
import { usageLine } from '../../operations/usage.ts'
import type { AppCommand } from '../slack/app-manifest.ts'
import { avatarHtml } from './avatar.ts'
import { blocksHtml } from './blocks/block.ts'
import { domId } from './dom-id.ts'

/** The parts of the page that are drawn anew on their own, by the ids they have on it. */
export const REGIONS = ['sidebar', 'header', 'content', 'composer', 'thread', 'panel', 'modal'] as const
/** The content of every region; one with nothing to show is empty. */
export type Regions = Readonly<Record<(typeof REGIONS)[number], Html>>

const MAX_AUDIT_ENTRIES = 60

/** Draws what one person sees from where they look. */
export async function regionsOf(viewpoint: Viewpoint, sources: Sources): Promise<Regions> {
  const { slack, operations } = sources
  const { userId } = seatOf(viewpoint.who)
  const person = slack.person(userId)
  const names = namesOf(slack.workspace)
  const now = sources.clock.now()
  const reader: Reader = { userId, zone: names.member(userId)?.timeZone ?? 'UTC', now, names }
  const places = placesOf(slack.workspace, userId)
  const place = placeAt(places, viewpoint.at)
  return {
    sidebar: sidebarHtml(viewpoint, places, place, names),
    header: placeHeaderHtml(viewpoint, place),
    content: contentHtml(viewpoint, place, person, reader),
    composer: composerHtml(place, completionsFor(slack.app.commands, operations), slack.app.shortcuts ?? []),
    thread: threadHtml(viewpoint, place, person, reader),
    panel: panelHtml(viewpoint, await panelContent(viewpoint, sources, reader)),
    modal: modalHtml(person.view(), reader),
  }
}

function contentHtml(viewpoint: Viewpoint, place: Place, person: Person, reader: Reader): Html {
  if (place.kind === 'home') return homeHtml(person.home(), reader)
  const messages = person.messages(place.channel.id)
  return html`${greetingHtml(place)}${messageListHtml(messages, linksOf(viewpoint, person), reader)}`
}

function threadHtml(viewpoint: Viewpoint, place: Place, person: Person, reader: Reader): Html {
  if (viewpoint.thread === undefined || place.kind === 'home') return NOTHING
  const messages = person.messages(place.channel.id)
  const list = threadListHtml(messages, viewpoint.thread, linksOf(viewpoint, person), reader)
  if (list === undefined) return NOTHING
  const close = hrefOf(viewpoint, { thread: undefined })
  return html`<div class="panel-head"><h2>Thread</h2><a class="close" href="${close}" data-go aria-label="Close the thread">×</a></div><div class="thread-body">${list}</div>${threadComposerHtml(place, viewpoint.thread)}`
}

function linksOf(viewpoint: Viewpoint, person: Person): ListLinks {
  return {
    files: person.files(),
    fileHref: ({ id }: ShownFile) => `/file?${new URLSearchParams({ who: viewpoint.who, id }).toString()}`,
    threadHref: (ts) => hrefOf(viewpoint, { thread: ts }),
  }
}

async function panelContent({ panel }: Viewpoint, sources: Sources, reader: Reader): Promise<Html> {
  const { cdn, config, controls, slack, audit } = sources
  switch (panel) {
    case 'platform':
      return platformPanelHtml(cdn.world, controls.list(), slack.linkCount)
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

const TABS = { platform: 'Platform', people: 'People', requests: 'Requests', audit: 'Audit log' } as const

/** What happens behind the scenes: tabs, and the content of the one that is open. Nothing when the panel is closed. */
function panelHtml(viewpoint: Viewpoint, content: Html): Html {
  if (viewpoint.panel === 'none') return html``
  return html`<div class="panel-head"><h2>Behind the scenes</h2><a class="close" href="${hrefOf(viewpoint, { panel: 'none' })}" data-go aria-label="Close the side panel">×</a></div><nav class="tabs" aria-label="Side panel">${Object.entries(
    TABS,
  ).map(
    ([panel, words]) =>
      html`<a href="${hrefOf(viewpoint, { panel })}" data-go${panel === viewpoint.panel ? html` aria-current="page"` : ''}>${words}</a>`,
  )}</nav><div class="panel-body" id="panel-${viewpoint.panel}">${content}</div>`
}

/** The line above the messages: where one is, and the switches for the page itself. */
function placeHeaderHtml(viewpoint: Viewpoint, place: Place): Html {
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

/** Something a newcomer can try with one click: who types what. */
interface Trial {
  readonly who: SeatKey
  readonly type: string
  readonly title: string
  readonly promise: string
}

/** What shows what this is: charts, a form with its review, a request that takes two, a refusal, and an alert. */
export const TRIALS: readonly Trial[] = [
  {
    who: 'olga',
    type: '/cdn storage stats shop',
    title: 'See storage as charts',
    promise: 'Two charts and a table you can sort.',
  },
  {
    who: 'olga',
    type: '/cdn dns add shop',
    title: 'Add a DNS record',
    promise: 'A form that follows the type, then a review before anything is sent.',
  },
  {
    who: 'olga',
    type: '/cdn dns add media A www 192.0.2.44',
    title: 'Ask as Olga, approve as Otto',
    promise: 'This zone takes two people. Ask for approval, then take Otto’s place on the left.',
  },
  {
    who: 'vera',
    type: '/cdn keys list',
    title: 'Be refused',
    promise: 'As Vera, who may only look: keys are not for viewers.',
  },
  {
    who: 'olga',
    type: '/cdn alerts watch shop',
    title: 'Be told when the shop fails',
    promise: 'Then turn on “Time at 60×” and “Origin down” behind the scenes, and wait 15 seconds.',
  },
]

/** The start of a conversation. In the channel where the work is done it says what to try. */
export function greetingHtml(place: Place): Html {
  if (place.kind === 'home') return html``
  if (place.kind === 'dm') {
    return html`<div class="greeting"><h2>CDN Ops <span class="badge">APP</span></h2><p>This is the very beginning of your direct messages with CDN Ops. Commands work here as well: type <code>/cdn</code>.</p></div>`
  }
  const { name } = place.channel
  if (name !== 'ops') {
    return html`<div class="greeting"><h2>#${name}</h2><p>This is the very beginning of the <strong>#${name}</strong> channel.</p></div>`
  }
  return html`<div class="greeting"><h2>Welcome to #ops</h2><p>The real bot, between a made-up Slack and a made-up CDN. Olga and Otto are operators, as the group @cdn-operators says, Ada is the admin, and Vera may only look. Try with one click:</p><ol class="trials">${TRIALS.map(
    ({ who, type, title, promise }) =>
      html`<li><button type="button" data-try="${who}" data-type="${type}"><strong>${title}</strong><span>${promise}</span><code>${type}</code></button></li>`,
  )}</ol></div>`
}

/**
 * What the composer offers after a slash: each command as its manifest describes it, then every operation with how it
 * is typed.
 */
export function completionsFor(
  commands: readonly AppCommand[],
  operations: readonly Operation[],
): readonly Completion[] {
  return commands.flatMap(({ command, description, usageHint }) => [
    { insert: `${command} `, usage: `${command} ${usageHint}`.trim(), summary: description },
    ...operations.map((operation) => ({
      insert: `${command} ${operation.name} `,
      usage: `${command} ${usageLine(operation)}`,
      summary: operation.summary,
    })),
  ])
}

/** The modal on top of a person's stack. Its ids stay the same while the app redraws it, so what is typed stays too. */
export function modalHtml(view: ShownView | undefined, reader: Reader): Html {
  if (view === undefined) return NOTHING
  const { id, title, submit, close } = view
  const titleId = domId(id, 'title')
  const isForm = submit !== undefined
  return html`<div class="modal-back"><div class="modal" id="${domId(id, 'modal')}" role="dialog" aria-modal="true" aria-labelledby="${titleId}" data-view="${id}" data-modal tabindex="-1"><header class="modal-head">${avatarHtml(reader.names.member(BOT_USER_ID), 28)}<h2 id="${titleId}">${title}</h2><button type="button" class="close" data-act="close" aria-label="Close">×</button></header><div class="modal-body">${blocksHtml(view.blocks, { reader, key: id, form: { values: view.values, errors: view.errors } })}</div>${
    isForm || close !== undefined
      ? html`<footer class="modal-foot"><p class="modal-note" role="alert" data-note></p><button type="button" class="button" data-act="close">${close ?? 'Cancel'}</button>${isForm ? html`<button type="button" class="button primary" data-act="submit">${submit}</button>` : ''}</footer>`
      : ''
  }</div></div>`
}

/** The app's Home tab of one person, or what is there before the app has shown any. */
export function homeHtml(view: ShownView | undefined, reader: Reader): Html {
  if (view === undefined) {
    return html`<div class="home-empty"><h2>This is the start of CDN Ops’ Home</h2><p class="quiet">The app has not published anything here.</p></div>`
  }
  return html`<div class="home" data-view="${view.id}">${blocksHtml(view.blocks, { reader, key: view.id, form: { values: view.values, errors: view.errors } })}</div>`
}

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
