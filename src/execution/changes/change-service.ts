import type { Invocation, Operation } from '../../operations/declaration/operation.ts'
import type { Actor, Decision } from '../../operations/declaration/role.ts'
import { UserError } from '../../shared/errors.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { shortId } from '../../shared/short-id.ts'
import type { ChangeMove } from '../../store/changes/change-steps.ts'
import type { AuditEvent } from '../../store/schema/audit-entry.ts'
import type { Change } from '../../store/schema/change.ts'
import { whyOutOfReach } from '../policy/approvers.ts'
import { invocationEntry } from '../messages/audit-text.ts'
import { breakGlassNotices, endUnsent } from './change-ending.ts'
import { hashChange, hashRequest } from '../policy/change-hash.ts'
import type { WithInputs } from '../requests/parts.ts'
import { CHANGED, findAlike } from './recheck.ts'
import { decideInvocation } from '../policy/policy.ts'

/**
 * A form or review left alone this long is not acted on any more: what it shows may be out of date. Counted from the
 * last page that was entered, so that filling in a long form never runs against the time to confirm it.
 */
export const PROMPT_MINUTES = 10

/** Takes a write from its form to where it was asked for: what goes on from here was reviewed and stands on record. */
export class ChangeService {
  readonly #options: WithInputs

  constructor(options: WithInputs) {
    this.#options = options
  }

  /** Begins a change with what has been given so far. Throws UserError `busy` when the person has too many open. */
  async begin(operation: Operation, values: RawValues, actor: Actor, channelId: string | undefined): Promise<Change> {
    const { store } = this.#options
    const created = await store.changes.create({
      operation: operation.name,
      values,
      requestedBy: actor.id,
      team: actor.team,
      channelId,
      expiresAt: this.#promptEnd(),
    })
    if (created.kind === 'created') return created.change
    throw new UserError(
      'busy',
      `You have ${created.open} changes open. Nothing was done.`,
      `See ${this.#options.command} changes list --mine, and let some of them end first.`,
    )
  }

  /** The actor's own draft. Throws UserError `expired` when it is gone, too old, answered, or somebody else's. */
  async draft(id: string, actor: Actor): Promise<Change> {
    return this.#stillDraft(await this.#own(id, actor))
  }

  /** Keeps what has been entered, and gives the person the full time anew. */
  async save(change: Change, values: RawValues): Promise<Change> {
    return this.#save(change, values, {})
  }

