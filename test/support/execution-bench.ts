import type { Cdn } from '../../src/cdn/cdn.ts'
import { ChangeDesk, type Confirmed } from '../../src/execution/change-desk.ts'
import { ChangeSender } from '../../src/execution/change-sender.ts'
import type { Conversation } from '../../src/execution/conversation.ts'
import { Executor } from '../../src/execution/executor.ts'
import { InFlight } from '../../src/execution/in-flight.ts'
import type { CheckContext, Invocation, Operation } from '../../src/operations/operation.ts'
import type { Actor, Role } from '../../src/operations/role.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import type { Change } from '../../src/store/change.ts'
import type { Store } from '../../src/store/store.ts'
import { TurnedClock } from './turned-clock.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { recordingLog, type LogLine } from './recording-log.ts'
import { type Acts, ledgerOperations, plainAnswer } from './ledger-operations.ts'
import { checkContext, invocationOf } from './operation-context.ts'

/** The execution floor over a store in a file, with a turned clock and scripted operations. */
export interface Bench {
  readonly clock: TurnedClock
  readonly store: Store
  readonly executor: Executor
  readonly desk: ChangeDesk
  readonly sender: ChangeSender
  readonly inFlight: InFlight
  /** What the operations do; may be replaced at any time. */
  readonly acts: Acts
  readonly log: readonly LogLine[]
  /** `operation outcome` of everything that was counted. */
  readonly counted: readonly string[]
  operation(name: string): Operation
  /** `event: detail` of the whole record, oldest first. */
  record(): Promise<readonly string[]>
  /** A change by this actor, confirmed. */
  confirmed(values?: RawValues, by?: Actor): Promise<Confirmed>
  close(): Promise<void>
}

export const RECORD: RawValues = { zone: 'shop', value: '192.0.2.10', variables: 'TOKEN=hush' }

export function actor(role: Role, id = `U${role.toUpperCase()}`): Actor {
  return { id, team: 'T1', role, roleSource: 'listed for a test', timeZone: 'UTC' }
}

export async function createBench(): Promise<Bench> {
  const clock = new TurnedClock()
  const harness = createSqliteHarness()
  const store = await harness.open({ clock })
  const acts: Acts = {
    write: async () => 'stored',
    show: (stored) => plainAnswer(`It was ${stored}.`),
    read: async () => plainAnswer('Three lines.'),
  }
  const { log, lines } = recordingLog()
  const counted: string[] = []
  const inFlight = new InFlight(clock)
  const operations = ledgerOperations(acts)
  const executor = new Executor({
    operations,
    cdn: {} as Cdn, // The operations of the bench do not call it.
    store,
    clock,
    log,
    panel: checkContext().panel,
    command: '/cdn',
    admins: new Set(['UADMIN']),
    inFlight,
    count: (operation, outcome) => counted.push(`${operation} ${outcome}`),
  })
  const desk = new ChangeDesk(executor)
  const operation = (name: string): Operation => operations.find((one) => one.name === name)!
  return {
    clock,
    store,
    executor,
    desk,
    sender: new ChangeSender(executor, 'this process'),
    inFlight,
    acts,
    log: lines,
    counted,
    operation,
    record: async () =>
      (await store.audit.list({ limit: 100 }))
        .toReversed()
        .map(({ event, detail }) => (detail === undefined ? event : `${event}: ${detail}`)),
    confirmed: async (values = RECORD, by = actor('operator')) => {
      const { change } = await reviewed({ desk, operation }, values, by)
      return desk.confirm(change.id, by, checkContext())
    },
    close: () => harness.close(),
  }
}

/** A change whose review the actor is looking at. */
export async function reviewed(
  { desk, operation }: Pick<Bench, 'desk' | 'operation'>,
  values: RawValues = RECORD,
  by = actor('operator'),
  check: CheckContext = checkContext(),
): Promise<{ readonly change: Change; readonly invocation: Invocation }> {
  const invocation = invocationOf(operation('record add'), values, check)
  const change = await desk.begin(invocation.operation, values, by, 'C1', invocation)
  return { change, invocation }
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
