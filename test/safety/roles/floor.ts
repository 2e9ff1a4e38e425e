import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import type { ChangeAnnouncer } from '../../../src/execution/changes/change-announcer.ts'
import type { ChangeService } from '../../../src/execution/changes/change-service.ts'
import { DEFAULT_POLICY, type Policy } from '../../../src/execution/policy/policy.ts'
import { createServices } from '../../../src/execution/services.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { Directory } from '../../../src/slack/people/directory.ts'
import { STALE_MS } from '../../../src/slack/people/group-members.ts'
import { NO_GRANTS, type RoleGrant, roleSources } from '../../../src/slack/people/role-sources.ts'
import { serviceOptions } from '../../support/execution-bench.ts'
import { NoticeBoard } from '../../support/notice-board.ts'
import { listeningApp, type RecordingApp } from '../../support/recording-app.ts'
import { listenerOptions, type ScriptedSlack, scriptedSlack } from '../../support/slack-bench.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { createMemoryStore, type MemoryStore } from '../model/memory-store.ts'
import { CHANNELS } from './cells.ts'
import { ADMINS_GROUP, type Identity, LISTS, OPERATORS_GROUP, OUR_TEAM } from './identities.ts'

const OPS = CHANNELS['the operations channel']

/** The Slack floor over all that is below it, with the bot's own operations, as one identity meets it. */
export interface Floor {
  readonly memory: MemoryStore
  readonly app: RecordingApp
  readonly changes: ChangeService
  readonly announcer: ChangeAnnouncer
  readonly directory: Directory
  readonly clock: TurnedClock
  /** Slack, and what was said to it. */
  readonly slack: ScriptedSlack
  /** Messages about changes. */
  readonly board: NoticeBoard
  /** Methods of the platform that were called. */
  readonly platform: string[]
}

export async function createFloor(identity: Identity): Promise<Floor> {
  const clock = new TurnedClock()
  const memory = await createMemoryStore(clock)
  const slack = slackOf(identity)
  const board = new NoticeBoard()
  const platform: string[] = []
  const { everybody = false, approvedBefore = false, stale = false } = identity
  const policy = policyFor(approvedBefore ? 2 : 1)
  const sources = roleSources(everybody ? { ...LISTS, viewers: 'everybody' } : LISTS, { roles: ROLES, policy })
  const directory = new Directory({
    api: slack.api,
    clock,
    roles: () => sources,
    identity: () => ({ teamId: OUR_TEAM, enterpriseId: 'E1' }),
  })
  const options = serviceOptions({
    operations: OPERATIONS,
    cdn: refusingPlatform(platform),
    store: memory.store,
    clock,
    people: directory,
    notifier: board,
    policy: () => policy,
    managedZones: () => ZONES,
  })
  const services = createServices(options)
  if (stale) await letGroupsAge(directory, slack, clock)
  const { changes, announcer } = services
  const app = listeningApp(listenerOptions({ ...options, ...services, people: directory }, slack), () => undefined)
  return { memory, app, changes, announcer, directory, clock, slack, board, platform }
}

/** A Slack that knows everybody as a full member, but the one identity as it is. */
function slackOf({ id, profile }: Identity): ScriptedSlack {
  const slack = scriptedSlack()
  slack.script.groups = { [OPERATORS_GROUP]: ['UGRETA'], [ADMINS_GROUP]: ['UGABI'] }
  if (profile !== undefined && profile !== 'unsaid') slack.script.profiles = { [id]: profile }
  slack.script.before = ({ method, args }) => {
    if (args['user'] === id && profile === 'unsaid') throw new SlackError(method, 'internal_error')
    if (args['channel'] === CHANNELS['a channel without the bot']) throw new SlackError(method, 'not_in_channel')
  }
  return slack
}

const ZONES = (['storage', 'pull', 'dns'] as const).map(
  (kind, index) => ({ kind, name: 'shop', zoneId: `${index + 1}01`, managed: true }) as const,
)

const group = (id: string): RoleGrant => ({ users: new Set(), groups: new Set([id]), everybody: false })
const ROLES = { ...NO_GRANTS, admin: group(ADMINS_GROUP), operator: group(OPERATORS_GROUP) }

/** Nothing but help in the shared channel, records in two channels only, and approvals for every new library. */
function policyFor(count: number): Policy {
  return {
    ...DEFAULT_POLICY,
    version: 'of the matrix',
    rules: [
      { name: 'policies[0]', channels: [CHANNELS['a shared channel']], decision: 'deny' },
      { name: 'policies[1]', operations: ['dns add'], outside: [OPS, CHANNELS['another channel']], decision: 'deny' },
      { name: 'policies[2]', operations: ['library create'], decision: 'approve' },
    ],
    quorum: { ...DEFAULT_POLICY.quorum, count },
  }
}

/** It is asked for nothing here but whether it was asked: every call is noted and refused. */
function refusingPlatform(called: string[]): Cdn {
  const refuse = (method: string) => async (): Promise<never> => {
    called.push(method)
    throw new CdnError('addDnsRecord', { kind: 'rejected', status: 400 })
  }
  return new Proxy({} as Cdn, { get: (_, method) => refuse(String(method)) }) // has every method
}

async function letGroupsAge(directory: Directory, { script }: ScriptedSlack, clock: TurnedClock): Promise<void> {
  await directory.actor('UADA')
  const { before } = script
  script.before = (call) => {
    if (call.method === 'usergroups.users.list') throw new SlackError(call.method, 'internal_error')
    return before(call)
  }
  clock.turn(STALE_MS + 1)
}
