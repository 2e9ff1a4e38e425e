import { createHash } from 'node:crypto'
import type { CheckContext, Invocation, Operation } from '../operations/operation.ts'
import type { Actor } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Change } from '../store/change.ts'
import { auditEntry } from './audit-words.ts'
import { cancelChange } from './change-ending.ts'
import type { Executor } from './executor.ts'
import { POLICY_VERSION } from './policy.ts'

/**
 * A form or review left alone this long is not acted on any more: what it shows may be out of date. Counted from the
 * last page that was entered, so that filling in a long form never runs against the time to confirm it.
 */
export const PROMPT_MINUTES = 10

/** A change that its owner has confirmed, ready to be sent once. */
export interface Confirmed {
  readonly change: Change
  readonly invocation: Invocation
  readonly actor: Actor
}

/** Takes a write from its form to its confirmation: what goes on from here was reviewed and stands on record. */
export class ChangeDesk {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  /**
   * Begins a change with what has been given so far, bound to its review when that is what will be shown first.
   * Throws UserError `busy` when the person has too many open.
   */
  async begin(
    operation: Operation,
    values: RawValues,
    actor: Actor,
    channelId: string | undefined,
    reviewed?: Invocation,
  ): Promise<Change> {
    const { store } = this.#executor.options
    const expiresAt = this.#promptEnd()
    const created = await store.changes.create({
      operation: operation.name,
      values,
      requestedBy: actor.id,
      team: actor.team,
      channelId,
      expiresAt,
      ...boundTo(reviewed),
    })
    if (created.kind === 'created') return created.change
    throw new UserError(
      'busy',
      `You have ${created.open} changes open. Nothing was done.`,
      'See changes list, and let some of them end first.',
    )
  }

  /** The actor's own draft. Throws UserError `expired` when it is gone, too old, answered, or somebody else's. */
  async draft(id: string, actor: Actor): Promise<Change> {
    const change = await this.#executor.options.store.changes.get(id)
    if (change === undefined || change.requestedBy !== actor.id) throw gone('This form is not known any more.')
    if (change.state !== 'draft') throw gone(`This has been answered already: it is ${change.state.replace('_', ' ')}.`)
    if (change.expiresAt <= this.#executor.options.clock.now())
      throw gone(`This form waited for more than ${PROMPT_MINUTES} minutes.`)
    return change
  }

  /**
   * Keeps what has been entered, and gives the person the full time anew. With an invocation, the draft is bound to what
   * its review is about to show.
   */
  async save(change: Change, values: RawValues, reviewed?: Invocation): Promise<Change> {
    const shown = { ...boundTo(reviewed), expiresAt: this.#promptEnd() }
    const saved = await this.#executor.options.store.changes.saveDraft(change.id, values, shown)
    if (saved === undefined) throw gone('This has been answered already.')
    return saved
  }

  /**
   * The owner confirms what they reviewed. Checks again all that may have changed since: role, policy, values, names.
   * Committed with its audit entry when this returns; nothing has been sent yet. Throws UserError `expired` when what
   * would be done is not what was reviewed, and `not_permitted`, on record, when they may not do it any more.
   */
  async confirm(id: string, actor: Actor, check: CheckContext): Promise<Confirmed> {
    const change = await this.draft(id, actor)
    const { store, clock, operations } = this.#executor.options
    const operation = operations.find(({ name }) => name === change.operation)
    const parsed = operation?.parse(change.values, check)
    if (parsed?.ok !== true || hashOf(parsed.invocation) !== change.hash) {
      throw gone('What this would do has changed since it was reviewed.')
    }
    const { invocation } = parsed
    const decision = this.#executor.decide(actor, invocation)
    if (decision.kind !== 'confirm') throw await this.#denied(id, invocation, actor, decision.reason)
    const now = clock.now()
    const audit = auditEntry({ actor, invocation, event: 'requested', now, changeId: id })
    const moved = await store.changes.move(id, { from: ['draft'], to: 'approved', now, audit })
    if (moved === undefined) throw gone('This has been answered already.')
    return { change: moved, invocation, actor }
  }

  /** The owner closed the form or review: the draft ends. One that was confirmed meanwhile goes on. */
  async close(id: string, userId: string): Promise<void> {
    await this.#cancelOwn(id, userId, 'draft', 'closed without being sent')
  }

  /** Ends a change that was confirmed, as long as nothing has been sent. */
  async takeBack(id: string, userId: string, why: string): Promise<void> {
    await this.#cancelOwn(id, userId, 'approved', why)
  }

  #promptEnd(): Date {
    return new Date(this.#executor.options.clock.now().getTime() + PROMPT_MINUTES * 60_000)
  }

  async #cancelOwn(id: string, userId: string, from: 'draft' | 'approved', why: string): Promise<void> {
    const change = await this.#executor.options.store.changes.get(id)
    if (change?.requestedBy === userId) await cancelChange(this.#executor, { id, by: userId, from, why })
  }

  /** Ends a change whose owner may not confirm it any more, on record. */
  async #denied(id: string, invocation: Invocation, actor: Actor, reason: string): Promise<UserError> {
    const { store, clock, count } = this.#executor.options
    count(invocation.operation.name, 'denied')
    const now = clock.now()
    const audit = auditEntry({ actor, invocation, event: 'denied', now, changeId: id, detail: reason })
    const set = { values: invocation.maskedValues, outcome: reason }
    await store.changes.move(id, { from: ['draft'], to: 'denied', set, now, audit })
    return new UserError('not_permitted', `${reason} Nothing was done.`, 'Ask somebody who may.')
  }
}

function boundTo(reviewed: Invocation | undefined): { hash?: string; sentence?: string } {
  return reviewed === undefined ? {} : { hash: hashOf(reviewed), sentence: reviewed.sentence }
}

/** What a change is bound to: what will be done, and the policy it was reviewed under. */
function hashOf({ operation, canonical }: Invocation): string {
  return createHash('sha256')
    .update(JSON.stringify([operation.name, canonical, POLICY_VERSION]))
    .digest('hex')
}

function gone(happened: string): UserError {
  return new UserError('expired', `${happened} Nothing was sent.`, 'Ask again.')
}
