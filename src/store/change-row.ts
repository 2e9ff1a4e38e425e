import type { ExpressionBuilder, UpdateObject } from 'kysely'
import * as z from 'zod'
import {
  CHANGE_STATES,
  type Change,
  type ChangeMove,
  type ChangeState,
  type ChangeUpdate,
  type NewChange,
  isFinal,
} from './change.ts'
import { jsonColumn, Instant, Json, StoredValues, optional, readRow, storable } from './rows.ts'
import type { ChangesTable, Tables } from './tables.ts'

/** The values of a change as JSON in bytes; forms are far smaller, and a bound keeps one request from filling the store. */
export const MAX_CHANGE_VALUES_BYTES = 64 * 1_024

/** Throws `StoreError` when the row is not what this program writes. */
export function toChange(row: ChangesTable): Change {
  return readRow('changes', StoredChange, row)
}

/** The row of a change that begins. Throws RangeError when its values are larger than 64 KB. */
export function toNewRow(change: NewChange, id: string, now: Date): ChangesTable {
  return {
    id,
    state: 'draft',
    operation: change.operation,
    values: valuesColumn(change.values),
    sentence: textColumn(change.sentence),
    hash: change.hash ?? null,
    requestedBy: change.requestedBy,
    team: change.team,
    channelId: change.channelId ?? null,
    createdAt: now.getTime(),
    updatedAt: now.getTime(),
    expiresAt: change.expiresAt.getTime(),
    leaseHolder: null,
    leaseUntil: null,
    sentAt: null,
    endedAt: null,
    outcome: null,
    detail: null,
    messageChannel: null,
    messageTs: null,
    announcingUntil: null,
    requestHash: change.requestHash ?? null,
    requestedAt: null,
    revision: 0,
    shownRevision: 0,
    breakGlass: null,
    endedBy: null,
    answer: null,
  }
}

/** The columns an update names, and no others. Throws RangeError when its values are larger than 64 KB. */
export function toColumns(update: ChangeUpdate): Partial<ChangesTable> {
  return {
    ...(update.values !== undefined && { values: valuesColumn(update.values) }),
    ...(update.sentence !== undefined && { sentence: storable(update.sentence) }),
    ...(update.hash !== undefined && { hash: update.hash }),
    ...(update.channelId !== undefined && { channelId: update.channelId }),
    ...(update.expiresAt !== undefined && { expiresAt: update.expiresAt.getTime() }),
    ...(update.outcome !== undefined && { outcome: storable(update.outcome) }),
    ...(update.detail !== undefined && { detail: storable(update.detail) }),
    ...(update.requestHash !== undefined && { requestHash: update.requestHash }),
    ...(update.breakGlass !== undefined && { breakGlass: storable(update.breakGlass) }),
    ...(update.endedBy !== undefined && { endedBy: update.endedBy }),
    ...(update.answer !== undefined && { answer: messageColumn(update.answer) }),
  }
}

/** The columns that follow from the state gone to. `judgedAtMs` is by the store's clock: leases are measured with it. */
export function stateColumns(
  { to, lease, now }: Pick<ChangeMove, 'to' | 'lease' | 'now'>,
  judgedAtMs: number,
): Partial<ChangesTable> {
  return {
    state: to,
    updatedAt: now.getTime(),
    leaseHolder: lease?.holder ?? null,
    leaseUntil: lease === undefined ? null : judgedAtMs + lease.durationMs,
    ...(to === 'sending' && { sentAt: now.getTime() }),
    ...(isFinal(to) && { endedAt: now.getTime() }),
  }
}

/** The columns that follow from what they were. `atMs` is when it was asked for, if it was not before. */
export function raisedColumns(
  eb: ExpressionBuilder<Tables, 'changes'>,
  to: ChangeState,
  atMs: number,
): UpdateObject<Tables, 'changes'> {
  return {
    revision: eb('revision', '+', 1),
    // An approval does not ask anew for what waits.
    ...((to === 'waiting' || to === 'approved') && { requestedAt: eb.fn.coalesce('requestedAt', eb.val(atMs)) }),
  }
}

const valuesColumn = (values: Change['values']): string =>
  jsonColumn('What a change is asked with', values, MAX_CHANGE_VALUES_BYTES)

function textColumn(text: string | undefined): string | null {
  return text === undefined ? null : storable(text)
}

const MAX_ANSWER_BYTES = 64 * 1_024

/** A larger message is left out: what happened matters more than its details, and stands in `outcome`. */
function messageColumn(answer: unknown): string | null {
  const json = JSON.stringify(answer)
  return Buffer.byteLength(json) > MAX_ANSWER_BYTES ? null : json
}

const Text = optional(z.string())

const StoredChange = z.object({
  id: z.string(),
  state: z.enum(CHANGE_STATES),
  operation: z.string(),
  values: StoredValues,
  sentence: Text,
  hash: Text,
  requestedBy: z.string(),
  team: z.string(),
  channelId: Text,
  createdAt: Instant,
  updatedAt: Instant,
  expiresAt: Instant,
  leaseHolder: Text,
  leaseUntil: optional(Instant),
  sentAt: optional(Instant),
  endedAt: optional(Instant),
  outcome: Text,
  detail: Text,
  answer: optional(Json),
  messageChannel: Text,
  messageTs: Text,
  requestHash: Text,
  requestedAt: optional(Instant),
  revision: z.int(),
  shownRevision: z.int(),
  breakGlass: Text,
  endedBy: Text,
})
