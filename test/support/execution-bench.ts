import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Cdn } from '../../src/cdn/cdn.ts'
import { ApprovalDesk } from '../../src/execution/approval-desk.ts'
import { ChangeAnnouncer } from '../../src/execution/change-announcer.ts'
import { ChangeDesk, type ReviewPrompt } from '../../src/execution/change-desk.ts'
import { digestWith } from '../../src/execution/change-hash.ts'
import { ChangeKeeper } from '../../src/execution/change-keeper.ts'
import { ChangeSender } from '../../src/execution/change-sender.ts'
import { type Conversation, Executor } from '../../src/execution/executor.ts'
import { InFlight } from '../../src/execution/in-flight.ts'
import { NoticeCourier } from '../../src/execution/notice-courier.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/execution/policy.ts'
import type { NamedZone } from '../../src/operations/field.ts'
import type { Operation } from '../../src/operations/operation.ts'
import type { Actor, Role } from '../../src/operations/role.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import type { Change } from '../../src/store/change.ts'
import type { Store } from '../../src/store/store.ts'
import type { StoreHarness } from '../store/harness.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { idleDesk, openChannels } from './alert-desk.ts'
import { type Acts, ledgerOperations, plainAnswer } from './ledger-operations.ts'
import { ListedPeople } from './listed-people.ts'
import { NoticeBoard } from './notice-board.ts'
import { checkContext } from './operation-context.ts'
import { type LogLine, recordingLog } from './recording-log.ts'
import { TurnedClock } from './turned-clock.ts'

/** The execution floor over a store in a file, with a turned clock and scripted operations. */
export interface Bench {
  readonly clock: TurnedClock
  readonly store: Store
  readonly executor: Executor
  readonly desk: ChangeDesk
  readonly approvals: ApprovalDesk
  readonly announcer: ChangeAnnouncer
  readonly keeper: ChangeKeeper
  readonly courier: NoticeCourier
  /** What has been said in Slack about changes, and who people are there; both may be changed at any time. */
  readonly board: NoticeBoard
  readonly people: ListedPeople
  /** What the configuration says from now on. */
  readonly rules: { policy: Policy; zones: readonly NamedZone[] }
  readonly sender: ChangeSender
  readonly inFlight: InFlight
  /** What the operations do; may be replaced at any time. */
  readonly acts: Acts
  /** The mark of each write that was made, in order: how often the platform was called. */
  readonly written: readonly (string | undefined)[]
  readonly log: readonly LogLine[]
  /** `operation outcome` of everything that was counted. */
  readonly counted: readonly string[]
  operation(name: string): Operation
  /** `event: detail` of the whole record, oldest first. */
  record(): Promise<readonly string[]>
  /** A change by this actor, submitted by who reviewed it; it waits for nobody. */
  confirmed(values?: RawValues, by?: Actor): Promise<Change>
  /** A change by this actor that may be billed, submitted: it waits for others. */
  waiting(by?: Actor): Promise<Change>
  close(): Promise<void>
}

/** Memory where there is some as a folder: what these tests are about does not depend on a disk. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const OPS = 'COPS'
const HOLDER = 'this process'
const ROLES_OF_PEOPLE: readonly Role[] = ['admin', 'operator', 'operator', 'viewer']

export const RECORD: RawValues = { zone: 'shop', value: '192.0.2.10', variables: 'TOKEN=hush' }

/** The same where it may be billed, which takes the approval of somebody else than the operator who asks. */
export const BILLED: RawValues = { ...RECORD, billed: 'on' }

export function actor(role: Role, id = `U${role.toUpperCase()}`): Actor {
  return { id, team: 'T1', role, roleSource: 'listed for a test', groups: [], timeZone: 'UTC' }
}

