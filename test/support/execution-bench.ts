import type { Cdn } from '../../src/cdn/contract/cdn.ts'
import { Dispatcher } from '../../src/delivery/dispatcher.ts'
import type { ReviewPrompt } from '../../src/execution/changes/change-service.ts'
import { digestWith } from '../../src/execution/policy/change-hash.ts'
import type { Result } from '../../src/execution/request-service.ts'
import type { Parts } from '../../src/execution/requests/parts.ts'
import { createServices } from '../../src/execution/services.ts'
import { InFlight } from '../../src/execution/requests/in-flight.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/execution/policy/policy.ts'
import type { NamedPerson, NamedZone } from '../../src/operations/declaration/field.ts'
import type { Operation } from '../../src/operations/declaration/operation.ts'
import type { Actor, Role, Quorum } from '../../src/operations/declaration/role.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import type { Change } from '../../src/store/schema/change.ts'
import type { Store } from '../../src/store/store.ts'
import type { Clock } from '../../src/shared/clock.ts'
import { silentLog, type StoreHarness } from '../store/harness.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { idleDesk, noIncidents, openChannels, soundDoctor } from './alert-desk.ts'
import { deliverDue } from './delivery-bench.ts'
import { forEachTest } from './for-each-test.ts'
import { type Acts, ledgerOperations, plainAnswer } from './ledger-operations.ts'
import { NoticeBoard } from './notice-board.ts'
import { checkContext } from './operation-context.ts'
import { type LogLine, recordingLog } from './recording-log.ts'
import { TurnedClock } from './turned-clock.ts'
import type { People } from '../../src/execution/policy/people.ts'
import { countsFor } from '../../src/execution/policy/quorum.ts'
import { UserError } from '../../src/shared/errors.ts'

type Services = ReturnType<typeof createServices>
export type ServiceOptions = Parameters<typeof createServices>[0]

/** The execution floor over a store in a file, with a turned clock and scripted operations. */
export interface Bench extends Services {
  readonly clock: TurnedClock
  readonly store: Store
  /** What each service takes: another one like it is `new X({ ...bench.services, … })`. */
  readonly services: Parts & Services
  /** Delivers the outbox until nothing is due any more, a second apart. */
  readonly deliver: () => Promise<void>
  /** What has been said in Slack about changes, and who people are there; both may be changed at any time. */
  readonly board: NoticeBoard
  readonly people: ListedPeople
  /** What the configuration says from now on. */
  readonly rules: { policy: Policy; zones: readonly NamedZone[] }
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

const OPS = 'COPS'
const ROLES_OF_PEOPLE: readonly Role[] = ['admin', 'operator', 'operator', 'viewer']

export const RECORD: RawValues = { zone: 'shop', value: '192.0.2.10', variables: 'TOKEN=hush' }

/** The same where it may be billed, which takes the approval of somebody else than the operator who asks. */
export const BILLED: RawValues = { ...RECORD, billed: 'on' }

export function actor(role: Role, id = `U${role.toUpperCase()}`): Actor {
  return { id, team: 'T1', role, roleSource: 'listed for a test', groups: [], timeZone: 'UTC' }
}

export interface BenchOptions {
  readonly harness?: Pick<StoreHarness, 'open' | 'close'>
  /** What there is to ask for, of the scripted operations or in their place. */
  readonly operations?: (scripted: readonly Operation[]) => readonly Operation[]
  /** What the operations call; those that are scripted call nothing. */
  readonly cdn?: Partial<Cdn>
}

export async function createBench({
  harness = createSqliteHarness(),
  cdn = {},
  ...given
}: BenchOptions = {}): Promise<Bench> {
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
  const ledger = ledgerOperations({
    write: (context) => {
      written.push(context.marker)
      return acts.write(context)
    },
    show: (stored) => acts.show(stored),
    read: (context) => acts.read(context),
  })
  const operations = given.operations?.(ledger) ?? ledger
  const board = new NoticeBoard()
  const options = serviceOptions({
    operations,
    cdn: cdn as Cdn, // with all that the operations of the test call
    store,
    clock,
    log,
    people,
    inFlight,
    notifier: board,
    policy: () => rules.policy,
    managedZones: () => rules.zones,
    count: (name, outcome) => counted.push(`${name} ${outcome}`),
  })
  const services = createServices(options)
  const dispatcher = new Dispatcher({ ...options, outbox: store.outbox, incidents: noIncidents })
  const { changes } = services
  const operation = (name: string): Operation => operations.find((one) => one.name === name)!
  return {
    clock,
    store,
    ...services,
    services: { ...options, ...services },
    deliver: async () => {
      while ((await deliverDue(dispatcher)) > 0) clock.turn(1_000)
    },
    board,
    people,
    rules,
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
      const { change } = await reviewed({ changes, operation }, values, by)
      const submitted = await changes.submit(change.id, by)
      if (submitted.kind !== 'confirmed') throw new Error(`It is ${submitted.kind}`)
      return submitted.change
    },
    waiting: async (by = actor('operator')) => {
      const { change } = await reviewed({ changes, operation }, BILLED, by)
      const submitted = await changes.submit(change.id, by)
      if (submitted.kind !== 'waiting') throw new Error(`It is ${submitted.kind}`)
      return submitted.change
    },
    close: () => harness.close(),
  }
}

