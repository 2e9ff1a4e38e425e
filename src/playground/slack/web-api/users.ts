import * as z from 'zod'
import { APP_ID, BOT_ID, BOT_USER_ID } from '../seed.ts'
import { SlackError } from '../slack-error.ts'
import { userPayload } from '../user-payload.ts'
import { defineMethod, TIER, type Method } from './method.ts'

/** People and bots. */
export const userMethods: Readonly<Record<string, Method>> = {
  'bots.info': defineMethod({
    token: 'bot',
    scope: 'users:read',
    perMinute: TIER.three,
    args: z.object({ bot: z.string() }),
    run: ({ bot }) => {
      if (bot !== BOT_ID) throw new SlackError('bot_not_found')
      return { bot: { id: BOT_ID, deleted: false, name: 'cdn-ops', app_id: APP_ID, user_id: BOT_USER_ID } }
    },
  }),

  'users.info': defineMethod({
    token: 'bot',
    scope: 'users:read',
    perMinute: TIER.four,
    args: z.object({ user: z.string() }),
    run: ({ user }, { workspace, clock, switches }) => {
      const member = workspace.findMember(user)
      if (member === undefined) throw new SlackError('user_not_found')
      return { user: userPayload(member, clock, switches.grid) }
    },
  }),
}