export async function createBench(
  harness: Pick<StoreHarness, 'open' | 'close'> = createSqliteHarness(FOLDER),
): Promise<Bench> {
  const clock = new TurnedClock()
  const store = await harness.open({ clock })
  const acts: Acts = {
    write: async () => 'stored',
    show: (stored) => plainAnswer(`It was ${stored}.`),
    read: async () => plainAnswer('Three lines.'),
  }
  const people = new ListedPeople(
    actor('viewer'),
    actor('operator'),
    actor('operator', 'UOTHER'),
    actor('admin'),
    ...['UADA', 'UOLGA', 'UOTTO', 'UVERA'].map((id, index) => actor(ROLES_OF_PEOPLE[index] ?? 'none', id)),
  )
  const rules: Bench['rules'] = {
    policy: DEFAULT_POLICY,
    zones: [{ kind: 'dns', name: 'shop', zoneId: '301', managed: true }],
  }
  const { log, lines } = recordingLog()
  const counted: string[] = []
  const inFlight = new InFlight(clock)
  const written: (string | undefined)[] = []
  const operations = ledgerOperations({
    write: (context) => {
      written.push(context.marker)
      return acts.write(context)
    },
    show: (stored) => acts.show(stored),
    read: (context) => acts.read(context),
  })
  const executor = new Executor({
    operations,
    cdn: {} as Cdn, // The operations of the bench do not call it.
    store,
    clock,
    log,
    panel: checkContext().panel,
    command: '/cdn',
    people,
    alerts: idleDesk(),
    channels: openChannels,
    sharedChannels: () => [],
    policy: () => rules.policy,
    managedZones: () => rules.zones,
    markRecords: true,
    digest: digestWith(undefined),
    opsChannel: OPS,
    inFlight,
    count: (operation, outcome) => counted.push(`${operation} ${outcome}`),
  })
  const board = new NoticeBoard()
  const desk = new ChangeDesk(executor, OPS)
  const announcer = new ChangeAnnouncer(executor, board, OPS)
  const approvals = new ApprovalDesk(executor, announcer)
  executor.actOnChangesBy((by) => approvals.actions(by))
  const sender = new ChangeSender({ executor, announcer, holder: HOLDER, leaseMs: 60_000 })
  const operation = (name: string): Operation => operations.find((one) => one.name === name)!
  return {
    clock,
    store,
    executor,
    desk,
    approvals,
    announcer,
    keeper: new ChangeKeeper({ executor, approvals, sender, announcer, holder: HOLDER }),
    courier: new NoticeCourier(executor, board),
    board,
    people,
    rules,
    sender,
    inFlight,
    acts,
    written,
    log: lines,
    counted,
    operation,
    record: async () =>
      (await store.audit.list({ limit: 100 }))
        .toReversed()
        .map(({ event, detail }) => (detail === undefined ? event : `${event}: ${detail}`)),
    confirmed: async (values = RECORD, by = actor('operator')) => {
      const { change } = await reviewed({ desk, operation }, values, by)
      const submitted = await desk.submit(change.id, by)
      if (submitted.kind !== 'confirmed') throw new Error(`It is ${submitted.kind}`)
      return submitted.change
    },
    waiting: async (by = actor('operator')) => {
      const { change } = await reviewed({ desk, operation }, BILLED, by)
      const submitted = await desk.submit(change.id, by)
      if (submitted.kind !== 'waiting') throw new Error(`It is ${submitted.kind}`)
      return submitted.change
    },
    close: () => harness.close(),
  }
}

/** A change whose review the actor is looking at. */
export async function reviewed(
  { desk, operation }: Pick<Bench, 'desk' | 'operation'>,
  values: RawValues = RECORD,
  by = actor('operator'),
): Promise<ReviewPrompt> {
  const change = await desk.begin(operation('record add'), values, by, 'C1')
  return desk.review(change, values, by)
}

/** A conversation that keeps what is said in it. */
export class HeardConversation implements Conversation {
  readonly said: string[] = []
  readonly files: string[] = []

  async reply({ text, blocks }: Parameters<Conversation['reply']>[0], audience: string): Promise<void> {
    const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
    const labels = buttons.map((button) => ('text' in button ? `[${button.text.text}]` : ''))
    this.said.push([`${audience}: ${text}`, ...labels].join(' '))
  }

  progress(sentence: string): void {
    this.said.push(`progress: ${sentence}`)
  }

  async sendFile({ name }: Parameters<Conversation['sendFile']>[0]): Promise<boolean> {
    this.files.push(name)
    return true
  }
}
