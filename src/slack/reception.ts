import type { MessagePlace } from '../alerts/notifier.ts'
import type { ModalView } from '../block-kit/blocks.ts'
import type { Message } from '../block-kit/message.ts'
import type { ApprovalDesk } from '../execution/approval-desk.ts'
import type { ChangeAnnouncer } from '../execution/change-announcer.ts'
import type { ChangeDesk } from '../execution/change-desk.ts'
import type { ChangeSender } from '../execution/change-sender.ts'
import type { Executor } from '../execution/executor.ts'
import { failure } from '../execution/explain.ts'
import type { NamedZone } from '../operations/field.ts'
import { findOperation } from '../operations/find-operation.ts'
import type { Invocation, Issue, Operation } from '../operations/operation.ts'
import type { Actor, Decision } from '../operations/role.ts'
import { type Clock, waitAtMost } from '../shared/clock.ts'
import { MINUTE_MS } from '../shared/durations.ts'
import { UserError } from '../shared/errors.ts'
import type { RawValues } from '../shared/raw-values.ts'
import { TtlMap } from '../shared/ttl-map.ts'
import type { Change } from '../store/change.ts'
import type { Once } from '../store/deliveries.ts'
import type { Directory } from './directory.ts'
import { type FormPlace, readPlace } from './form/form-place.ts'
import { formView } from './form/form-view.ts'
import { resultView, workingView } from './form/notice-views.ts'
import { reviewView } from './form/review-view.ts'
import type { Outbound } from './outbound.ts'
import type { ViewPayload } from './payloads.ts'
import { refuseDelivery, UnfitDelivery } from './refused-delivery.ts'
import { type ConversationPlace, SlackConversation } from './slack-conversation.ts'
import { ThreadConversation } from './thread-conversation.ts'
import { SlackError, TOKEN_REFUSED, tokenRefused } from './web-api.ts'

/** A trigger opens one view within 3 s; what takes longer is preceded by a view that says so. */
const OPEN_DIRECTLY_MS = 1_200
/** Slack's last repetition of an event comes after five minutes. */
const SEEN = { lifeMs: 10 * MINUTE_MS, most: 2_000 }
/** A minute less than Slack takes them. */
const RESPONSE_URLS = { lifeMs: 29 * MINUTE_MS, most: 2_000 }

export interface ReceptionOptions {
  readonly executor: Executor
  readonly desk: ChangeDesk
  readonly approvals: ApprovalDesk
  readonly sender: ChangeSender
  readonly announcer: ChangeAnnouncer
  readonly directory: Directory
  readonly outbound: Outbound
  readonly opsChannel: string | undefined
}

export interface Visitor {
  readonly userId: string
  /** The workspace that the delivery gives for them; undefined when it gives none, or there was no delivery. */
  readonly team?: string | undefined
  readonly channelId: string | undefined
  /** The thread in which they wrote; undefined in the channel itself. */
  readonly threadTs?: string | undefined
  readonly responseUrl: string | undefined
  readonly triggerId: string | undefined
  /** When the delivery came, by the monotonic clock: a trigger ages from then on. Now, if not given. */
  readonly arrivedMs?: number | undefined
}

/** What all listeners share: finding out who asks, talking back, and opening forms and reviews. */
export class Reception {
  readonly options: ReceptionOptions
  /**
   * By the id of the change whose form they belong to. In memory only, since each lets its holder speak as the app for half
   * an hour; after a restart answers go by other ways.
   */
  readonly responseUrls: TtlMap<string>
  readonly #seen: TtlMap<true>

  constructor(options: ReceptionOptions) {
    this.options = options
    const { clock } = options.executor.options
    this.responseUrls = new TtlMap(clock, RESPONSE_URLS)
    this.#seen = new TtlMap(clock, SEEN)
  }

  /** Who somebody is; `fresh` where they are about to do what cannot be taken back. */
  actor({ userId, team }: Pick<Visitor, 'userId' | 'team'>, { fresh = false } = {}): Promise<Actor> {
    return this.options.directory.actor(userId, { fresh, team })
  }

  /**
   * Whether a delivery that changes nothing comes for the first time, so that one that Slack repeats is not answered twice.
   * One without an id always does. In memory only: after a restart a read is answered once more rather than never.
   */
  isNew(id: string | undefined): boolean {
    return id === undefined || this.#seen.add(id, true)
  }

