import type { Outcome } from './deliveries.ts'
import type { Parts } from './parts.ts'
import { eventPayload, groupPayload, messagePayload } from './payloads.ts'
import type { StoredMessage } from '../state/messages.ts'
import { BOT_USER_ID, TEAM } from '../state/seed.ts'
import type { GroupChange } from '../state/workspace.ts'

type SlackEvent = Readonly<Record<string, unknown>> & { readonly type: string }

const EVENT_SCOPES: Readonly<Record<string, string>> = {
  app_mention: 'app_mentions:read',
  'message.im': 'im:history',
  subteam_members_changed: 'usergroups:read',
  subteam_updated: 'usergroups:read',
}

const FIRST_ATTEMPT = { retry_attempt: 0, retry_reason: '' }

/**
 * Sends an event to an app that subscribed to its kind and was granted the scope for it. Undefined when the app hears of
 * none. What nobody acknowledges does not come again by itself: tests deliver again what they want.
 */
export async function sendEvent(event: SlackEvent, parts: Parts): Promise<Outcome | undefined> {
  const { events, scopes } = parts.app
  const kind = event['channel_type'] === 'im' ? `${event.type}.im` : event.type
  const scope = EVENT_SCOPES[kind]
  if (!events.includes(kind) || (scope !== undefined && !scopes.includes(scope))) return undefined
  const payload = eventPayload(event, parts.clock, parts.nextTs())
  return parts.deliveries.deliver('events_api', payload, { fields: FIRST_ATTEMPT })
}

/** Tells the app of what is written or edited in its direct messages, by whomever; undefined for anything else. */
export async function sendDirectMessage(
  message: StoredMessage,
  parts: Parts,
  before?: StoredMessage,
): Promise<Outcome | undefined> {
  const { kind, members } = parts.workspace.channel(message.channel)
  if (kind !== 'im' || !members.has(BOT_USER_ID) || message.visibleTo !== undefined) return undefined
  const { files, author } = message
  const team = parts.workspace.findMember(author)?.teamId ?? TEAM.id
  const written = { ...messagePayload(message), ...(files.length > 0 && { subtype: 'file_share' }), team }
  const changed = { subtype: 'message_changed', hidden: true, message: written, ts: message.editedTs }
  const content = before === undefined ? written : { ...changed, previous_message: messagePayload(before) }
  return sendEvent({ ...content, type: 'message', channel: message.channel, channel_type: 'im' }, parts)
}

export function tellOfChanges(parts: Parts): void {
  // What people write is told where they write it, which waits for the app.
  parts.messages.listener = (message, before) => {
    if (message.author === BOT_USER_ID) void sendDirectMessage(message, parts, before)
  }
  parts.workspace.listener = (change) => {
    for (const event of eventsOf(change)) void sendEvent(event, parts)
  }
}

function eventsOf({ group, before }: GroupChange): readonly SlackEvent[] {
  const subteam = { ...groupPayload(group), users: group.users }
  const updated = { type: 'subteam_updated', subteam }
  if (group.users === before.users) return [updated]
  const added = group.users.filter((id) => !before.users.includes(id))
  const removed = before.users.filter((id) => !group.users.includes(id))
  const membersChanged = {
    type: 'subteam_members_changed',
    subteam_id: group.id,
    team_id: TEAM.id,
    added_users: added,
    removed_users: removed,
  }
  return [membersChanged, updated]
}
