import { menuHtml } from './elements.ts'
import { BOT_USER_ID, TEAM } from '../slack/state/seed.ts'
import type { ShownView } from '../slack/person.ts'
import { blocksHtml } from './blocks.ts'
import { domId, html, type Html, NOTHING } from './html.ts'
import { avatarHtml, messageListHtml, type Talk, threadListHtml } from './messages.ts'
import type { Reader } from './reader.ts'
import { type Stories, storyCardsHtml } from './stories.ts'
import { hrefOf, type Place, placeAt, placesOf, SEAT_KEYS, SEATS, type Viewpoint } from './viewpoint.ts'
import type { RecordedEntry } from '../../store/schema/audit-entry.ts'
import type { LedgerEntry } from '../cdn/call-server.ts'
import type { Control } from '../stage/controls.ts'
import type { Stage } from '../stage/stage.ts'
import { clockHtml } from './mrkdwn.ts'
import type { AppManifest } from '../slack/wire/parts.ts'

/** The parts of the page that are drawn anew on their own, by the ids they have on it. */
export const REGIONS = ['sidebar', 'header', 'guide', 'content', 'composer', 'thread', 'panel', 'modal'] as const
export type Regions = Readonly<Record<(typeof REGIONS)[number], Html>>

const MAX_AUDIT_ENTRIES = 60

export async function regionsOf(viewpoint: Viewpoint, stage: Stage, stories: Stories): Promise<Regions> {
  const { slack, clock } = stage
  const { userId } = SEATS[viewpoint.who]
  const person = slack.person(userId)
  const { workspace } = slack
  const reader: Reader = { userId, zone: workspace.member(userId).timeZone, now: clock.now(), workspace }
  const places = placesOf(workspace, userId)
  const place = placeAt(places, viewpoint.at)
  const talk =
    place.kind === 'home'
      ? undefined
      : { messages: person.messages(place.channel.id), files: person.files(), viewpoint, reader }
  const view = person.view()
  return {
    sidebar: sidebarHtml(viewpoint, places, place, reader),
    header: headerHtml(viewpoint, place),
    guide: stories.guideHtml(viewpoint.who),
    content:
      talk === undefined ? homeHtml(person.home(), reader) : html`${greetingHtml(place)}${messageListHtml(talk)}`,
    composer: composerHtml(place, slack.app.shortcuts),
    thread: talk === undefined ? NOTHING : threadHtml(viewpoint, place, talk),
    panel: panelHtml(viewpoint, await panelContent(viewpoint, stage, reader)),
    modal: view === undefined ? NOTHING : modalHtml(view, reader),
  }
}

function threadHtml(viewpoint: Viewpoint, place: Place, talk: Talk): Html {
  const { thread } = viewpoint
  const list = thread === undefined ? undefined : threadListHtml(talk, thread)
  if (thread === undefined || list === undefined || place.kind === 'home') return NOTHING
  const close = hrefOf(viewpoint, { thread: undefined })
  return html`<div class="bar row between"><h2>Thread</h2><a class="icon-button" href="${close}" data-go aria-label="Close the thread">×</a></div><div class="thread-body scroll" id="${domId('thread', thread)}">${list}</div><form class="composer card flex" data-composer data-channel="${place.channel.id}" data-thread="${thread}">${fieldHtml('reply', 'Reply', 'Reply, or ask @cdn-ops status')}</form>`
}

const TABS = { platform: 'Platform', requests: 'Requests', audit: 'Audit log' } as const

async function panelContent({ panel }: Viewpoint, stage: Stage, reader: Reader): Promise<Html> {
  const { cdn, controls, slack, bot } = stage
  switch (panel) {
    case 'platform':
      return platformPanelHtml(controls.list(), slack.linkCount)
    case 'requests':
      return requestsPanelHtml(cdn.requests, reader)
    case 'audit':
      return auditPanelHtml(await bot.record.list({ limit: MAX_AUDIT_ENTRIES }).catch(() => undefined), reader)
    default:
      return NOTHING
  }
}

function panelHtml(viewpoint: Viewpoint, content: Html): Html {
  if (viewpoint.panel === 'none') return NOTHING
  return html`<div class="bar row between"><h2>Behind the scenes</h2><a class="icon-button" href="${hrefOf(viewpoint, { panel: 'none' })}" data-go aria-label="Close the side panel">×</a></div><nav class="tabs row panel-body" aria-label="Side panel">${Object.entries(
    TABS,
  ).map(
    ([panel, words]) =>
      html`<a href="${hrefOf(viewpoint, { panel })}" data-go${panel === viewpoint.panel ? html` aria-current="page"` : ''}>${words}</a>`,
  )}</nav><div class="panel-body scroll" id="panel-${viewpoint.panel}" tabindex="0">${content}</div>`
}

