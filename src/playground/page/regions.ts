import type { Person } from '../slack/person.ts'
import type { ShownFile } from '../slack/shown.ts'
import { auditPanelHtml } from './audit-panel.ts'
import { completionsFor } from './completions.ts'
import { composerHtml, threadComposerHtml } from './composer.ts'
import { greetingHtml } from './greeting.ts'
import { html, type Html, NOTHING } from './html.ts'
import { type ListLinks, messageListHtml, threadListHtml } from './message-list.ts'
import { homeHtml, modalHtml } from './modal.ts'
import { panelHtml } from './panel.ts'
import { peoplePanelHtml } from './people-panel.ts'
import { type Place, placeAt, placesOf } from './place.ts'
import { placeHeaderHtml } from './place-header.ts'
import { platformPanelHtml } from './platform-panel.ts'
import { namesOf, type Reader } from './reader.ts'
import { requestsPanelHtml } from './requests-panel.ts'
import { seatOf } from './seats.ts'
import { sidebarHtml } from './sidebar.ts'
import type { Sources } from './sources.ts'
import { hrefOf, type Viewpoint } from './viewpoint.ts'

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
  const names = namesOf(slack.workspace, userId)
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
