import * as z from 'zod'
import type { Parts } from '../parts.ts'
import { TEAM } from '../seed.ts'
import { SlackError } from '../slack-error.ts'
import { defineMethod, flag, TIER, type Method } from './method.ts'

/** User groups, which only paid plans have. */
export const userGroupMethods: Readonly<Record<string, Method>> = {
  'usergroups.list': defineMethod({
    token: 'bot',
    scope: 'usergroups:read',
    perMinute: TIER.two,
    args: z.object({ include_users: flag.optional(), include_count: flag.optional() }),
    run: (args, parts) => ({
      usergroups: groups(parts).map((group) => ({
        id: group.id,
        team_id: TEAM.id,
        is_usergroup: true,
        name: group.name,
        handle: group.handle,
        description: '',
        date_delete: 0,
        ...(args.include_count === true ? { user_count: group.users.length } : {}),
        ...(args.include_users === true ? { users: group.users } : {}),
      })),
    }),
  }),

  'usergroups.users.list': defineMethod({
    token: 'bot',
    scope: 'usergroups:read',
    perMinute: TIER.two,
    args: z.object({ usergroup: z.string() }),
    run: (args, parts) => {
      const group = groups(parts).find((each) => each.id === args.usergroup)
      if (group === undefined) throw new SlackError('no_such_subteam')
      return { users: group.users }
    },
  }),
}

function groups({ switches, workspace }: Parts) {
  if (!switches.paidPlan) throw new SlackError('plan_upgrade_required')
  return workspace.groups
}
