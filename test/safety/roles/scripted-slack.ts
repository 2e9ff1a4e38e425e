import { SlackError, type SlackAnswer, type WebApi } from '../../../src/slack/out/web-api.ts'
import { CHANNELS } from './cells.ts'
import { ADMINS_GROUP, type Identity, OPERATORS_GROUP, OUR_TEAM } from './identities.ts'

/** One call to Slack: a method of the Web API, or `respond` for a response address. */
export interface SlackCall {
  readonly method: string
  readonly args: Readonly<Record<string, unknown>>
}

const GROUPS = [
  { id: OPERATORS_GROUP, users: ['UGRETA'] },
  { id: ADMINS_GROUP, users: ['UGABI'] },
]

const MEMBER = { team_id: OUR_TEAM, is_bot: false, is_restricted: false, is_ultra_restricted: false, tz: 'UTC' }

/** A Slack that knows everybody as a full member, but the one identity as it is. `silent` is true once it says no groups. */
export class ScriptedSlack {
  readonly calls: SlackCall[] = []
  readonly #identity: Identity
  silent = false

  constructor(identity: Identity) {
    this.#identity = identity
  }

  /** All of the Web API that the floor uses. */
  readonly api = {
    call: async (_: unknown, method: string, args: SlackCall['args']): Promise<SlackAnswer> => this.#take(method, args),
  } as WebApi // The floor calls nothing else of it.

  /** A response address takes everything. */
  readonly fetch = async (_: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    const text = typeof init?.body === 'string' ? init.body : '{}'
    this.calls.push({ method: 'respond', args: JSON.parse(text) as SlackCall['args'] }) // what the bot sent itself
    return new Response('ok')
  }

  #take(method: string, args: SlackCall['args']): SlackAnswer {
    switch (method) {
      case 'users.info':
        return { user: this.#person(String(args['user'])) }
      case 'usergroups.users.list': {
        if (this.silent) throw new SlackError(method, 'internal_error')
        const group = GROUPS.find(({ id }) => id === args['usergroup'])
        if (group === undefined) throw new SlackError(method, 'no_such_subteam')
        return { users: group.users }
      }
    }
    this.calls.push({ method, args })
    if (args['channel'] === CHANNELS['a channel without the bot']) throw new SlackError(method, 'not_in_channel')
    return { ok: true, channel: args['channel'] ?? 'D1', ts: '1.2', view: { id: 'V1', hash: 'h' } }
  }

  #person(id: string): Readonly<Record<string, unknown>> {
    const { profile = {} } = id === this.#identity.id ? this.#identity : {}
    if (profile === 'unsaid') throw new SlackError('users.info', 'internal_error')
    return { id, ...MEMBER, ...profile }
  }
}
