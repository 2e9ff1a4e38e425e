import { TEAM, type UserGroup } from './seed.ts'

/** A user group as answers and events describe it, without who is in it. */
export function userGroupPayload({ id, name, handle, disabledAtS }: UserGroup): Readonly<Record<string, unknown>> {
  return {
    id,
    team_id: TEAM.id,
    is_usergroup: true,
    is_subteam: true,
    name,
    description: '',
    handle,
    is_external: false,
    date_delete: disabledAtS,
  }
}
