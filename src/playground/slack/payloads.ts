import type { Clock } from '../../shared/clock.ts'
import type { ElementValue, FormValues, Placed } from './form-values.ts'
import type { StoredMessage } from './messages.ts'
import type { Parts } from './parts.ts'
import { APP_ID, TEAM, type Channel, type Member } from './seed.ts'
import { viewPayload } from './view-payload.ts'
import type { StoredView } from './views.ts'
import { messagePayload } from './web-api/message-arguments.ts'

type Payload = Readonly<Record<string, unknown>>

/** The old verification token: still in every payload, trusted by nobody. */
const VERIFICATION_TOKEN = 'emulator-verification-token'

/** Where a person used an element: in a message or in a view. */
export type Place = { readonly message: StoredMessage; readonly channel: Channel } | { readonly view: StoredView }

/** What `/command text` sends to the app. */
export function commandPayload(
  typed: { readonly command: string; readonly text: string },
  by: Member,
  channel: Channel,
  reply: { readonly triggerId: string; readonly responseUrl: string },
): Payload {
  return {
    token: VERIFICATION_TOKEN,
    team_id: by.teamId,
    team_domain: TEAM.domain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: by.id,
    user_name: by.name,
    command: typed.command,
    text: typed.text,
    api_app_id: APP_ID,
    is_enterprise_install: 'false',
    response_url: reply.responseUrl,
    trigger_id: reply.triggerId,
  }
}

/** What using a button, menu or other element sends. Only an interaction with a message brings a response_url. */
export function actionPayload(
  place: Place,
  action: Payload,
  by: Member,
  values: FormValues,
  reply: { readonly triggerId: string; readonly responseUrl: string },
): Payload {
  const common = { ...interaction('block_actions', by), trigger_id: reply.triggerId, actions: [action] }
  if ('view' in place) {
    return { ...common, container: viewContainer(place.view), view: viewPayload(place.view, values) }
  }
  const { message, channel } = place
  return {
    ...common,
    container: messageContainer(message),
    channel: { id: channel.id, name: channelName(channel) },
    // An ephemeral message lives in the client; Slack has no copy to send along.
    ...(message.visibleTo === undefined ? { message: messagePayload(message) } : {}),
    state: { values },
    response_url: reply.responseUrl,
  }
}

/** One entry of `actions`: what was used, and what is chosen in it now. */
export function usedElement(placed: Placed, chosen: Payload, clock: Clock): Payload {
  const { element, actionId, blockId } = placed
  const shown = 'text' in element ? { text: element.text } : {}
  const placeholder =
    'placeholder' in element && element.placeholder !== undefined ? { placeholder: element.placeholder } : {}
  return {
    type: element.type,
    action_id: actionId,
    block_id: blockId,
    ...shown,
    ...placeholder,
    ...chosen,
    action_ts: String(clock.now().getTime() / 1_000),
  }
}

/** What pressing a modal's submit button sends. */
export function submissionPayload(view: StoredView, by: Member, triggerId: string): Payload {
  return {
    ...interaction('view_submission', by),
    trigger_id: triggerId,
    view: viewPayload(view, view.values),
    response_urls: [],
  }
}

/** What closing a modal sends to an app that asked to know. */
export function closedPayload(view: StoredView, by: Member, isCleared: boolean, values: FormValues): Payload {
  return { ...interaction('view_closed', by), view: viewPayload(view, values), is_cleared: isCleared }
}

/** What typing into an external select asks for. */
export function suggestionPayload(place: Place, placed: Placed, query: string, by: Member): Payload {
  const where =
    'view' in place
      ? { container: viewContainer(place.view), view: viewPayload(place.view, place.view.values) }
      : {
          container: messageContainer(place.message),
          channel: { id: place.channel.id, name: channelName(place.channel) },
          ...(place.message.visibleTo === undefined ? { message: messagePayload(place.message) } : {}),
        }
  return {
    ...interaction('block_suggestion', by),
    action_id: placed.actionId,
    block_id: placed.blockId,
    value: query,
    ...where,
  }
}

/** What choosing one of the app's global shortcuts sends. */
export function shortcutPayload(callbackId: string, by: Member, triggerId: string, clock: Clock): Payload {
  return {
    ...interaction('shortcut', by),
    callback_id: callbackId,
    trigger_id: triggerId,
    action_ts: String(clock.now().getTime() / 1_000),
  }
}

/** The envelope of the Events API around one event. */
export function eventPayload(
  event: Payload,
  { clock, timestamps }: Pick<Parts, 'clock' | 'timestamps'>,
  bot: string,
): Payload {
  return {
    token: VERIFICATION_TOKEN,
    team_id: TEAM.id,
    api_app_id: APP_ID,
    event: { ...event, event_ts: timestamps.next() },
    type: 'event_callback',
    event_id: `Ev${clock.newId().slice(0, 10).toUpperCase()}`,
    event_time: Math.floor(clock.now().getTime() / 1_000),
    authorizations: [
      { enterprise_id: null, team_id: TEAM.id, user_id: bot, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: false,
  }
}

/** The value of an element as an action carries it: without its type, which stands beside it. */
export function chosenFields(value: ElementValue): Payload {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'type'))
}

function interaction(type: string, by: Member): Payload {
  return {
    type,
    user: { id: by.id, username: by.name, name: by.name, team_id: by.teamId },
    api_app_id: APP_ID,
    token: VERIFICATION_TOKEN,
    team: { id: TEAM.id, domain: TEAM.domain },
    enterprise: null,
    is_enterprise_install: false,
  }
}

function messageContainer(message: StoredMessage): Payload {
  return {
    type: 'message',
    message_ts: message.ts,
    channel_id: message.channel,
    is_ephemeral: message.visibleTo !== undefined,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
  }
}

function viewContainer(view: StoredView): Payload {
  return { type: 'view', view_id: view.id }
}

/** Private channels and direct conversations are not called by their name. */
function channelName(channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage'
  return channel.kind === 'private' ? 'privategroup' : channel.name
}
