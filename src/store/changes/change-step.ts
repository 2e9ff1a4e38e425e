import type { ExpressionBuilder, UpdateObject } from 'kysely'
import * as z from 'zod'
import type { AuditEntry } from '../schema/audit-entry.ts'
import {
  type Change,
  ChangeRow,
  type ChangeState,
  type ChangeUpdate,
  isFinal,
  type NewChange,
  TRANSITIONS,
} from '../schema/change.ts'
import type { NewNotice } from '../outbox/outbox.ts'
import { reader, toRow } from '../schema/rows.ts'
import type { ChangesTable, Tables } from '../schema/tables.ts'

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

export const toChange: (row: object) => Change = reader('changes', ChangeRow)

/** The row of a change that begins. Throws RangeError when its values are larger than 64 KB. */
export function toNewRow(change: NewChange, id: string, now: Date): ChangesTable {
  const begun = { state: 'draft', createdAt: now, updatedAt: now, revision: 0, shownRevision: 0 } as const
  return { ...toRow(ChangeRow, { ...change, ...begun, id }), announcingUntil: null }
}

/** The columns an update names, and no others. Throws RangeError when its values are larger than 64 KB. */
export function toColumns(update: ChangeUpdate): UpdateObject<Tables, 'changes'> {
  const columns = Object.entries(z.encode(ChangeRow.partial(), update))
  const named = new Set(Object.entries(update).flatMap(([name, value]) => (value === undefined ? [] : [name])))
  return Object.fromEntries(columns.filter(([name]) => named.has(name)))
}

/** The columns that follow from the state gone to. `judgedAtMs` is by the store's clock: leases are measured with it. */
export function stateColumns(
  eb: ExpressionBuilder<Tables, 'changes'>,
  { to, lease, now }: Pick<ChangeMove, 'to' | 'lease' | 'now'>,
  judgedAtMs: number,
): UpdateObject<Tables, 'changes'> {
  return {
    state: to,
    updatedAt: now.getTime(),
    leaseHolder: lease?.holder ?? null,
    leaseUntil: lease === undefined ? null : judgedAtMs + lease.durationMs,
    ...(to === 'sending' && { sentAt: now.getTime() }),
    ...(isFinal(to) && { endedAt: now.getTime() }),
    revision: eb('revision', '+', 1),
    // An approval does not ask anew for what waits.
    ...((to === 'waiting' || to === 'approved') && {
      requestedAt: eb.fn.coalesce('requestedAt', eb.val(now.getTime())),
    }),
  }
}
