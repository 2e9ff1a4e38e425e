import type { Cdn } from '../../../src/cdn/cdn.ts'
import { CdnError } from '../../../src/cdn/errors.ts'
import { ApprovalDesk } from '../../../src/execution/approval-desk.ts'
import { ChangeAnnouncer } from '../../../src/execution/change-announcer.ts'
import { ChangeDesk } from '../../../src/execution/change-desk.ts'
import { digestWith } from '../../../src/execution/change-hash.ts'
import { ChangeSender } from '../../../src/execution/change-sender.ts'
import { Executor } from '../../../src/execution/executor.ts'
import { InFlight } from '../../../src/execution/in-flight.ts'
import { DEFAULT_POLICY, type Policy } from '../../../src/execution/policy.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { Directory } from '../../../src/slack/directory.ts'
import { STALE_MS } from '../../../src/slack/group-members.ts'
import { Outbound } from '../../../src/slack/outbound.ts'
import { Reception } from '../../../src/slack/reception.ts'
import { NO_GRANTS, type RoleGrant, roleSources } from '../../../src/slack/role-sources.ts'
import { createMemoryStore, type MemoryStore } from '../model/memory-store.ts'
import { silentLog } from '../../store/harness.ts'
import { idleDesk, openChannels } from '../../support/alert-desk.ts'
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
  readonly desk: ChangeDesk
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
  const executor = new Executor({
    operations: OPERATIONS,
    cdn: refusingPlatform(platform),
    store: memory.store,
    clock,
    log: silentLog,
    panel: checkContext().panel,
    command: '/cdn',
    people: directory,
    alerts: idleDesk(),
    channels: openChannels,
    sharedChannels: () => [],
    policy: () => policy,
    managedZones: () => ZONES,
    markRecords: true,
    digest: digestWith(undefined),
    inFlight: new InFlight(clock),
    count: () => undefined,
  })
  const announcer = new ChangeAnnouncer(executor, board, OPS)
  const approvals = new ApprovalDesk(executor, announcer)
  executor.actOnChangesBy((by) => approvals.actions(by))
  const desk = new ChangeDesk(executor, OPS)
  const reception = new Reception({
    executor,
    desk,
    approvals,
    announcer,
    sender: new ChangeSender({ executor, announcer, holder: 'this process', leaseMs: 60_000 }),
    directory,
    outbound: new Outbound({ api: slack.api, post: postBy(slack.fetch), clock, log: silentLog }),
    opsChannel: OPS,
  })
  if (stale) await letGroupsAge(directory, slack, clock)
  // Nobody is asked to go slower: seconds pass between one cell and the next.
  let passedMs = 0
  const unhurried = { monotonicMs: () => (passedMs += 1_000) }
  const app = listeningApp({ reception, executor, clock: unhurried }, () => undefined)
  return { memory, app, desk, announcer, directory, clock, slack, board, platform }
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