type Given = Partial<ServiceOptions> &
  Pick<ServiceOptions, 'operations' | 'store' | 'people' | 'notifier' | 'policy'> & { readonly clock: Clock }

/** What the services take over these: all else is idle, and every channel and zone is ours. */
export function serviceOptions(given: Given): ServiceOptions & Given {
  return {
    cdn: {} as Cdn, // for operations that do not call it
    log: silentLog,
    inFlight: new InFlight(given.clock),
    panel: checkContext().panel,
    alerts: idleDesk(),
    doctor: soundDoctor,
    channels: openChannels,
    sharedChannels: () => [],
    managedZones: () => [{ kind: 'dns', name: 'shop', zoneId: '301', managed: true }],
    markRecords: true,
    command: '/cdn',
    opsChannel: OPS,
    digest: digestWith(undefined),
    holder: 'this process',
    leaseMs: 60_000,
    count: () => undefined,
    ...given,
  }
}

/** The bench of a test file: a new one for each test. */
export function useBench(options?: BenchOptions): Bench {
  return forEachTest(() => createBench(options))
}

/** A change whose review the actor is looking at. */
export async function reviewed(
  { changes, operation }: Pick<Bench, 'changes' | 'operation'>,
  values: RawValues = RECORD,
  by = actor('operator'),
): Promise<ReviewPrompt> {
  const change = await changes.begin(operation('record add'), values, by, 'C1')
  return changes.review(change, values, by)
}

/** What somebody is told who asks for this in a channel: progress, then `audience: text [button]`, then the file. */
export async function ask(
  { requests, operation }: Pick<Bench, 'requests' | 'operation'>,
  name: string,
  by: Actor,
  values: RawValues = {},
): Promise<readonly string[]> {
  const heard: string[] = []
  const progress = (sentence: string) => heard.push(`progress: ${sentence}`)
  const result = await requests.handle({ operation: operation(name), values, actor: by, channelId: 'C1', progress })
  return [...heard, ...textsOf(result)]
}

function textsOf(result: Result): readonly string[] {
  if (!('message' in result)) return [result.kind]
  const { text, blocks } = result.message
  const buttons = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
  const labels = buttons.map((button) => ('text' in button ? `[${button.text.text}]` : ''))
  const said = [`${result.kind === 'answered' ? result.audience : 'caller'}: ${text}`, ...labels].join(' ')
  return result.kind === 'answered' && result.file !== undefined ? [said, `file: ${result.file.name}`] : [said]
}

/** People as a test lists them; whoever is not listed is nobody to the bot. */
export class ListedPeople implements People {
  readonly #listed = new Map<string, Actor>()
  /** Ids that were asked about as they are right now, not within the last minute. */
  readonly askedAfresh: string[] = []
  /** Who bears which name, in lower case. */
  readonly names = new Map<string, readonly NamedPerson[]>()
  /** Which user groups give a role. */
  readonly groups = new Map<Role, readonly string[]>()
  /** Set to make Slack unable to say who anybody is. */
  unreachable = false

  constructor(...people: readonly Actor[]) {
    for (const person of people) this.list(person)
  }

  list(...people: readonly Actor[]): void {
    for (const person of people) this.#listed.set(person.id, person)
  }

  async actor(userId: string, { fresh = false }: { readonly fresh?: boolean } = {}): Promise<Actor> {
    if (this.unreachable) throw new UserError('not_permitted', 'Slack could not tell who you are.')
    if (fresh) this.askedAfresh.push(userId)
    const nobody = {
      id: userId,
      team: 'T1',
      role: 'none',
      roleSource: 'not listed',
      groups: [],
      timeZone: 'UTC',
    } as const
    return this.#listed.get(userId) ?? nobody
  }

  async candidates(quorum: Quorum): Promise<readonly string[]> {
    return [...this.#listed.values()].filter((person) => countsFor(quorum, person)).map(({ id }) => id)
  }

  groupsWith(role: Role): readonly string[] {
    return this.groups.get(role) ?? []
  }

  async named(name: string): Promise<readonly NamedPerson[]> {
    return this.names.get(name) ?? []
  }

  admins(): readonly string[] {
    return [...this.#listed.values()].filter(({ role }) => role === 'admin').map(({ id }) => id)
  }
}
