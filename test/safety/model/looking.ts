import * as z from 'zod'
import { CHANGE_STATES } from '../../../src/store/schema/change.ts'
import type { World } from './world.ts'

const Absent = z.null().transform(() => undefined)
const Text = z.union([z.string(), Absent])

const Approvals = z.array(z.object({ person: z.string(), hash: z.string() }))

const Row = z
  .object({
    id: z.string(),
    state: z.enum(CHANGE_STATES),
    requested_by: z.string(),
    hash: Text,
    values: z.string(),
    expires_at: z.number(),
    requested_at: z.union([z.number(), Absent]),
    sent_at: z.union([z.number(), Absent]),
    revision: z.number(),
    shown_revision: z.number(),
    ended_by: Text,
    lease_holder: Text,
    message_channel: Text,
    message_ts: Text,
    approvals: z.string(),
  })
  .transform((row) => ({
    id: row.id,
    state: row.state,
    requestedBy: row.requested_by,
    hash: row.hash,
    billed: row.values.includes('"billed":"yes"'),
    expiresAt: row.expires_at,
    requestedAt: row.requested_at,
    sentAt: row.sent_at,
    revision: row.revision,
    shownRevision: row.shown_revision,
    endedBy: row.ended_by,
    leaseHolder: row.lease_holder,
    messageChannel: row.message_channel,
    messageTs: row.message_ts,
    approvals: Approvals.parse(JSON.parse(row.approvals)),
  }))

/** A change as it stands in the database, past everything that the program makes of it. */
export type ChangeRow = z.output<typeof Row>

const ROWS = `select *, (select json_group_array(json_object('person', person, 'hash', hash)) from approvals
  where change_id = changes.id) as approvals from changes`

export function changeRows({ memory }: Pick<World, 'memory'>): readonly ChangeRow[] {
  return memory.sql(ROWS).map((row) => Row.parse(row))
}

export function changeRow({ memory }: Pick<World, 'memory'>, id: string): ChangeRow | undefined {
  return memory.sql(`${ROWS} where id = ?`, id).map((row) => Row.parse(row))[0]
}

/** The events on record about a change, the first one first. */
export function entriesOf({ memory }: Pick<World, 'memory'>, id: string): readonly string[] {
  return memory
    .sql('select event from audit_entries where change_id = ? order by seq', id)
    .map(({ event }) => String(event))
}

/** The same without what became known after a person had settled the change: that is on record beside its end. */
export function stepsOf({ memory }: Pick<World, 'memory'>, id: string): readonly string[] {
  return memory
    .sql(
      `select event from audit_entries where change_id = ? and coalesce(detail, '') not like 'Known only after %' order by seq`,
      id,
    )
    .map(({ event }) => String(event))
}
