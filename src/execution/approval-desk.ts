import type { MessagePlace } from '../alerts/notifier.ts'
import type { ChangeActionEnd, ChangeActions } from '../operations/change-actions.ts'
import type { Invocation } from '../operations/operation.ts'
import { type Actor, atLeast, type Decision } from '../operations/role.ts'
import { UserError } from '../shared/errors.ts'
import type { Approval } from '../store/approvals.ts'
import { PROGRAM } from '../store/audit-entry.ts'
import type { Change } from '../store/change.ts'
import { changeEntry } from './audit-words.ts'
import type { ChangeAnnouncer } from './change-announcer.ts'
import { endUnsent, noticeOf } from './change-ending.ts'
import type { Executor } from './executor.ts'
import { lacksRole } from './policy.ts'
import { countsFor } from './quorum.ts'
import { recheck, type Rechecked } from './recheck.ts'

/** What other people, and whoever asked, do to a change after it was asked for. Every refusal is on record. */
export class ApprovalDesk {
  readonly #executor: Executor
  readonly #announcer: Pick<ChangeAnnouncer, 'announce'>

  constructor(executor: Executor, announcer: Pick<ChangeAnnouncer, 'announce'>) {
    this.#executor = executor
    this.#announcer = announcer
  }

  /**
   * The change a click on its message is about. Throws UserError `expired`, on record, when the message is not the one
   * that stands for it: a button elsewhere with the same id may be anybody's.
   */
  async clicked(id: string, actor: Actor, place: MessagePlace): Promise<Change> {
    let change = await this.#known(id)
    if (change.messageTs === undefined) {
      // People can be faster than Slack's answer to the post of the message: where it stands is known after that.
      await this.#announcer.announce(id)
      change = await this.#known(id)
    }
    if (change.messageChannel === place.channel && change.messageTs === place.ts) return change
    await this.#refuse(change, actor, 'A button in a message that is not the one about this change.')
    throw new UserError('expired', 'This button does not belong to the message about the change. Nothing was done.')
  }

  /**
   * What an approver or decliner has to see first. Undefined when it does not wait any more. Throws UserError
   * `not_permitted`, on record, for whoever asked, and for those whose word does not count.
   */
  async open(change: Change, actor: Actor): Promise<ApprovalPrompt | undefined> {
    const now = await this.#mayDecide(change, actor)
    if (now === undefined) return undefined
    const approvals = await this.#executor.options.store.approvals.of(change.id)
    const { invocation, decision, lapsed } = now
    return { change, invocation, decision, approvals, lapsed }
  }

  /** One approval, of somebody who did not ask for it. With the last one that it takes, the change may be sent. */
  async approve(id: string, actor: Actor): Promise<Clicked> {
    const change = await this.#known(id)
    const now = await this.#mayDecide(change, actor)
    if (now === undefined || change.hash === undefined) return this.#found(id)
    const { store, clock } = this.#executor.options
    const at = clock.now()
    const entry = changeEntry({ change, by: actor.id, event: 'approval', now: at, detail: `as ${actor.role}` })
    const added = await store.approvals.add({ changeId: id, person: actor.id, hash: change.hash, at }, entry)
    switch (added.kind) {
      case 'own':
        throw await this.#notOwn(change, actor)
      case 'too_late':
        return this.#found(id)
      case 'repeated':
      case 'approved': {
        const approved = await this.#goOn(added.change)
        if (approved !== undefined) return { kind: 'taken', change: approved, ready: true }
        this.#announce(id)
        const found = await this.#found(id, true)
        return added.kind === 'approved' ? { kind: 'taken', change: found.change, ready: false } : found
      }
    }
  }

