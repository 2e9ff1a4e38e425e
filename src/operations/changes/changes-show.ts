import { UserError } from '../../shared/errors.ts'
import type { Change } from '../../store/change.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import type { OperationContext } from '../operation.ts'
import { changeAnswer, type KnownChange } from './change-answer.ts'
import { CHANGE_ID, changeIdField } from './change-id-field.ts'

/** Of the record of one change; its life has a dozen steps, further entries are refused clicks. */
const MAX_ENTRIES = 20

/** `changes show`: one requested write, what became of it, and what to look at when nobody knows. */
export const changesShow = defineOperation({
  name: 'changes show',
  summary: 'Show one write that was asked for, and what became of it',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: false,
  fields: { id: required(changeIdField(CHANGE_ID)) },
  positionals: ['id'],
  examples: ['changes show 0123456789abcdef0123456789abcdef'],
  describe: ({ id }) => `Show change ${id}`,
  async run({ id }, context): Promise<KnownChange> {
    const { store, actor, command } = context
    const change = await store.changes.get(id)
    // A draft is a form somebody has open: to anybody else it does not exist yet.
    if (change === undefined || (change.state === 'draft' && change.requestedBy !== actor.id)) {
      throw new UserError(
        'invalid_input',
        'There is no change with this id. It may have been removed when it grew old.',
        `See what there is: ${command} changes list`,
      )
    }
    return {
      change,
      ...meaningOf(change, context),
      approvals: await store.approvals.of(id),
      record: await store.audit.list({ changeId: id, limit: MAX_ENTRIES }),
    }
  },
  present: (known, _, { now, command }) => ({ message: changeAnswer(known, now, command) }),
})

/** The change read again, for what it says about looking: nothing when its values no longer make sense. */
function meaningOf(change: Change, context: OperationContext): Pick<KnownChange, 'operation' | 'invocation'> {
  const { actor, now, panel, catalog, zones } = context
  const operation = catalog.find((entry) => entry.operation.name === change.operation)?.operation
  const parsed = operation?.parse(change.values, {
    now,
    zones,
    timeZone: actor.timeZone,
    panel,
    marker: context.markerOf(change.id),
  })
  return { operation, invocation: parsed?.ok === true ? parsed.invocation : undefined }
}
