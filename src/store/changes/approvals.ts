import type { AuditEntry } from '../schema/audit-entry.ts'
import { StorePart } from '../audit/audit-log.ts'
import { toChange } from './change-steps.ts'
import type { Change } from '../schema/change.ts'
import type { Stored } from '../schema/columns.ts'
import { reader } from '../schema/rows.ts'
import { ApprovalRow } from '../schema/tables.ts'

/** That a person who did not ask for a change is for it, as it stood then. */
export type Approval = Stored<typeof ReadApproval>
const ReadApproval = ApprovalRow.omit({ requestedBy: true })

/** What became of an approval. The change is as it stands after it; undefined when there is none of this id. */
export type ApprovalEnd =
  | { readonly kind: 'approved'; readonly change: Change }
  /** This person has approved it before: nothing was written. */
  | { readonly kind: 'repeated'; readonly change: Change }
  /** It does not wait any more, waits no longer by the store's clock, or is not what was approved. */
  | { readonly kind: 'too_late'; readonly change: Change | undefined }

const toApproval = reader('approvals', ReadApproval)

/** So many changes are asked about at once, and so many approvals listed. */
const [MAX_CHANGES_ASKED, MAX_LISTED] = [1_000, 5_000]

/** Who is for a change: at most one approval of each person, never of the one who asked for it. */
export class Approvals extends StorePart {
  /**
   * Puts an approval down with its entry in the record, while the change waits for it. One of who asked for it is refused
   * by the table: throws `StoreError`.
   */
  async add(approval: Approval, entry: AuditEntry): Promise<ApprovalEnd> {
    const { changeId, person, hash } = approval
    return this.audit.record<ApprovalEnd>(async ({ rows, append }) => {
      const row = await rows.selectFrom('changes').selectAll().where('id', '=', changeId).executeTakeFirst()
      if (row === undefined) return { kind: 'too_late', change: undefined }
      const change = toChange(row)
      const before = await rows
        .selectFrom('approvals')
        .select('at')
        .where('changeId', '=', changeId)
        .where('person', '=', person)
        .executeTakeFirst()
      if (before !== undefined) return { kind: 'repeated', change }
      const judgedAt = await this.database.engine.nowMs(rows)
      if (change.state !== 'waiting' || change.hash !== hash || row.expiresAt <= judgedAt)
        return { kind: 'too_late', change }
      await rows
        .insertInto('approvals')
        .values({ changeId, person, hash, requestedBy: change.requestedBy, at: approval.at.getTime() })
        .execute()
      const changed = await rows
        .updateTable('changes')
        .set((eb) => ({ revision: eb('revision', '+', 1), updatedAt: approval.at.getTime() }))
        .where('id', '=', changeId)
        .returningAll()
        .executeTakeFirstOrThrow()
      await append(entry)
      return { kind: 'approved', change: toChange(changed) }
    })
  }

  /** Who has approved a change, the first one first. Whether they still may is for the policy to say. */
  async of(changeId: string): Promise<readonly Approval[]> {
    return this.among([changeId])
  }

  /** Who has approved which of these changes, at most 1,000, the first ones first. */
  async among(changeIds: readonly string[]): Promise<readonly Approval[]> {
    if (changeIds.length === 0) return []
    return this.database.list((db) => {
      const all = db.selectFrom('approvals').selectAll().where('changeId', 'in', changeIds.slice(0, MAX_CHANGES_ASKED))
      return all.orderBy('at').orderBy('person').limit(MAX_LISTED)
    }, toApproval)
  }
}