  /** The approval stands whatever comes of this: what cannot be found out now, the next round finds out. */
  async #goOn(change: Change): Promise<Change | undefined> {
    try {
      return await this.meetQuorum(change)
    } catch (error) {
      this.#executor.options.log.warn({ err: error, change: change.id }, 'an approval is left to the next round')
      return undefined
    }
  }

  /** Somebody who could approve says no: it ends. */
  async decline(id: string, actor: Actor, reason: string | undefined): Promise<Clicked> {
    const change = await this.#known(id)
    if ((await this.#mayDecide(change, actor)) === undefined) return this.#found(id)
    const why = reason === undefined ? 'Declined without a reason.' : `Declined: ${reason}`
    return this.#ended(id, actor, 'denied', why)
  }

  /** Whoever asked takes it back while nothing has been sent. */
  async cancel(id: string, actor: Actor): Promise<Clicked> {
    const change = await this.#known(id)
    if (change.requestedBy !== actor.id) {
      await this.#refuse(change, actor, 'Only who asked for a change may cancel it.')
      throw new UserError('not_permitted', 'Only who asked for a change may cancel it. Nothing was done.')
    }
    return this.#ended(id, actor, 'cancelled', 'Cancelled by who asked for it.', ['waiting', 'approved'])
  }

  /** A person has looked whether something without an answer happened. */
  async settle(id: string, actor: Actor, happened: boolean): Promise<Clicked> {
    const change = await this.#known(id)
    if (!atLeast(actor.role, 'operator') || actor.writesBarred !== undefined) {
      const why =
        actor.writesBarred ?? lacksRole({ operation: 'Settling a change', minimumRole: 'operator', actor }, 'yours')
      await this.#refuse(change, actor, why)
      throw new UserError('not_permitted', `${why} Nothing was done.`, 'Ask an operator.')
    }
    const { store, clock } = this.#executor.options
    const now = clock.now()
    const to = happened ? 'done' : 'not_done'
    const outcome = happened ? 'A person looked: it is there.' : 'A person looked: it is not there.'
    const audit = changeEntry({ change, by: actor.id, event: to, now, detail: outcome })
    const set = { outcome, endedBy: actor.id }
    const notices = actor.id === change.requestedBy ? [] : [noticeOf(this.#executor, change, to, set)]
    const settled = await store.changes.move(id, { from: ['unknown'], to, set, now, audit, notices })
    if (settled === undefined) return this.#found(id)
    this.#announce(id)
    return { kind: 'taken', change: settled, ready: false }
  }

  /**
   * Takes a waiting change on when everybody whose word it takes has given it and may still give it. Undefined when
   * something is missing; a change that may not go on any more ends here. Throws StoreError. Without `fresh` roles may be
   * a minute old: they are looked at again before anything is sent.
   */
  async meetQuorum(change: Change, how: { readonly fresh: boolean } = { fresh: true }): Promise<Change | undefined> {
    const { store, clock } = this.#executor.options
    const now = await recheck(this.#executor, change, how)
    if ('stopped' in now) {
      await this.#stop(change, now.stopped)
      return undefined
    }
    if (now.open.length > 0) return undefined
    const detail = `Approved by ${now.approvers.map(({ id }) => id).join(', ')}`
    const audit = changeEntry({ change, by: PROGRAM, event: 'approved', now: clock.now(), detail })
    return store.changes.move(change.id, { from: ['waiting'], to: 'approved', now: clock.now(), audit })
  }

  async #stop(change: Change, why: string): Promise<void> {
    await endUnsent(this.#executor, { id: change.id, by: PROGRAM, from: ['waiting'], to: 'cancelled', why })
    this.#announce(change.id)
  }

  /** The same for commands: what a click would do, by the id alone. */
  actions(actor: Actor): ChangeActions {
    return {
      cancel: async (id) => endOf(await this.cancel(id, actor)),
      settle: async (id, happened) => endOf(await this.settle(id, actor, happened)),
    }
  }

  /** The change as it waits, for somebody whose word counts. Undefined when it does not wait any more. */
  async #mayDecide(change: Change, actor: Actor): Promise<Rechecked | undefined> {
    if (actor.role === 'none' && actor.groups.length === 0) {
      const why = 'Changes are decided by people with a role.'
      await this.#refuse(change, actor, why)
      throw new UserError('not_permitted', `${why} Nothing was done.`, `You are ${actor.id}: ${actor.roleSource}.`)
    }
    if (change.state !== 'waiting') return undefined
    if (change.requestedBy === actor.id) throw await this.#notOwn(change, actor)
    const now = await recheck(this.#executor, change)
    if ('stopped' in now) {
      await this.#stop(change, now.stopped)
      return undefined
    }
    const { quorums = [] } = now.decision
    if (actor.writesBarred === undefined && quorums.some((quorum) => countsFor(quorum, actor))) return now
    const why = actor.writesBarred ?? `With the role ${actor.role} alone one cannot decide this.`
    await this.#refuse(change, actor, why)
    throw new UserError('not_permitted', `${why} Nothing was done.`, 'The message says whose approval it takes.')
  }

  async #ended(
    id: string,
    actor: Actor,
    to: 'denied' | 'cancelled',
    why: string,
    from: readonly ('waiting' | 'approved')[] = ['waiting'],
  ): Promise<Clicked> {
    const ended = await endUnsent(this.#executor, { id, by: actor.id, from, to, why })
    if (ended === undefined) return this.#found(id)
    this.#announce(id)
    return { kind: 'taken', change: ended, ready: false }
  }

  async #found(id: string, repeated = false): Promise<Clicked> {
    return { kind: 'found', change: await this.#known(id), repeated }
  }

  /** In a turn of its own: whoever clicked does not wait for Slack. */
  #announce(id: string): void {
    void this.#announcer.announce(id)
  }

  async #known(id: string): Promise<Change> {
    const change = await this.#executor.options.store.changes.get(id)
    if (change !== undefined && change.state !== 'draft') return change
    const list = `See ${this.#executor.options.command} changes list.`
    throw new UserError('expired', 'This change is not known any more. Nothing was done.', list)
  }

  async #notOwn(change: Change, actor: Actor): Promise<UserError> {
    await this.#refuse(change, actor, 'Nobody approves or declines what they asked for themselves.')
    return new UserError(
      'not_permitted',
      'You asked for this yourself, so somebody else has to decide. Nothing was done.',
      'You can cancel it.',
    )
  }

  async #refuse(change: Change, actor: Actor, detail: string): Promise<void> {
    const { store, clock, count, log } = this.#executor.options
    count(change.operation, 'denied')
    const entry = changeEntry({ change, by: actor.id, event: 'denied', now: clock.now(), detail })
    await store.audit.append(entry).catch((error: unknown) => {
      log.error({ err: error, operation: change.operation }, 'a refusal could not be recorded')
    })
  }
}

export interface ApprovalPrompt {
  readonly change: Change
  readonly invocation: Invocation
  readonly decision: Decision
  readonly approvals: readonly Approval[]
  readonly lapsed: readonly string[]
}

/** What became of a click. Each later click finds the state that is there. */
export type Clicked =
  /** It did what it says; the change is as it stands now. `ready` when it may be sent, which is the caller's to do. */
  | { readonly kind: 'taken'; readonly change: Change; readonly ready: boolean }
  /** Nothing was done by this click: the change is as it was found. */
  | { readonly kind: 'found'; readonly change: Change; readonly repeated: boolean }

function endOf(clicked: Clicked): ChangeActionEnd {
  const { change } = clicked
  if (clicked.kind === 'taken') return { kind: 'done', change }
  return { kind: 'not_now', change, why: `It is ${change.state.replace('_', ' ')} now.` }
}
