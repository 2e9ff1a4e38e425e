import type { Clock } from '../../../shared/clock.ts'
import type { ElementValue, FormValues, Placed } from '../blocks/element-values.ts'
import type { StoredMessage } from '../state/messages.ts'
import { APP_ID, BOT_ID, BOT_USER_ID, TEAM, type Channel, type Member, type UserGroup } from '../state/seed.ts'
import type { StoredView } from '../state/views.ts'

type Payload = Readonly<Record<string, unknown>>

/** The old verification token: still in every payload, trusted by nobody. */
const VERIFICATION_TOKEN = 'emulator-verification-token'

export type Place = { readonly message: StoredMessage; readonly channel: Channel } | { readonly view: StoredView }

interface Reply {
  readonly triggerId: string
  readonly responseUrl: string
}

export function commandPayload(
  typed: { readonly command: string; readonly text: string },
  by: Member,
  channel: Channel,
  reply: Reply,
): Payload {
  return {
    token: VERIFICATION_TOKEN,
    team_id: by.teamId,
    team_domain: TEAM.domain,
    channel_id: channel.id,
    channel_name: channelName(channel),
    user_id: by.id,
    user_name: by.name,
    ...typed,
    api_app_id: APP_ID,
    is_enterprise_install: 'false',
    response_url: reply.responseUrl,
    trigger_id: reply.triggerId,
  }
}

/** What using a button, menu or other element sends. Only an interaction with a message brings a response_url. */
export function actionPayload(place: Place, action: Payload, by: Member, reply: Reply): Payload {
  return {
    ...interaction('block_actions', by),
    trigger_id: reply.triggerId,
    actions: [action],
    ...placePayload(place),
    ...('view' in place ? {} : { state: { values: {} }, response_url: reply.responseUrl }),
  }
}

export function usedElement({ element, actionId, blockId }: Placed, chosen: ElementValue | undefined): Payload {
  return {
    type: element.type,
    action_id: actionId,
    block_id: blockId,
    ...('text' in element && { text: element.text }),
    ...('placeholder' in element && element.placeholder !== undefined && { placeholder: element.placeholder }),
    // A button has no state, but what the app wrote on it comes back.
    ...('value' in element && { value: element.value }),
    ...chosen,
  }
}

export function submissionPayload(view: StoredView, by: Member, triggerId: string): Payload {
  return {
    ...interaction('view_submission', by),
    trigger_id: triggerId,
    view: viewPayload(view, view.values),
  }
}

/** What closing a modal sends to an app that asked to know: nothing of its inputs, which were not sent. */
export function closedPayload(view: StoredView, by: Member): Payload {
  return { ...interaction('view_closed', by), view: viewPayload(view), is_cleared: false }
}

export function suggestionPayload(view: StoredView, { actionId, blockId }: Placed, query: string, by: Member): Payload {
  return {
    ...interaction('block_suggestion', by),
    action_id: actionId,
    block_id: blockId,
    value: query,
    ...placePayload({ view }),
  }
}

export function shortcutPayload(callbackId: string, by: Member, triggerId: string): Payload {
  return { ...interaction('shortcut', by), callback_id: callbackId, trigger_id: triggerId }
}

export function eventPayload(event: Payload, clock: Clock, eventTs: string): Payload {
  const bot = {
    enterprise_id: null,
    team_id: TEAM.id,
    user_id: BOT_USER_ID,
    is_bot: true,
    is_enterprise_install: false,
  }
  return {
    token: VERIFICATION_TOKEN,
    team_id: TEAM.id,
    api_app_id: APP_ID,
    event: { ...event, event_ts: eventTs },
    type: 'event_callback',
    event_id: `Ev${clock.newId().slice(0, 10).toUpperCase()}`,
    authorizations: [bot],
    is_ext_shared_channel: false,
  }
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

function placePayload(place: Place): Payload {
  if ('view' in place) {
    return { container: { type: 'view', view_id: place.view.id }, view: viewPayload(place.view, place.view.values) }
  }
  const { message, channel } = place
  const isEphemeral = message.visibleTo !== undefined
  return {
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: isEphemeral,
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    },
    channel: { id: channel.id, name: channelName(channel) },
    // An ephemeral message lives in the client; Slack has no copy to send along.
    ...(!isEphemeral && { message: messagePayload(message) }),
  }
}

/** Private channels and direct conversations are not called by their name. */
function channelName({ kind, name }: Channel): string {
  return { public: name, private: 'privategroup', im: 'directmessage' }[kind]
}

/** A message as Slack writes it in answers and payloads, but without the root that it repeats under each broadcast. */
export function messagePayload(message: StoredMessage): Payload {
  return {
    type: 'message',
    ...(message.broadcast && { subtype: 'thread_broadcast' }),
    ts: message.ts,
    user: message.author,
    team: TEAM.id,
    text: message.text,
    ...(message.author === BOT_USER_ID && { bot_id: BOT_ID, app_id: APP_ID }),
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    ...(message.editedTs !== undefined && { edited: { user: message.author, ts: message.editedTs } }),
  }
}

export function viewPayload(view: StoredView, values: FormValues = {}): Payload {
  const { definition } = view
  const modal = definition.type === 'modal' ? definition : undefined
  return {
    id: view.id,
    team_id: TEAM.id,
    type: definition.type,
    blocks: definition.blocks,
    private_metadata: definition.private_metadata ?? '',
    callback_id: definition.callback_id ?? '',
    external_id: definition.external_id ?? '',
    state: { values },
    hash: view.hash,
    title: modal?.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    submit: modal?.submit ?? null,
    close: modal?.close ?? null,
    ...(modal !== undefined && { clear_on_close: false, notify_on_close: modal.notify_on_close ?? false }),
    app_id: APP_ID,
    bot_id: BOT_ID,
  }
}

/** A person as `users.info` and events describe them. Of somebody deactivated Slack leaves most out. */
export function userPayload({ id, teamId, name, realName, kind, timeZone }: Member): Payload {
  const known = {
    id,
    team_id: teamId,
    name,
    deleted: kind === 'deactivated',
    profile: { real_name: realName, display_name: name, team: teamId },
    is_bot: kind === 'bot',
  }
  if (kind === 'deactivated') return known
  return {
    ...known,
    real_name: realName,
    tz: timeZone,
    is_admin: kind === 'admin',
    is_restricted: kind === 'guest',
    is_ultra_restricted: false,
    ...(kind === 'stranger' && { is_stranger: true }),
  }
}

export function groupPayload({ id, name, handle, disabledAtS }: UserGroup): Payload {
  const kind = { is_usergroup: true, is_subteam: true, is_external: false }
  return { id, team_id: TEAM.id, ...kind, name, description: '', handle, date_delete: disabledAtS }
}

export function channelPayload({ id, name, kind, archived, members }: Channel): Payload {
  if (kind === 'im') {
    const user = [...members].find((each) => each !== BOT_USER_ID)
    return { id, is_im: true, is_channel: false, user, is_archived: false }
  }
  return {
    id,
    name,
    is_channel: kind === 'public',
    is_private: kind === 'private',
    is_im: false,
    is_archived: archived,
    is_member: members.has(BOT_USER_ID),
    is_ext_shared: false,
    is_pending_ext_shared: false,
    shared_team_ids: [TEAM.id],
  }
}
