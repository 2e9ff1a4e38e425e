import type { Transaction } from 'kysely'
import { readHead } from './audit-head.ts'
import type { Tables } from './tables.ts'

/** As much as the largest of the usual transactions needs. */
const ROOM_BYTES = 64 * 1_024
const NAME = 'room'

/**
 * Writes as much as anything usual does, and takes it away again in the same transaction. To commit nothing, or a change
 * in place, proves little: a full disk takes that too, and a store that said it can be written would refuse the next entry.
 * So it would without the head of the record.
 */
export async function proveRoom(within: Transaction<Tables>): Promise<void> {
  await readHead(within)
  await within
    .insertInto('remembered')
    .values({ name: NAME, value: JSON.stringify('x'.repeat(ROOM_BYTES)), at: 0 })
    .execute()
  await within.deleteFrom('remembered').where('name', '=', NAME).execute()
}
