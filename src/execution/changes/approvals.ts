import type { ReviewPrompt } from './change-service.ts'
import { type MessagePlace, NOTED_WITHIN_MS } from '../../delivery/notifier.ts'
import type { ChangeActionEnd, ChangeActions } from '../../operations/declaration/operation.ts'
import { sentenceStart } from '../../operations/declaration/prompt-words.ts'
import { type Actor, atLeast } from '../../operations/declaration/role.ts'
import { severalChanges } from '../../operations/changes/change-states.ts'
import { UserError } from '../../shared/errors.ts'
import type { Approval } from '../../store/changes/approvals.ts'
import { PROGRAM } from '../../store/schema/audit-entry.ts'
import type { Change } from '../../store/schema/change.ts'
import { changeEntry } from '../messages/audit-text.ts'
import type { ChangeAnnouncer } from './change-announcer.ts'
import { createEndNotice, endUnsent } from './change-ending.ts'
import { recordRefusal } from '../requests/refusals.ts'
import { wordLostRole, wordMissingRole } from '../policy/policy.ts'
import { countsFor } from '../policy/quorum.ts'
import type { WithInputs } from '../requests/parts.ts'
import { findAlike, recheck, type Rechecked } from './recheck.ts'

/** Of each, Slack may have to be asked who wanted it; more than these nobody decides in one go. */
const MAX_LOOKED_AT = 10

type ApprovalParts = WithInputs & { readonly announcer: ChangeAnnouncer }

/** What other people, and whoever asked, do to a change after it was asked for. Every refusal is on record. */
export class ApprovalService {
  readonly #options: ApprovalParts

  constructor(options: ApprovalParts) {
    this.#options = options
  }