function headerHtml(viewpoint: Viewpoint, place: Place): Html {
  const isOpen = viewpoint.panel !== 'none'
  return html`<div class="row grow"><h1>${title(place)}</h1>${tabs(viewpoint, place)}</div><a class="icon-button" href="${hrefOf(viewpoint, { panel: isOpen ? 'none' : 'platform' })}" data-go aria-label="Behind the scenes: ${isOpen ? 'close' : 'open'}">⚗ Behind the scenes</a>`
}

function title(place: Place): Html {
  if (place.kind !== 'channel') return html`CDN Ops <span class="badge">APP</span>`
  return html`${channelSign(place.channel.kind)}${place.channel.name}`
}

function channelSign(kind: string): Html {
  return html`<span aria-hidden="true">${kind === 'private' ? '🔒' : '#'}</span>`
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

/** What to try, in the channel where the work is done. */
function greetingHtml({ key }: Place): Html {
  if (key !== 'ops') return NOTHING
  return html`<div class="greeting"><h2>Welcome to #ops</h2><p class="quiet">The real bot, between a made-up Slack and a made-up CDN. Three stories, each with one click:</p>${storyCardsHtml()}<p class="quiet">Or type a command below: “Examples” has some. In the sidebar you become somebody else.</p></div>`
}

/** The modal on top of a person's stack. Its ids stay the same while the app redraws it, so what is typed stays too. */
function modalHtml(view: ShownView, reader: Reader): Html {
  const { id, title, submit, close } = view
  const titleId = domId(id, 'title')
  const isForm = submit !== undefined
  return html`<dialog class="modal card" id="${domId(id, 'modal')}" aria-labelledby="${titleId}" data-view="${id}" data-modal><header class="bar row">${avatarHtml(reader.workspace.findMember(BOT_USER_ID), 28)}<h2 class="grow" id="${titleId}">${title}</h2><button type="button" class="icon-button" data-act="close" data-dismiss aria-label="Close">×</button></header><div class="modal-body scroll" tabindex="-1">${blocksHtml(view.blocks, { reader, key: id, form: view })}</div>${
    isForm || close !== undefined
      ? html`<footer class="modal-foot bar row"><p class="bad grow" role="alert" data-note></p><button type="button" class="button" data-act="close">${close ?? 'Cancel'}</button>${isForm ? html`<button type="button" class="button primary" data-act="submit">${submit}</button>` : ''}</footer>`
      : ''
  }</dialog>`
}

function homeHtml(view: ShownView | undefined, reader: Reader): Html {
  if (view === undefined) return html`<div class="home quiet">The app has not published anything here.</div>`
  return html`<div class="home" data-view="${view.id}">${blocksHtml(view.blocks, { reader, key: view.id, form: view })}</div>`
}

function sidebarHtml(viewpoint: Viewpoint, places: readonly Place[], current: Place, reader: Reader): Html {
  const links = (those: readonly Place[]): Html =>
    html`<ul class="plain">${those.map((place) => {
      const here = place.key === current.key ? html` aria-current="page"` : ''
      return html`<li><a class="flex" href="${hrefOf(viewpoint, { at: place.key, thread: undefined })}" data-go${here}>${placeHtml(place, reader)}</a></li>`
    })}</ul>`
  return html`<div class="bar row between"><strong>${TEAM.name}</strong></div>${seatsHtml(viewpoint, reader)}<h2>Channels</h2>${links(places.filter(({ kind }) => kind === 'channel'))}<h2>Apps</h2>${links(places.filter(({ kind }) => kind !== 'channel'))}`
}

function seatsHtml(viewpoint: Viewpoint, { workspace }: Reader): Html {
  return html`<h2 id="seats">You are</h2><ul class="plain" aria-labelledby="seats">${SEAT_KEYS.map((key) => {
    const { userId, role } = SEATS[key]
    const member = workspace.findMember(userId)
    const isYou = key === viewpoint.who
    return html`<li><a class="flex" href="${hrefOf(viewpoint, { who: key, thread: undefined })}" data-go${isYou ? html` aria-current="true"` : ''}>${avatarHtml(member, 20)}<span class="name grow">${member?.realName ?? userId}</span>${isYou ? html`<span class="badge">you</span>` : ''}<span class="small">${role}</span></a></li>`
  })}</ul>`
}

function placeHtml(place: Place, { workspace }: Reader): Html {
  if (place.kind === 'channel')
    return html`${channelSign(place.channel.kind)}<span class="name grow">${place.channel.name}</span>`
  if (place.kind === 'home') return html`<span aria-hidden="true">⌂</span><span class="name grow">CDN Ops, Home</span>`
  return html`${avatarHtml(workspace.findMember(BOT_USER_ID), 20)}<span class="name grow">CDN Ops <span class="badge">APP</span></span>`
}

const MAX_REQUESTS = 60
const MAX_BODY_CHARACTERS = 4_000
const BAD = new Set(['denied', 'rejected', 'not_sent', 'not_done', 'expired', 'cancelled'])

function platformPanelHtml(controls: readonly Control[], links: number): Html {
  return html`<section><h3>Make something happen</h3><ul class="records plain">${controls.map(controlHtml)}</ul></section><section><h3>Look behind</h3><p><a href="/account" target="_blank" rel="noopener noreferrer">Open the CDN’s own panel</a></p><p class="quiet">The bot has ${links} links to Slack.</p></section>`
}

function controlHtml({ id, label, hint, on }: Control): Html {
  const hintId = domId('control', id)
  const state = on === undefined ? '' : html` role="switch" aria-checked="${on ? 'true' : 'false'}"`
  const sign = on === undefined ? '▶️' : on ? '🟢' : '⚪'
  return html`<li><button type="button" class="bare" id="${hintId}b"${state} aria-describedby="${hintId}" data-control="${id}" data-on="${on === true ? 'no' : 'yes'}"><span aria-hidden="true">${sign}</span> ${label}</button><p class="quiet" id="${hintId}">${hint}</p></li>`
}

function requestsPanelHtml(requests: readonly LedgerEntry[], reader: Reader): Html {
  if (requests.length === 0) {
    return html`<p class="quiet">Nothing has reached the CDN yet. What the bot sends shows up here, as it was sent.</p>`
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
  return html`<li id="${id}"><details id="${id}d"><summary class="row"><strong class="${state}">${words}</strong><strong>${method}</strong><code>${path}</code>${clockHtml(at, zone)}</summary>${search === '' ? '' : html`<p><code>?${search}</code></p>`}${body === undefined ? html`<p class="quiet">No body.</p>` : html`<pre class="code" tabindex="0">${bodyText(body)}</pre>`}</details></li>`
}

function bodyText(body: unknown): string {
  const text = JSON.stringify(body, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)
  return text.length <= MAX_BODY_CHARACTERS ? text : `${text.slice(0, MAX_BODY_CHARACTERS)}…`
}

/** The bot's own record of what was asked, decided and done, newest first. Undefined while it cannot be read. */
function auditPanelHtml(entries: readonly RecordedEntry[] | undefined, reader: Reader): Html {
  if (entries === undefined) return html`<p class="quiet">The bot’s record cannot be read at the moment.</p>`
  if (entries.length === 0) return html`<p class="quiet">Nothing is on record yet.</p>`
  return html`<p class="quiet">From the bot’s own store, newest first. Every entry is chained to the one before it.</p><ol class="records plain">${entries.map((entry) => entryHtml(entry, reader))}</ol>`
}

function entryHtml({ seq, at, actor, event, summary, detail }: RecordedEntry, { workspace, zone }: Reader): Html {
  const state = BAD.has(event) ? 'bad' : event === 'unknown' ? 'wait' : 'good'
  return html`<li id="${domId('audit', seq)}"><div class="row"><span class="quiet">${seq}</span><strong class="${state}">${event.replaceAll('_', ' ')}</strong><span>${workspace.findMember(actor)?.realName ?? actor}</span>${clockHtml(at, zone)}</div><p>${summary}</p>${detail === undefined ? '' : html`<p class="quiet">${detail}</p>`}</li>`
}

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
  ['/cdn history', 'Who did what?'],
  ['/cdn help', 'What else is there?'],
]

function composerHtml(place: Place, shortcuts: AppManifest['shortcuts']): Html {
  if (place.kind === 'home') return NOTHING
  const to = place.kind === 'dm' ? 'CDN Ops' : `#${place.channel.name}`
  const plus = menuHtml(
    'shortcuts',
    'Shortcuts',
    html`+`,
    shortcuts.map(({ callback_id: id, name, description }) => ({
      does: html` data-act="shortcut" data-shortcut="${id}"`,
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
  return html`<form class="composer card flex" data-composer data-channel="${place.channel.id}">${plus}${fieldHtml('say', `Message ${to}`, `Message ${to}`)}</form><div class="row small">${examples}</div>`
}

function fieldHtml(id: string, label: string, placeholder: string): Html {
  return html`<textarea class="grow" id="${id}" rows="1" maxlength="3000" placeholder="${placeholder}" aria-label="${label}" autocomplete="off" spellcheck="false"></textarea><button type="submit" class="primary icon-button" aria-label="Send"><svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="M1.7 2.3 14.5 8 1.7 13.7 3.2 8.8 9 8 3.2 7.2z"/></svg></button>`
}
