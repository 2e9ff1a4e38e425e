import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import type { ChangeAnnouncer } from '../../../src/execution/changes/change-announcer.ts'
import type { ChangeService } from '../../../src/execution/changes/change-service.ts'
import { digestWith } from '../../../src/execution/policy/change-hash.ts'
import { createServices } from '../../../src/execution/services.ts'
import { InFlight } from '../../../src/execution/requests/in-flight.ts'
import { DEFAULT_POLICY, type Policy } from '../../../src/execution/policy/policy.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { Directory } from '../../../src/slack/people/directory.ts'
import { STALE_MS } from '../../../src/slack/people/group-members.ts'
import { BlockRefusals } from '../../../src/slack/out/block-refusals.ts'
import { MessageSender } from '../../../src/slack/out/message-sender.ts'
import { ResponseAddresses } from '../../../src/slack/out/response-addresses.ts'
import { SeenDeliveries } from '../../../src/slack/gateway/seen-deliveries.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { NO_GRANTS, type RoleGrant, roleSources } from '../../../src/slack/people/role-sources.ts'
import { createMemoryStore, type MemoryStore } from '../model/memory-store.ts'
import { silentLog } from '../../store/harness.ts'
import { idleDesk, openChannels, soundDoctor } from '../../support/alert-desk.ts'
import { NoticeBoard } from '../../support/notice-board.ts'
import { checkContext } from '../../support/operation-context.ts'
import { postBy } from '../../support/post-by.ts'
import { listeningApp, type RecordingApp } from '../../support/recording-app.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { CHANNELS } from './cells.ts'
import { ADMINS_GROUP, type Identity, LISTS, OPERATORS_GROUP, OUR_TEAM } from './identities.ts'
import { ScriptedSlack } from './scripted-slack.ts'

const OPS = CHANNELS['the operations channel']

/** The Slack floor over all that is below it, with the bot's own operations, as one identity meets it. */
export interface Floor {
  readonly memory: MemoryStore
  readonly app: RecordingApp
  readonly changes: ChangeService
  readonly announcer: ChangeAnnouncer
  readonly directory: Directory
  readonly clock: TurnedClock
  readonly slack: ScriptedSlack
  /** Messages about changes. */
  readonly board: NoticeBoard
  /** Methods of the platform that were called. */
  readonly platform: string[]
}

export async function createFloor(identity: Identity): Promise<Floor> {
  const clock = new TurnedClock()
  const memory = await createMemoryStore(clock)
  const slack = new ScriptedSlack(identity)
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
  const options = {
    operations: OPERATIONS,
    cdn: refusingPlatform(platform),
    store: memory.store,
    clock,
    log: silentLog,
    panel: checkContext().panel,
    command: '/cdn',
    people: directory,
    alerts: idleDesk(),
    doctor: soundDoctor,
    channels: openChannels,
    notifier: board,
    sharedChannels: () => [],
    policy: () => policy,
    managedZones: () => ZONES,
    markRecords: true,
    opsChannel: OPS,
    digest: digestWith(undefined),
    inFlight: new InFlight(clock),
    holder: 'this process',
    leaseMs: 60_000,
    count: () => undefined,
  }
  const services = createServices(options)
  if (stale) await letGroupsAge(directory, slack, clock)
  const listeners = {
    ...options,
    ...services,
    messageSender: new MessageSender({
      api: slack.api,
      post: postBy(slack.fetch),
      refusals: new BlockRefusals(clock, silentLog),
      clock,
      log: silentLog,
    }),
    seen: new SeenDeliveries(clock, 'seen'),
    responseAddresses: new ResponseAddresses({ ...options, botToken: new Secret('xoxb-1') }),
    holdsSecret: () => false,
    botUserId: 'UBOT',
    onAck: () => undefined,
  }
  const { changes, announcer } = services
  const app = listeningApp(listeners, () => undefined)
  return { memory, app, changes, announcer, directory, clock, slack, board, platform }
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

async function letGroupsAge(directory: Directory, slack: ScriptedSlack, clock: TurnedClock): Promise<void> {
  await directory.actor('UADA')
  slack.silent = true
  clock.turn(STALE_MS + 1)
}