  /**
   * What an approver or decliner has to see first; no prompt when it does not wait any more. Throws UserError
   * `not_permitted`, on record, for whoever asked, and for those whose word does not count; and see `#clicked`.
   */
  async prompt(
    id: string,
    actor: Actor,
    place?: MessagePlace,
  ): Promise<{ readonly change: Change; readonly prompt?: ApprovalPrompt }> {
    const change = await this.#clicked(id, actor, place)
    const now = await this.#mayDecide(change, actor)
    if (now === undefined) return { change: await this.#known(id) }
    const { invocation, decision, lapsed } = now
    const approvals = await this.#options.store.approvals.of(id)
    const alike = await findAlike(this.#options, change)
    return { change, prompt: { change, invocation, decision, approvals, lapsed, alike } }
  }

  /**
   * The changes among these that wait for this person's word: others asked for them, it counts, and it was not given yet.
   * To be shown and not relied on: none where it cannot be found out, and whether they may is asked again when they decide.
   */
  async listWaitingFor(actor: Actor, changes: readonly Change[]): Promise<readonly Change[]> {
    const others = changes.filter(({ state, requestedBy }) => state === 'waiting' && requestedBy !== actor.id)
    const looked = others.slice(0, MAX_LOOKED_AT)
    const theirs = await Promise.all(looked.map((change) => this.#waitsFor(actor, change)))
    return looked.filter((_, index) => theirs[index])
  }

  async #waitsFor(actor: Actor, change: Change): Promise<boolean> {
    try {
      const now = await recheck(this.#options, change, { fresh: false })
      if ('stopped' in now || now.approvers.some(({ id }) => id === actor.id)) return false
      return now.decision.quorums?.some((quorum) => countsFor(quorum, actor)) === true
    } catch (error) {
      this.#options.log.warn({ err: error, change: change.id }, 'whether a change waits for somebody was not found out')
      return false
    }
  }

  /**
   * The change that somebody acts on; clicked on in a message, it has to be the message that stands for it: a button
   * elsewhere with the same id may be anybody's. Throws UserError `expired`, on record, when it is not.
   */
  async #clicked(id: string, actor: Actor, place: MessagePlace | undefined): Promise<Change> {
    const { announcer } = this.#options
    let change = await this.#known(id)
    if (place === undefined) return change
    if (change.messageTs === undefined) {
      await announcer.announce(id, NOTED_WITHIN_MS)
      change = await this.#known(id)
    }
    if (change.messageChannel === place.channel && change.messageTs === place.ts) return change
    await this.#refuse(change, actor, 'A button in a message that is not the one about this change.')
    throw new UserError(
      'expired',
      'This button does not belong to the message about the change. Nothing was done.',
      `See ${this.#options.command} changes list.`,
    )
  }

  /** One approval, of somebody who did not ask for it. With the last one that it takes, the change may be sent. */
  async approve(id: string, actor: Actor): Promise<Clicked> {
    const change = await this.#known(id)
    const now = await this.#mayDecide(change, actor)
    if (now === undefined || change.hash === undefined) return this.#found(id)
    const { store, clock, log } = this.#options
    const at = clock.now()
    const entry = changeEntry({ change, by: actor.id, event: 'approval', now: at, detail: `as ${actor.role}` })
    const added = await store.approvals.add({ changeId: id, person: actor.id, hash: change.hash, at }, entry)
    if (added.kind === 'too_late') return this.#found(id)
    // The approval stands whatever comes of this: what cannot be found out now, the next round finds out.
    const approved = await this.meetQuorum(added.change).catch((error: unknown) => {
      log.warn({ err: error, change: id }, 'an approval is left to the next round')
      return undefined
    })
    if (approved !== undefined) return { kind: 'taken', change: approved, ready: true }
    this.#announce(id)
    const found = await this.#found(id, true)
    return added.kind === 'approved' ? { kind: 'taken', change: found.change, ready: false } : found
  }

  /** Somebody who could approve says no: it ends. */
  async decline(id: string, actor: Actor, reason: string | undefined): Promise<Clicked> {
    const change = await this.#known(id)
    if ((await this.#mayDecide(change, actor)) === undefined) return this.#found(id)
    const why = reason === undefined ? 'Declined without a reason.' : `Declined: ${reason}`
    return this.#ended(id, actor, 'denied', why)
  }

  /** Whoever asked takes it back while nothing has been sent. */
  async cancel(id: string, actor: Actor, place?: MessagePlace): Promise<Clicked> {
    const change = await this.#clicked(id, actor, place)
    if (change.requestedBy !== actor.id) {
      await this.#refuse(change, actor, 'Only who asked for a change may cancel it.')
      const next = 'Whoever may approve it can decline it.'
      throw new UserError('not_permitted', 'Only who asked for a change may cancel it. Nothing was done.', next)
    }
    return this.#ended(id, actor, 'cancelled', 'Taken back before it was sent.', ['waiting', 'approved'])
  }

  /** A person has looked whether something without an answer happened. */
  async settle(id: string, actor: Actor, happened: boolean, place?: MessagePlace): Promise<Clicked> {
    const change = await this.#clicked(id, actor, place)
    if (!atLeast(actor.role, 'operator') || actor.writesBarred !== undefined) {
      const why =
        actor.writesBarred ?? wordMissingRole({ operation: 'changes settle', minimumRole: 'operator', actor }, 'you')
      await this.#refuse(change, actor, why)
      throw mayNot(actor, `${why} Nothing was done.`, 'changes settle')
    }
    const { store, clock } = this.#options
    const now = clock.now()
    const to = happened ? 'done' : 'not_done'
    const outcome = happened ? 'A person looked: it is there.' : 'A person looked: it is not there.'
    const audit = changeEntry({ change, by: actor.id, event: to, now, detail: outcome })
    const set = { outcome, endedBy: actor.id }
    const notices = actor.id === change.requestedBy ? [] : [createEndNotice(this.#options.command, change, to, set)]
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
    const { store, clock } = this.#options
    const now = await recheck(this.#options, change, how)
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
    await endUnsent(this.#options, { id: change.id, by: PROGRAM, from: ['waiting'], to: 'cancelled', why })
    this.#announce(change.id)
  }

  /** The same for commands: what a click would do, by the id alone or its beginning. */
  actions(actor: Actor): ChangeActions {
    return {
      cancel: async (typed) => endOf(await this.cancel(await this.#idOf(typed), actor)),
      waitingFor: (changes) => this.listWaitingFor(actor, changes),
      settle: async (typed, happened) => endOf(await this.settle(await this.#idOf(typed), actor, happened)),
    }
  }

  async #idOf(typed: string): Promise<string> {
    const [found, other] = await this.#options.store.changes.find(typed)
    if (other !== undefined) throw severalChanges(typed)
    return found?.id ?? typed
  }

  /** The change as it waits, for somebody whose word counts. Undefined when it does not wait any more. */
  async #mayDecide(change: Change, actor: Actor): Promise<Rechecked | undefined> {
    if (actor.role === 'none' && actor.groups.length === 0) {
      const why = `Changes are decided by people with a role${wordLostRole(actor)}.`
      await this.#refuse(change, actor, why)
      throw mayNot(actor, `${why} Nothing was done.`, change.operation)
    }
    if (change.state !== 'waiting') return undefined
    if (change.requestedBy === actor.id) throw await this.#notOwn(change, actor)
    const now = await recheck(this.#options, change)
    if ('stopped' in now) {
      await this.#stop(change, now.stopped)
      return undefined
    }
    const { quorums = [] } = now.decision
    if (quorums.some((quorum) => countsFor(quorum, actor))) return now
    const why = actor.writesBarred ?? `With the role ${actor.role} alone one cannot decide this${wordLostRole(actor)}.`
    await this.#refuse(change, actor, why)
    if (actor.role === 'viewer') throw mayNot(actor, `${why} Nothing was done.`, change.operation)
    throw new UserError('not_permitted', `${why} Nothing was done.`, 'The message says whose approval it takes.')
  }

  async #ended(
    id: string,
    actor: Actor,
    to: 'denied' | 'cancelled',
    why: string,
    from: readonly ('waiting' | 'approved')[] = ['waiting'],
  ): Promise<Clicked> {
    const ended = await endUnsent(this.#options, { id, by: actor.id, from, to, why })
    if (ended === undefined) return this.#found(id)
    this.#announce(id)
    return { kind: 'taken', change: ended, ready: false }
  }

  async #found(id: string, repeated = false): Promise<Clicked> {
    return { kind: 'found', change: await this.#known(id), repeated }
  }

  /** In a turn of its own: whoever clicked does not wait for Slack. */
  #announce(id: string): void {
    void this.#options.announcer.announce(id)
  }

  async #known(id: string): Promise<Change> {
    const change = await this.#options.store.changes.get(id)
    if (change !== undefined && change.state !== 'draft') return change
    const list = `See ${this.#options.command} changes list.`
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
    const now = this.#options.clock.now()
    await recordRefusal(this.#options, changeEntry({ change, by: actor.id, event: 'denied', now, detail }))
  }
}

export interface ApprovalPrompt extends ReviewPrompt {
  readonly approvals: readonly Approval[]
  readonly lapsed: readonly string[]
}

/** What became of a click. Each later click finds the state that is there. */
export type Clicked =
  /** It did what it says; the change is as it stands now. `ready` when it may be sent, which is the caller's to do. */
  | { readonly kind: 'taken'; readonly change: Change; readonly ready: boolean }
  /** Nothing was done by this click: the change is as it was found. */
  | { readonly kind: 'found'; readonly change: Change; readonly repeated: boolean }

/** A refusal for want of a role, on which an admin can be asked for it. */
function mayNot({ barred, roleSource, writesBarred }: Actor, happened: string, operation: string): UserError {
  const next = barred === true ? `${sentenceStart(roleSource)}.` : 'An admin can help.'
  const canAsk = barred !== true && writesBarred === undefined
  return new UserError('not_permitted', happened, next, canAsk ? operation : undefined)
}

function endOf(clicked: Clicked): ChangeActionEnd {
  const { change } = clicked
  if (clicked.kind === 'taken') return { kind: 'done', change }
  return { kind: 'not_now', change, why: `It is ${change.state.replace('_', ' ')} now.` }
}
