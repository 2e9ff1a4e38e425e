import type { Invocation } from '../../operations/declaration/operation.ts'
import { type Actor, atLeast, type Decision, type Quorum } from '../../operations/declaration/role.ts'
import { UserError } from '../../shared/errors.ts'
import type { Change } from '../../store/schema/change.ts'
import type { Parts, WithInputs } from '../requests/parts.ts'
import { hashChange } from '../policy/change-hash.ts'
import { decideInvocation, wordMissingRole } from '../policy/policy.ts'
import { countsFor, lapsed, missing } from '../policy/quorum.ts'

/** A change as it stands now: what it does, for whom, and what is still missing before it may be sent. */
export interface Rechecked {
  readonly invocation: Invocation
  /** Who asked for it, with the role they have now. */
  readonly requester: Actor
  readonly decision: Decision
  /** Those whose approval counts now, the first one first. */
  readonly approvers: readonly Actor[]
  readonly lapsed: readonly string[]
  /** What the approvals that count leave open. Nothing where none is needed. */
  readonly open: readonly Quorum[]
  /** Slack says of all of them now what they may. */
  readonly isSure: boolean
}

/** Why a change may not go on, as a sentence. */
export interface Stopped {
  readonly stopped: string
}

/**
 * Looks at a change anew, as it has to be before each step: the values as they read now, the policy as it is now, the
 * roles of all who are concerned as Slack gives them now, or without `fresh` gave them within the last minute. Throws
 * UserError when Slack cannot be asked, or is silent about user groups that it hangs on.
 */
export async function recheck(
  options: WithInputs,
  change: Change,
  how: { readonly fresh: boolean } = { fresh: true },
): Promise<Rechecked | Stopped> {
  const { people, policy, digest, inputs } = options
  const requester = await people.actor(change.requestedBy, how)
  const invocation = await inputs.readChange(change, requester.timeZone)
  if (invocation === undefined) return { stopped: CHANGED }
  const decision = decideInvocation(policy(), requester, invocation, change.channelId)
  const asReviewed =
    hashChange(invocation, { policyVersion: policy().version, prompt: decision.kind, digest }) === change.hash
  if (!asReviewed) assertSure(requester)
  if (decision.kind === 'deny')
    return { stopped: `Whoever asked may not do this any more: ${whyDenied(decision, invocation, requester)}` }
  if (!asReviewed) return { stopped: CHANGED }
  const { quorums = [] } = decision
  const approved = decision.kind === 'confirm' ? [] : await findApprovers(change, options, how)
  const approvers = approved.filter((person) => quorums.some((quorum) => countsFor(quorum, person)))
  const goesAlone = change.breakGlass !== undefined && decision.breakGlass === true
  const open = goesAlone ? [] : missing(quorums, approvers)
  // It had all it takes: that Slack is silent now does not undo that.
  if (open.length > 0 && change.state === 'approved') assertSure(requester, ...approved)
  const isSure = [requester, ...approved].every(({ unsure }) => unsure === undefined)
  return { invocation, requester, decision, approvers, lapsed: lapsed(quorums, approved), open, isSure }
}

export const CHANGED = 'What this would do, or the rules for it, have changed since it was reviewed.'

/** Others read it, too: a rule that speaks to whoever asked would speak of their roles. */
function whyDenied({ reason }: Decision, { operation, minimumRole }: Invocation, requester: Actor): string {
  if (atLeast(requester.role, minimumRole)) return reason
  return wordMissingRole({ operation: operation.name, minimumRole, actor: requester }, 'they')
}

/** Throws UserError when Slack does not say now what these people may: then nothing is given up because of them. */
function assertSure(...people: readonly Actor[]): void {
  const unsure = people.find((person) => person.unsure !== undefined)?.unsure
  if (unsure === undefined) return
  throw new UserError('not_permitted', `${unsure}. Nothing was done.`, 'Ask again in a moment.')
}

/** An approval of something else, or of whoever asked, counts for nothing. */
async function findApprovers(
  change: Change,
  { store, people }: WithInputs,
  how: { readonly fresh: boolean },
): Promise<readonly Actor[]> {
  const approvals = await store.approvals.of(change.id)
  const valid = approvals.filter(({ hash, person }) => hash === change.hash && person !== change.requestedBy)
  return Promise.all(valid.map(({ person }) => people.actor(person, how)))
}

/** How far back an identical request is warned about. */
const ALIKE_MS = 24 * 3_600_000

/** What others, or the same person, asked for that is the same, and was done lately or has not ended; the newest first. */
export async function findAlike({ store, clock }: Parts, { id, requestHash }: Change): Promise<readonly Change[]> {
  if (requestHash === undefined) return []
  const alike = await store.changes.alike(requestHash, new Date(clock.now().getTime() - ALIKE_MS))
  return alike.filter((other) => other.id !== id)
}
