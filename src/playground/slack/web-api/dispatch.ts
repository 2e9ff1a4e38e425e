import * as z from 'zod'
import type { Fault } from '../faults.ts'
import type { Parts } from '../parts.ts'
import { SlackError } from '../slack-error.ts'
import { chatMethods } from './chat.ts'
import { conversationMethods } from './conversations.ts'
import { fileMethods } from './files.ts'
import { requireScope, type Arguments, type Method, defineMethod, TIER, flag } from './method.ts'
import type { RateLimits } from './rate-limits.ts'
import { viewMethods } from './views.ts'
import { BOT_ID, BOT_USER_ID, TEAM, type UserGroup, APP_ID } from '../seed.ts'
import { userGroupPayload } from '../user-group-payload.ts'
import { userPayload } from '../user-payload.ts'

/** A call as it arrived. */
export interface WebApiCall {
  readonly method: string
  readonly args: Arguments
  /** From the Authorization header or the argument of that name. */
  readonly token: string | undefined
}

/** An answer as it goes out; errors of Slack have status 200 and `ok: false`. */
export interface WebApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Answers one call as Slack would: limits first, then the token, the scope, and at last what was asked. */
export function answerCall(call: WebApiCall, parts: Parts, limits: RateLimits): WebApiAnswer {
  const method = METHODS[call.method]
  if (method === undefined) return good({ ok: false, error: 'unknown_method', req_method: call.method })
  const waitS = parts.switches.rateLimits ? limits.waitS(call.method, method.perMinute, call.args['channel']) : 0
  if (waitS > 0) return limited(waitS)
  try {
    checkToken(method, call.token, parts)
    if (method.scope !== undefined) requireScope(parts, method.scope)
    const answer = method.run(call.args, parts)
    return { ...good({ ok: true, ...answer }), headers: { 'x-oauth-scopes': parts.app.scopes.join(',') } }
  } catch (error) {
    if (error instanceof SlackError) return good(error.body())
    throw error
  }
}

/** The answer to a call that was planned to fail with an error or a status. */
export function faultAnswer(fault: Extract<Fault, { error: string } | { status: number }>): WebApiAnswer {
  if ('error' in fault) return good({ ok: false, error: fault.error })
  const headers: Record<string, string> = {}
  if (fault.retryAfterS !== undefined) headers['retry-after'] = String(fault.retryAfterS)
  return {
    status: fault.status,
    headers,
    body: { ok: false, error: fault.status === 429 ? 'ratelimited' : 'fatal_error' },
  }
}

function good(body: WebApiAnswer['body']): WebApiAnswer {
  return { status: 200, headers: {}, body }
}

function limited(waitS: number): WebApiAnswer {
  return { status: 429, headers: { 'retry-after': String(waitS) }, body: { ok: false, error: 'ratelimited' } }
}

function checkToken(method: Method, token: string | undefined, { tokens, switches }: Parts): void {
  if (method.token === 'none') return
  if (token === undefined || token === '') throw new SlackError('not_authed')
  if (token !== tokens.bot && token !== tokens.app) throw new SlackError('invalid_auth')
  const isApp = token === tokens.app
  if (!isApp && switches.refuseToken !== '') throw new SlackError(switches.refuseToken)
  if ((method.token === 'bot' && isApp) || (method.token === 'app' && !isApp)) {
    throw new SlackError('not_allowed_token_type')
  }
}

/** Who the token belongs to, where to connect, and whether anybody answers at all. */
const authMethods: Readonly<Record<string, Method>> = {
  'auth.test': defineMethod({
    token: 'any',
    perMinute: TIER.special,
    args: z.object({}),
    run: () => ({
      url: `https://${TEAM.domain}.slack.com/`,
      team: TEAM.name,
      user: 'cdn-ops',
      team_id: TEAM.id,
      user_id: BOT_USER_ID,
      bot_id: BOT_ID,
      is_enterprise_install: false,
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

/** User groups, which only paid plans have. Disabled ones are there for those who ask for them. */
const userGroupMethods: Readonly<Record<string, Method>> = {
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

/** People and bots. */
const userMethods: Readonly<Record<string, Method>> = {
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
    run: ({ user }, { workspace, clock }) => {
      const member = workspace.findMember(user)
      if (member === undefined) throw new SlackError('user_not_found')
      return { user: userPayload(member, clock) }
    },
  }),
}

/** Every method served, by its name. */
export const METHODS: Readonly<Record<string, Method>> = {
  ...authMethods,
  ...chatMethods,
  ...viewMethods,
  ...userMethods,
  ...userGroupMethods,
  ...conversationMethods,
  ...fileMethods,
}