  conversation(visitor: Omit<Visitor, 'triggerId'>, replacing = false): SlackConversation {
    const { userId, channelId, threadTs, responseUrl } = visitor
    const { outbound, opsChannel, executor } = this.options
    const place: ConversationPlace = { userId, channelId, threadTs, responseUrl, replacing, opsChannel }
    return new SlackConversation(place, { outbound, clock: executor.options.clock, log: executor.options.log })
  }

  /** A conversation under a message; what is for the caller alone is shown there only where everything is `visible`. */
  inThread(visitor: Omit<Visitor, 'triggerId'>, thread: MessagePlace, visible: boolean): ThreadConversation {
    const { outbound, executor } = this.options
    const { clock, log } = executor.options
    return new ThreadConversation({ thread, visible }, { outbound, clock, log, aside: this.conversation(visitor) })
  }

  /** Does `work` for a visitor; whatever goes wrong becomes a message to them. A stop waits until they have it. */
  async serve(visitor: Visitor, what: string, work: () => Promise<void>): Promise<void> {
    const { executor } = this.options
    await executor.options.inFlight.owed(async () => {
      try {
        await work()
      } catch (error) {
        await this.conversation(visitor).reply(await this.told(error, visitor, what), 'caller')
      }
    })
  }

  /** What somebody is told of an error; a delivery that does not fit is put on record. */
  async told(error: unknown, by: Pick<Visitor, 'userId' | 'team'>, what: string): Promise<Message> {
    const { executor } = this.options
    return error instanceof UnfitDelivery ? refuseDelivery(error, by, executor) : executor.explain(error, what)
  }

  /**
   * What a checked invocation leads to: an answer, or for a write to the platform its review. `once` is for a delivery
   * whose effect the store remembers.
   */
  async proceed(invocation: Invocation, actor: Actor, visitor: Visitor, once?: Once): Promise<void> {
    const { executor, desk } = this.options
    const { channelId } = visitor
    const conversation = this.conversation(visitor)
    const decision = executor.decide(actor, invocation, channelId)
    if (decision.kind === 'run') return executor.answer(invocation, actor, conversation, { channelId, once })
    if (decision.kind === 'deny') return this.refuse(invocation, decision, actor, visitor)
    await this.open(visitor, async () => {
      const { operation, values } = invocation
      const change = await desk.begin(operation, values, actor, channelId)
      this.remember(change.id, visitor)
      return reviewView(await desk.review(change, values, actor), executor.options.command)
    })
  }

  /** Says that somebody may not do this, and puts it on record. */
  async refuse(asked: Asked, decision: Decision, actor: Actor, visitor: Visitor): Promise<void> {
    await this.conversation(visitor).reply(await this.options.executor.refuse(asked, decision, actor), 'caller')
  }

  /** The same for whoever may not even begin an operation; whether that is so. */
  async refuseBare(operation: Operation, actor: Actor, visitor: Visitor): Promise<boolean> {
    const decision = this.options.executor.decideBare(actor, operation, visitor.channelId)
    if (decision.kind !== 'deny') return false
    await this.refuse({ operation, sentence: `${operation.name}, not filled in` }, decision, actor, visitor)
    return true
  }

  /** Opens the form of an operation, filled in with what was given, saying what is wrong with it. */
  async openForm(
    operation: Operation,
    values: RawValues,
    issues: readonly Issue[],
    actor: Actor,
    visitor: Visitor,
  ): Promise<void> {
    await this.open(visitor, async () => {
      const known = Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(operation.fields, name)))
      const [change, zones] = await Promise.all([
        this.options.desk.begin(operation, known, actor, visitor.channelId),
        this.options.executor.zones(),
      ])
      this.remember(change.id, visitor)
      return this.formOf(operation, 0, known, issues, change.id, zones)
    })
  }

  formOf(
    operation: Operation,
    step: number,
    values: RawValues,
    issues: readonly Issue[],
    changeId: string,
    zones: readonly NamedZone[],
  ): ModalView {
    return formView({
      operation,
      step,
      values,
      issues,
      changeId,
      zones,
      command: this.options.executor.options.command,
    })
  }

  remember(changeId: string, { responseUrl }: Visitor): void {
    if (responseUrl !== undefined) this.responseUrls.set(changeId, responseUrl)
  }

  /**
   * Opens a view on the visitor's trigger, behind a view that says to wait when it takes longer to make. Throws
   * UserError when Slack does not open it, or may not have; what goes wrong behind the waiting view is said there.
   */
  async open(visitor: Visitor, make: () => Promise<ModalView>): Promise<void> {
    const { outbound, executor } = this.options
    const { triggerId } = visitor
    if (triggerId === undefined) {
      return this.conversation(visitor).reply(
        failure('Slack gave no way to open a form here. Nothing was done.', 'Type the command again.'),
        'caller',
      )
    }
    const { clock } = executor.options
    const spentMs = visitor.arrivedMs === undefined ? 0 : clock.monotonicMs() - visitor.arrivedMs
    const making = make()
    const ready = await waitAtMost(clock, Math.max(0, OPEN_DIRECTLY_MS - spentMs), making)
    if (ready !== undefined) {
      await outbound.openView(triggerId, ready.value).catch(notOpened)
      return
    }
    const opening = outbound.openView(triggerId, workingView('One moment: the form is being prepared.'))
    const { id: viewId } = await opening.catch(notOpened)
    const view = await making.catch((error: unknown) =>
      resultView('Nothing was done', executor.explain(error, 'a form')),
    )
    await outbound.updateView({ viewId }, view).catch((error: unknown) => notOpened(error, true))
  }
}

