import { forEachTest } from './for-each-test.ts'
import type { Role } from '../../src/operations/declaration/role.ts'
import { Directory } from '../../src/slack/people/directory.ts'
import { blockRefusals } from '../../src/slack/out/block-refusals.ts'
import { MessageSender } from '../../src/slack/out/message-sender.ts'
import type { BlockActions, ViewSubmission } from '../../src/slack/gateway/payloads.ts'
import type { ListenerOptions } from '../../src/slack/listeners/delivery.ts'
import { responseAddresses } from '../../src/slack/out/response-addresses.ts'
import { seenDeliveries } from '../../src/slack/gateway/seen-deliveries.ts'
import { Secret } from '../../src/shared/secret.ts'
import { roleSources } from '../../src/slack/people/role-sources.ts'
import type { Fetch, Post, SlackAnswer, WebApi } from '../../src/slack/out/web-api.ts'
import type { createServices } from '../../src/execution/services.ts'
import { type Bench, type BenchOptions, createBench, type ServiceOptions } from './execution-bench.ts'
import { postBy } from './post-by.ts'
import { readText } from './read-text.ts'
import type { View } from '../../src/block-kit/view.ts'

/** One call to Slack: a method of the Web API, or `respond` for a response address. */
export interface SlackCall {
  readonly method: string
  readonly args: Readonly<Record<string, unknown>>
}

/** A Slack that answers what a test wants. */
export interface ScriptedSlack {
  readonly calls: SlackCall[]
  /** What Slack does with a call before it succeeds; throw to refuse. Role and profile of people may be changed. */
  readonly script: {
    before: (call: SlackCall) => unknown
    profile: Readonly<Record<string, unknown>>
    /** The same of single people. */
    profiles: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    /** Who is in which user group of those that the configuration names; without any, Slack is not asked. */
    groups: Readonly<Record<string, readonly string[]>>
  }
  readonly api: WebApi
  readonly post: Post
}

/** The Slack floor over the execution floor, with such a Slack. */
export interface SlackBench extends Bench, Pick<ScriptedSlack, 'calls' | 'script'> {
  /** What the listeners get. */
  readonly slack: ListenerOptions
  /** The texts of everything that was said in messages, oldest first. */
  said(): readonly string[]
  /** The view of the last call of a method, as text. */
  shown(method: 'views.open' | 'views.update'): string
  /** The same as a person reads it. */
  read(method: 'views.open' | 'views.update' | 'views.publish'): string
}

const PEOPLE: Readonly<Record<string, Role>> = { UADA: 'admin', UOLGA: 'operator', UOTTO: 'operator', UVERA: 'viewer' }
const idsWith = (role: Role): ReadonlySet<string> =>
  new Set(Object.keys(PEOPLE).filter((person) => PEOPLE[person] === role))

export async function createSlackBench(options: BenchOptions = {}): Promise<SlackBench> {
  const bench = await createBench(options)
  await bench.store.zones.add(
    { kind: 'dns', name: 'shop', zoneId: '301', addedBy: 'UADA', addedAt: bench.clock.now() },
    { at: bench.clock.now(), actor: 'UADA', team: 'T1', operation: 'zones add', event: 'zone_added', summary: 'Named' },
  )
  const scripted = scriptedSlack()
  const { calls, script, api } = scripted
  const { clock, services } = bench
  const lists = { admins: idsWith('admin'), operators: idsWith('operator'), viewers: idsWith('viewer') }
  const roles = roleSources(lists)
  const people = new Directory({
    api,
    clock,
    roles: () => ({ ...roles, approvingGroups: new Set(Object.keys(script.groups)) }),
    identity: () => ({ teamId: 'T1', enterpriseId: undefined }),
  })
  return {
    ...bench,
    slack: listenerOptions({ ...services, people }, scripted),
    calls,
    script,
    said: () => calls.flatMap(({ args }) => (typeof args['text'] === 'string' ? [args['text']] : [])),
    shown: (method) => JSON.stringify(calls.findLast((call) => call.method === method)?.args['view']),
    read: (method) => readText(calls.findLast((call) => call.method === method)?.args['view'] as View), // what the bot sent itself
  }
}

export function scriptedSlack(): ScriptedSlack {
  const calls: SlackCall[] = []
  const script: ScriptedSlack['script'] = { before: () => undefined, profile: {}, profiles: {}, groups: {} }
  const take = async (method: string, args: SlackCall['args']): Promise<SlackAnswer> => {
    const call = { method, args }
    calls.push(call)
    await script.before(call)
    return {
      ok: true,
      channel: args['channel'] ?? 'C1',
      ts: '1.2',
      view: { id: 'V1', hash: 'h' },
      users: script.groups[String(args['usergroup'])] ?? [],
      ...whois(args, script),
    }
  }
  const api: Pick<WebApi, 'call'> = { call: (_, method, args) => take(method, args) }
  const fetch: Fetch = async (_, init) => {
    const text = typeof init?.body === 'string' ? init.body : '{}'
    await take('respond', JSON.parse(text) as SlackCall['args']) // what the bot sent itself
    return new Response('ok')
  }
  return { calls, script, api: api as WebApi, post: postBy(fetch) } // The floor calls nothing else of it.
}

type Services = ServiceOptions & ReturnType<typeof createServices> & { readonly people: Directory }

/** What the listeners get, over these services and this Slack. */
export function listenerOptions(
  services: Services,
  { api, post }: Pick<ScriptedSlack, 'api' | 'post'>,
): ListenerOptions {
  const { clock, log } = services
  return {
    ...services,
    messageSender: new MessageSender({ api, post, refusals: blockRefusals(clock, log), clock, log }),
    seen: seenDeliveries(clock, 'seen'),
    responseAddresses: responseAddresses(services.store.responseAddresses, new Secret('xoxb-1'), services),
    holdsSecret: () => false,
    botUserId: 'UBOT',
    onAck: () => undefined,
  }
}

/** The bench of a test file: a new one for each test. */
export function useSlackBench(options?: BenchOptions): SlackBench {
  return forEachTest(() => createSlackBench(options))
}

function whois({ user }: SlackCall['args'], { profile, profiles }: ScriptedSlack['script']): SlackAnswer {
  const member = { is_bot: false, is_restricted: false, is_ultra_restricted: false }
  return user === undefined
    ? {}
    : { user: { id: user, team_id: 'T1', ...member, ...profile, ...(typeof user === 'string' ? profiles[user] : {}) } }
}

/** A submission of a view, as Slack sends it. */
export function submission(callbackId: string, metadata: string, values: unknown = {}, user = 'UOLGA'): ViewSubmission {
  return {
    user: { id: user },
    view: { id: 'V1', callback_id: callbackId, private_metadata: metadata, state: { values } },
  }
}

let triggers = 0

/** Slack gives each delivery another one, and a repeated one the same again. */
export function newTrigger(): string {
  triggers += 1
  return `trigger-${triggers}`
}

/** A click on a button of a message, as Slack sends it. */
export function click(actionId: string, value: string | undefined, changes: Partial<BlockActions> = {}): BlockActions {
  return {
    user: { id: 'UVERA' },
    trigger_id: newTrigger(),
    response_url: 'https://slack.test/click',
    channel: { id: 'C1' },
    actions: [{ action_id: actionId, value }],
    ...changes,
  }
}
