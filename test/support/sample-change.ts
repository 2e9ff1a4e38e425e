import type { Change } from '../../src/store/schema/change.ts'
import { NOW } from './operation-context.ts'

/** A change of Olga's that waits, as the store gives it. */
export function sampleChange(changes: Partial<Change> = {}): Change {
  return {
    id: 'c1',
    state: 'waiting',
    operation: 'record add',
    values: {},
    sentence: 'Add a record',
    requestedBy: 'UOLGA',
    team: 'T1',
    createdAt: NOW,
    updatedAt: NOW,
    requestedAt: NOW,
    expiresAt: new Date(NOW.getTime() + 3_600_000),
    revision: 1,
    shownRevision: 0,
    ...changes,
  }
}
