import * as z from 'zod'
import type { Parts } from '../parts.ts'
import type { UserGroup } from '../seed.ts'
import { SlackError } from '../slack-error.ts'
import { userGroupPayload } from '../user-group-payload.ts'
import { defineMethod, flag, TIER, type Method } from './method.ts'

/** User groups, which only paid plans have. Disabled ones are there for those who ask for them. */
export const userGroupMethods: Readonly<Record<string, Method>> = {
  'usergroups.list': defineMethod({
    token: 'bot',
    scope: 'usergroups:read',
    perMinute: TIER.two,
    args: z.object({
      include_users: flag.optional(),
      include_count: flag.optional(),
      include_disabled: flag.optional(),
    }),
    run: (args, parts) => ({
      usergroups: groups(parts, args.include_disabled).map((group) => ({
        ...userGroupPayload(group),
        ...(args.include_count === true ? { user_count: group.users.length } : {}),
        ...(args.include_users === true ? { users: group.users } : {}),
      })),
    }),
  }),

  'usergroups.users.list': defineMethod({
    token: 'bot',
    scope: 'usergroups:read',
    perMinute: TIER.two,
    args: z.object({ usergroup: z.string(), include_disabled: flag.optional() }),
    run: (args, parts) => {
      const group = groups(parts, args.include_disabled).find((each) => each.id === args.usergroup)
      if (group === undefined) throw new SlackError('no_such_subteam')
      return { users: group.users }
    },
  }),
}

function groups({ switches, workspace }: Parts, withDisabled = false): readonly UserGroup[] {
  if (!switches.paidPlan) throw new SlackError('plan_upgrade_required')
  return workspace.groups.filter(({ disabledAtS }) => withDisabled || disabledAtS === 0)
}
