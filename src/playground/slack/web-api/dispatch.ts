import type { Fault } from '../faults.ts'
import type { Parts } from '../parts.ts'
import { SlackError } from '../slack-error.ts'
import { authMethods } from './auth.ts'
import { chatMethods } from './chat.ts'
import { conversationMethods } from './conversations.ts'
import { fileMethods } from './files.ts'
import { requireScope, type Arguments, type Method } from './method.ts'
import type { RateLimits } from './rate-limits.ts'
import { userGroupMethods } from './user-groups.ts'
import { userMethods } from './users.ts'
import { viewMethods } from './views.ts'

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