type Asked = Pick<Invocation, 'operation' | 'sentence'>

/** After these Slack may have carried out the call all the same. */
const UNSURE: ReadonlySet<string> = new Set(['no_answer', 'http_error', 'internal_error', 'fatal_error'])

/** That Slack does not open a view is no bug: the trigger is too old, or Slack is slow. */
function notOpened(error: unknown, waitingOne = false): never {
  if (!(error instanceof SlackError)) throw error
  const { code } = error
  if (TOKEN_REFUSED.has(code)) throw tokenRefused(code)
  const [happened, next] =
    waitingOne || UNSURE.has(code)
      ? ['Slack may or may not have shown the form', 'If none is there, or it only says to wait, ask again.']
      : ['Slack did not open the form', 'Ask again.']
  throw new UserError('expired', `${happened} (${code}). Nothing was done.`, next)
}

/** Slack gives up after 3 s; a second is left for the way to Slack and back. */
export const ACK_BUDGET_MS = 2_000

/** Tells Slack that a delivery has arrived. Called again, it does nothing more. */
export type Acknowledge = () => Promise<void>

/**
 * Does `work` for a delivery and acknowledges it: when the work says so, when it is over, or when Slack's patience is.
 * What changes something is acknowledged once it is committed, so that Slack sends again what a crash took away.
 */
export async function acknowledging(
  clock: Clock,
  ack: () => Promise<void>,
  work: (acknowledge: Acknowledge) => Promise<void>,
): Promise<void> {
  let acked: Promise<void> | undefined
  const acknowledge = (): Promise<void> => (acked ??= ack())
  // Whether it worked is seen at the end, where it is awaited.
  const timer = clock.after(ACK_BUDGET_MS, () => void acknowledge().catch(() => undefined))
  try {
    await work(acknowledge)
  } finally {
    timer.cancel()
    await acknowledge()
  }
}

/** The place that a view of ours remembers. Throws UnfitDelivery for what this program has not written. */
export function placeOf({ private_metadata: metadata }: ViewPayload): FormPlace {
  const place = readPlace(metadata)
  if (place === undefined) throw new UnfitDelivery('The view does not say which change it belongs to.')
  return place
}

/** Throws UnfitDelivery when a view names a change of somebody else: it was never shown to this person. */
export async function assertOwn(changeId: string, actor: Actor, reception: Reception): Promise<void> {
  const change = await reception.options.executor.options.store.changes.get(changeId)
  if (change === undefined || change.requestedBy === actor.id) return
  throw new UnfitDelivery('The view names a change of somebody else.', { operation: change.operation, changeId })
}

/** Throws UserError for a form that is older than this program. */
export function operationOfChange(change: Change, reception: Reception): Operation {
  const operation = findOperation(reception.options.executor.options.operations, change.operation)
  if (operation === undefined)
    throw new UserError('expired', 'This form belongs to an operation that no longer exists.', 'Ask again.')
  return operation
}

export function requesterOf(change: Change, reception: Reception): Visitor {
  return {
    userId: change.requestedBy,
    team: change.team,
    channelId: change.channelId,
    responseUrl: reception.responseUrls.get(change.id),
    triggerId: undefined,
  }
}
