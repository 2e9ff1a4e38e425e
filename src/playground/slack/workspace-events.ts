import { sendEvent } from './events.ts'
import type { Parts } from './parts.ts'
import { TEAM, type UserGroup } from './seed.ts'
import { epochSeconds } from './timestamps.ts'
import { userGroupPayload } from './user-group-payload.ts'
import { userPayload } from './user-payload.ts'
import type { WorkspaceChange } from './workspace.ts'

/** From now on an app that asked for it is told what changes about people and user groups. */
export function tellOfChanges(parts: Parts): void {
  parts.workspace.listen((change) => {
    for (const event of eventsOf(change, parts)) void sendEvent(event, parts)
  })
}

function eventsOf(change: WorkspaceChange, parts: Parts) {
  if (change.kind === 'member') return [userChange(change, parts)]
  const { group, before } = change
  const updated = groupUpdated(group, parts)
  return group.users === before.users ? [updated] : [membersChanged(group, before, parts), updated]
}

function userChange({ member }: Extract<WorkspaceChange, { kind: 'member' }>, { clock, switches }: Parts) {
  return { type: 'user_change', user: userPayload(member, clock, switches.grid), cache_ts: epochSeconds(clock) }
}

function groupUpdated(group: UserGroup, { clock }: Parts) {
  const { users } = group
  return {
    type: 'subteam_updated',
    subteam: { ...userGroupPayload(group), date_update: epochSeconds(clock), users, user_count: users.length },
  }
}

function membersChanged(group: UserGroup, before: UserGroup, { clock }: Parts) {
  const added = group.users.filter((id) => !before.users.includes(id))
  const removed = before.users.filter((id) => !group.users.includes(id))
  return {
    type: 'subteam_members_changed',
    subteam_id: group.id,
    team_id: TEAM.id,
    date_previous_update: 0,
    date_update: epochSeconds(clock),
    added_users: added,
    added_users_count: added.length,
    removed_users: removed,
    removed_users_count: removed.length,
  }
}
