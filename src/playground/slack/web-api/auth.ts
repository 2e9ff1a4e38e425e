import * as z from 'zod'
import { BOT_ID, BOT_USER_ID, ENTERPRISE, TEAM } from '../seed.ts'
import { SlackError } from '../slack-error.ts'
import { defineMethod, TIER, type Method } from './method.ts'

/** Who the token belongs to, where to connect, and whether anybody answers at all. */
export const authMethods: Readonly<Record<string, Method>> = {
  'auth.test': defineMethod({
    token: 'any',
    perMinute: TIER.special,
    args: z.object({}),
    run: (_args, { switches }) => ({
      url: `https://${TEAM.domain}.slack.com/`,
      team: TEAM.name,
      user: 'cdn-ops',
      team_id: TEAM.id,
      user_id: BOT_USER_ID,
      bot_id: BOT_ID,
      ...(switches.grid || switches.orgInstall ? { enterprise_id: ENTERPRISE.id } : {}),
      is_enterprise_install: switches.orgInstall,
    }),
  }),

  'apps.connections.open': defineMethod({
    token: 'app',
    perMinute: TIER.three,
    args: z.object({}),
    run: (_args, { socketMode, baseUrl, switches }) => {
      if (switches.refuseConnections) throw new SlackError('internal_error')
      const address = baseUrl().replace(/^http/, 'ws')
      return { url: `${address}/link/?ticket=${socketMode.issueTicket()}` }
    },
  }),

  'api.test': defineMethod({
    token: 'none',
    perMinute: TIER.four,
    args: z.record(z.string(), z.unknown()),
    run: (args) => {
      if (typeof args['error'] === 'string') throw new SlackError(args['error'], { args })
      return { args }
    },
  }),
}
