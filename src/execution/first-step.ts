import type { Invocation } from '../operations/operation.ts'
import type { Actor, Decision } from '../operations/role.ts'
import type { Change, ChangeMove } from '../store/change.ts'
import { auditEntry } from './audit-words.ts'
import { breakGlassNotices } from './change-notice.ts'
import type { Executor } from './executor.ts'

/** A review as its owner submits it. */
export interface Reviewed {
  readonly change: Change
  readonly invocation: Invocation
  readonly actor: Actor
  readonly decision: Decision
  /** Why it is to go without a second person. */
  readonly reason: string | undefined
}

/** The step that a submitted review takes from `draft`: confirmed, asked of others, or confirmed alone for a reason. */
export function firstStep(executor: Executor, reviewed: Reviewed): ChangeMove {
  if (reviewed.decision.kind === 'confirm') return confirm(executor, reviewed)
  const { reason } = reviewed
  return reason === undefined ? askOthers(executor, reviewed) : breakGlass(executor, { ...reviewed, reason })
}

function confirm({ options: { clock } }: Executor, { change, invocation, actor }: Reviewed): ChangeMove {
  const now = clock.now()
  const audit = auditEntry({ actor, invocation, event: 'requested', now, changeId: change.id })
  return { ...asReviewed(change), to: 'approved', now, audit }
}

function askOthers({ options: { clock, policy } }: Executor, { change, invocation, actor }: Reviewed): ChangeMove {
  const now = clock.now()
  const detail = 'waits for approval'
  const audit = auditEntry({ actor, invocation, event: 'requested', now, changeId: change.id, detail })
  const set = { expiresAt: new Date(now.getTime() + policy().approvalMs) }
  return { ...asReviewed(change), to: 'waiting', set, now, audit }
}

function breakGlass(
  { options: { clock, people, command } }: Executor,
  { change, invocation, actor, reason }: Reviewed & { readonly reason: string },
): ChangeMove {
  const now = clock.now()
  const audit = auditEntry({ actor, invocation, event: 'break_glass', now, changeId: change.id, detail: reason })
  const notices = breakGlassNotices({ ...change, breakGlass: reason }, people.admins(), command)
  const set = { breakGlass: audit.detail ?? reason }
  return { ...asReviewed(change), to: 'approved', set, now, audit, notices }
}

/** Where a step starts from: the draft as it was looked at, for another page of its form may have come in between. */
const asReviewed = ({ hash }: Change) => ({ from: ['draft'], boundTo: hash }) as const
