import type { RawValues } from '../shared/raw-values.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { NewNotice } from './notices.ts'

/** The life of a change, state by state: the same words in the store, the log and the answers. */
export const CHANGE_STATES = [
  /** A form being filled in. */
  'draft',
  /** Asked for, and waiting for somebody else. */
  'waiting',
  'approved',
  /** The call may be under way. The only state in which it is made. */
  'sending',
  'done',
  /** The platform said no. */
  'rejected',
  /** The call provably never left. */
  'not_sent',
  /** No answer: it may have happened. A late answer or a person settles it. */
  'unknown',
  'not_done',
  /** Somebody who was asked said no. */
  'denied',
  'cancelled',
  'expired',
] as const
export type ChangeState = (typeof CHANGE_STATES)[number]

/**
 * Where a change can go from each state. Two rules matter most: only `approved` leads to `sending`, so nothing is sent
 * twice; and no way leads out of a state that says how it ended.
 */
export const TRANSITIONS: Readonly<Record<ChangeState, readonly ChangeState[]>> = {
  // Straight to `approved` where the person who asked is the one who confirms.
  draft: ['waiting', 'approved', 'denied', 'cancelled', 'expired'],
  waiting: ['approved', 'denied', 'cancelled', 'expired'],
  approved: ['sending', 'denied', 'cancelled', 'expired'],
  sending: ['done', 'rejected', 'not_sent', 'unknown'],
  unknown: ['done', 'not_done'],
  done: [],
  rejected: [],
  not_sent: [],
  not_done: [],
  denied: [],
  cancelled: [],
  expired: [],
}

/** Whether the change has ended: nothing leads out of its state. */
export function isFinal(state: ChangeState): boolean {
  return TRANSITIONS[state].length === 0
}

/** A write to the platform that somebody asks for, from the first step of its form to how it ended. */
export interface Change {
  readonly id: string
  readonly state: ChangeState
  readonly operation: string
  /** What was asked. Secret values in it are replaced when the change ends. */
  readonly values: RawValues
  /** What will be done, as it was shown to whoever confirmed it. */
  readonly sentence?: string | undefined
  /** Over operation, values and policy: what is approved is what runs. */
  readonly hash?: string | undefined
  /** Over operation and values alone: two changes that ask for the same have the same. */
  readonly requestHash?: string | undefined
  readonly requestedBy: string
  readonly team: string
  readonly channelId?: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When it was asked for: confirmed, or sent for approval. Absent for a form that never was. */
  readonly requestedAt?: Date | undefined
  /** From then on it is not sent any more. */
  readonly expiresAt: Date
  /** Grows with every step and every approval; the message about the change is out of date while it shows a smaller one. */
  readonly revision: number
  readonly shownRevision: number
  /** Why it went without a second person, in the words of who did it. */
  readonly breakGlass?: string | undefined
  /** Who declined, cancelled or settled it: a user id, or the program's own word. */
  readonly endedBy?: string | undefined
  /** Who is sending it, and until when that may be believed. Only in `sending`. */
  readonly leaseHolder?: string | undefined
  readonly leaseUntil?: Date | undefined
  readonly sentAt?: Date | undefined
  /** Set when the state is final. */
  readonly endedAt?: Date | undefined
  /** How it ended, as a plain sentence. */
  readonly outcome?: string | undefined
  readonly detail?: string | undefined
  /** The message that says how it ended, as JSON of at most 64 KB, kept until it has been shown. */
  readonly answer?: unknown
  readonly messageChannel?: string | undefined
  readonly messageTs?: string | undefined
}

/** A change as it begins. `id` is made when it is not given. */
export interface NewChange {
  readonly id?: string | undefined
  readonly operation: string
  readonly values: RawValues
  readonly sentence?: string | undefined
  readonly hash?: string | undefined
  readonly requestHash?: string | undefined
  readonly requestedBy: string
  readonly team: string
  readonly channelId?: string | undefined
  readonly expiresAt: Date
}

/** What a move may write beside the state; what is left out stays as it is. */
export type ChangeUpdate = Partial<
  Pick<
    Change,
    | 'values'
    | 'sentence'
    | 'hash'
    | 'requestHash'
    | 'channelId'
    | 'expiresAt'
    | 'breakGlass'
    | 'endedBy'
    | 'outcome'
    | 'detail'
    | 'answer'
  >
>

/** Who sends, and for how long that is believed without a sign of life. Longer than the call's own deadline. */
export interface Lease {
  readonly holder: string
  readonly durationMs: number
}

/** One step in the life of a change, with its entry in the record. `sending` needs a lease, nothing else has one. */
export type ChangeMove = {
  /** The states it may be in now. From any other, the move is lost. */
  readonly from: readonly ChangeState[]
  /** What it has to be bound to still: another page of its form may have come in between. Not compared when absent. */
  readonly boundTo?: string | undefined
  readonly set?: ChangeUpdate | undefined
  readonly now: Date
  readonly audit: AuditEntry
  /** By the monotonic clock: what is not ready to be committed by then is taken back. Not looked at when absent. */
  readonly notAfterMs?: number | undefined
  /** What has to be told because of it, to be delivered later; committed with the step. */
  readonly notices?: readonly NewNotice[] | undefined
} & (
  | { readonly to: 'sending'; readonly lease: Lease }
  | { readonly to: Exclude<ChangeState, 'draft' | 'sending'>; readonly lease?: undefined }
)

/** Throws RangeError when the table has no such way: that is a fault in the program, not a lost race. */
export function assertTransitions({ from, to }: Pick<ChangeMove, 'from' | 'to'>): void {
  if (from.length === 0) throw new RangeError(`A move to ${to} names no state to come from`)
  for (const state of from) {
    if (!TRANSITIONS[state].includes(to)) throw new RangeError(`A change cannot go from ${state} to ${to}`)
  }
}