  /**
   * Binds a draft to what its review is about to show, and says what that is. Throws UserError `invalid_input` when the
   * values do not read any more, and `not_permitted`, on record, when the person may not, or nobody could approve it.
   */
  async review(change: Change, values: RawValues, actor: Actor): Promise<ReviewPrompt> {
    const { invocation, decision, hash } = await this.#look({ ...change, values }, actor, true)
    const requestHash = hashRequest(invocation, this.#options.digest)
    const saved = await this.#save(change, values, { hash, requestHash, sentence: invocation.sentence })
    return { change: saved, invocation, decision, alike: await findAlike(this.#options, saved) }
  }

  /**
   * The owner submits what they reviewed. Checks again all that may have changed since: role, policy, values, names.
   * Committed with its audit entry when this returns; nothing has been sent yet. A reason asks to go without a second
   * person. Throws UserError `expired` when what would be done is not what was reviewed, `not_permitted`, on record, and
   * `busy` when it could not be committed by `notAfterMs` of the monotonic clock: then nothing was written.
   */
  async submit(id: string, actor: Actor, reason?: string, notAfterMs?: number): Promise<Submitted> {
    const own = await this.#own(id, actor)
    if (own.state !== 'draft') return { kind: 'answered', change: own }
    const change = await this.#stillDraft(own)
    const { invocation, decision, hash } = await this.#look(change, actor, reason !== undefined)
    if (hash !== change.hash) throw gone(CHANGED)
    if (decision.kind === 'approve' && reason !== undefined && decision.breakGlass !== true)
      throw await this.#denied({ id, invocation, actor, decision }, 'Only a named group may go without approval.')
    const step = firstStep(this.#options, { change, invocation, actor, decision, reason })
    const moved = await this.#options.store.changes.move(id, { ...step, notAfterMs })
    if (moved === undefined) {
      const found = await this.#own(id, actor)
      if (found.state === 'draft') throw gone(CHANGED)
      return { kind: 'answered', change: found }
    }
    return { kind: moved.state === 'waiting' ? 'waiting' : 'confirmed', change: moved, invocation }
  }

  /** The owner closed the form or review: the draft ends. One that was submitted meanwhile goes on. */
  async close(id: string, userId: string): Promise<void> {
    await this.#cancelOwn(id, userId, ['draft'], 'closed without being sent')
  }

  /** Ends a change that was submitted, as long as nothing has been sent. */
  async takeBack(id: string, userId: string, why: string): Promise<void> {
    await this.#cancelOwn(id, userId, ['approved', 'waiting'], why)
  }

  async #save(change: Change, values: RawValues, bound: Pick<Change, 'hash' | 'requestHash' | 'sentence'>) {
    const { store } = this.#options
    const saved = await store.changes.saveDraft(change.id, values, { ...bound, expiresAt: this.#promptEnd() })
    if (saved === undefined) throw gone('This has been answered already.', 'Nothing more was done.')
    return saved
  }

  async #stillDraft(change: Change): Promise<Change> {
    if (change.state !== 'draft') {
      throw new UserError(
        'expired',
        `This has been answered already: it is ${change.state.replace('_', ' ')}. Nothing more was done.`,
        `See ${this.#options.command} changes show ${shortId(change.id)}.`,
      )
    }
    if (await this.#options.store.changes.isOver(change))
      throw gone(`This form waited for more than ${PROMPT_MINUTES} minutes.`)
    return change
  }

  async #own(id: string, actor: Actor): Promise<Change> {
    const change = await this.#options.store.changes.get(id)
    if (change === undefined || change.requestedBy !== actor.id) throw gone('This form is not known any more.')
    return change
  }

  /**
   * What a change would do now, when the policy lets the person go on; an approval has to be within reach, unless they may
   * go without one.
   */
  async #look(change: Change, actor: Actor, mayGoAlone: boolean) {
    const { policy, digest, inputs } = this.#options
    const { id, channelId } = change
    // Finding out who could approve takes a while: what is shown follows from the rules as they are now.
    const { version: policyVersion } = policy()
    const invocation = await inputs.readChange(change, actor.timeZone)
    if (invocation === undefined) throw gone('What was given is not valid any more.')
    const decision = decideInvocation(policy(), actor, invocation, channelId)
    const { kind, reason, breakGlass } = decision
    const asked = { id, invocation, actor, decision }
    if (kind !== 'confirm' && kind !== 'approve') throw await this.#denied(asked, reason)
    if (kind === 'approve' && !(mayGoAlone && breakGlass === true)) {
      const away = await whyOutOfReach(this.#options, decision, actor)
      if (away !== undefined) throw await this.#denied(asked, away.why, away.next)
    }
    return { invocation, decision, hash: hashChange(invocation, { policyVersion, prompt: kind, digest }) }
  }

  #promptEnd(): Date {
    return new Date(this.#options.clock.now().getTime() + PROMPT_MINUTES * 60_000)
  }

  async #cancelOwn(id: string, userId: string, from: readonly ('draft' | 'approved' | 'waiting')[], why: string) {
    const change = await this.#options.store.changes.get(id)
    if (change?.requestedBy === userId) await endUnsent(this.#options, { id, by: userId, from, to: 'cancelled', why })
  }

  /** Ends a change whose owner may not submit it, on record. */
  async #denied(
    { id, invocation, actor, decision }: Pick<Reviewed, 'invocation' | 'actor' | 'decision'> & Pick<Change, 'id'>,
    reason: string,
    next = 'Ask somebody who may.',
  ): Promise<UserError> {
    const { store, clock, count } = this.#options
    count(invocation.operation.name, 'denied')
    const now = clock.now()
    const audit = invocationEntry({ actor, invocation, event: 'denied', now, changeId: id, detail: reason })
    const set = { values: invocation.maskedValues, outcome: reason }
    await store.changes.move(id, { from: ['draft'], to: 'denied', set, now, audit })
    const canAsk = decision.neededRole !== undefined && actor.barred !== true
    const access = canAsk ? invocation.operation.name : undefined
    return new UserError('not_permitted', `${reason} Nothing was done.`, next, access)
  }
}

function gone(happened: string, nothing = 'Nothing was sent.'): UserError {
  return new UserError('expired', `${happened} ${nothing}`, 'Ask again.')
}

type Reviewed = Omit<ReviewPrompt, 'alike'> & { readonly actor: Actor; readonly reason: string | undefined }

/** The step that a submitted review takes from `draft`: confirmed, asked of others, or confirmed alone for a reason. */
function firstStep(
  { clock, policy, people, command }: WithInputs,
  { change, invocation, actor, decision, reason }: Reviewed,
): ChangeMove {
  const now = clock.now()
  // Where it starts from: the draft as it was looked at, for another page of its form may have come in between.
  const reviewed = { from: ['draft'], boundTo: change.hash, now } as const
  const entry = (event: AuditEvent, detail?: string) =>
    invocationEntry({ actor, invocation, event, now, changeId: change.id, detail })
  if (decision.kind === 'confirm') return { ...reviewed, to: 'approved', audit: entry('requested') }
  if (reason === undefined) {
    const set = { expiresAt: new Date(now.getTime() + policy().approvalMs) }
    return { ...reviewed, to: 'waiting', set, audit: entry('requested', 'waits for approval') }
  }
  const audit = entry('break_glass', reason)
  const notices = breakGlassNotices({ ...change, breakGlass: reason }, people.admins(), command)
  return { ...reviewed, to: 'approved', set: { breakGlass: audit.detail ?? reason }, audit, notices }
}

export interface ReviewPrompt {
  readonly change: Change
  readonly invocation: Invocation
  /** `confirm` or `approve`. */
  readonly decision: Decision
  /** What others, or the same person, asked for in the last 24 hours that is the same; the newest first. */
  readonly alike: readonly Change[]
}

export type Submitted =
  | { readonly kind: 'confirmed' | 'waiting'; readonly change: Change; readonly invocation: Invocation }
  /** It was submitted before: this is how it stands. */
  | { readonly kind: 'answered'; readonly change: Change }
