import type { Outcome } from './deliveries.ts'
import type { Parts } from './parts.ts'
import { eventPayload, groupPayload, userPayload } from './payloads.ts'
import { TEAM } from './seed.ts'
import type { WorkspaceChange } from './workspace.ts'

/** Events that nobody acknowledged come again: at once, after a minute, after five. */
const RETRY_AFTER_MS = [0, 60_000, 300_000] as const

type SlackEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/**
 * Sends an event to an app that subscribed to its kind, and waits for the first attempt; later attempts go on by
 * themselves. Undefined when the app did not subscribe.
 */
export async function sendEvent(event: SlackEvent, parts: Parts): Promise<Outcome | undefined> {
  if (!parts.app.events.includes(event.type)) return undefined
  const payload = eventPayload(event, parts.clock, parts.timestamps.next())
  return attempt(payload, { retry_attempt: 0, retry_reason: '' }, parts)
}

interface Retry {
  readonly retry_attempt: number
  readonly retry_reason: '' | 'timeout' | 'error'
}

async function attempt(payload: Readonly<Record<string, unknown>>, retry: Retry, parts: Parts): Promise<Outcome> {
  const outcome = await parts.deliveries.deliver('events_api', payload, { fields: retry })
  const delayMs = RETRY_AFTER_MS[retry.retry_attempt]
  const isDone = outcome.kind === 'acked' || (outcome.kind === 'unreachable' && outcome.isFinal === true)
  if (!isDone && delayMs !== undefined && !parts.deliveries.isClosed) {
    const reason = outcome.kind === 'timeout' ? 'timeout' : 'error'
    const next: Retry = { retry_attempt: retry.retry_attempt + 1, retry_reason: reason }
    parts.clock.after(delayMs, () => void attempt(payload, next, parts))
  }
  return outcome
}

export function tellOfChanges(parts: Parts): void {
  parts.workspace.listen((change) => {
    for (const event of eventsOf(change)) void sendEvent(event, parts)
  })
}

function eventsOf(change: WorkspaceChange): readonly SlackEvent[] {
  if (change.kind === 'member') {
    return [{ type: 'user_change', user: userPayload(change.member) }]
  }
  const { group, before } = change
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
