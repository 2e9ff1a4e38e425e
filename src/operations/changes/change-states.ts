import { md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import type { Change, ChangeState } from '../../store/schema/change.ts'
import type { Field } from '../declaration/field.ts'
import { type FieldText, spelled } from '../declaration/fields.ts'
import type { OperationContext } from '../declaration/operation.ts'

/** How each state of a change is called where people see it, never by an icon alone; `headline` stands by itself. */
export const STATE_WORDS: Readonly<Record<ChangeState, Readonly<{ icon: Mrkdwn; label: string; headline: string }>>> = {
  draft: { icon: md`:pencil2:`, label: 'being filled in', headline: 'Being filled in' },
  waiting: { icon: md`:hourglass_flowing_sand:`, label: 'waiting for approval', headline: 'Waiting for approval' },
  approved: { icon: md`:arrow_forward:`, label: 'approved', headline: 'Going to be sent' },
  sending: { icon: md`:arrow_forward:`, label: 'being sent', headline: 'Being sent' },
  done: { icon: md`:white_check_mark:`, label: 'done', headline: 'Done' },
  rejected: { icon: md`:x:`, label: 'rejected', headline: 'Refused by the CDN: nothing was changed' },
  not_sent: { icon: md`:x:`, label: 'not sent', headline: 'Not sent: nothing was changed' },
  unknown: { icon: md`:grey_question:`, label: 'unknown', headline: 'Unknown: it may or may not have happened' },
  not_done: { icon: md`:x:`, label: 'not done', headline: 'It did not happen' },
  denied: { icon: md`:no_entry:`, label: 'declined', headline: 'Declined: nothing was sent' },
  cancelled: { icon: md`:no_entry:`, label: 'cancelled', headline: 'Cancelled: nothing was sent' },
  expired: { icon: md`:hourglass:`, label: 'expired', headline: 'Expired: nothing was sent' },
}

const SHAPE = '8 letters and digits, as answers and lists show it'

export const CHANGE_ID: FieldText = { label: 'Change id', hint: `The id of a change: ${SHAPE}.` }

/** The id of a change or its beginning, in the store's letters: copied ones may have become capitals. */
export function changeIdField(options: FieldText): Field<string, false> {
  return spelled({
    ...options,
    maxLength: 32,
    word: 'id',
    parse: (typed) => (/^[0-9a-f]{8,32}$/i.test(typed) ? typed.toLowerCase() : undefined),
    rule: `A change id has ${SHAPE}.`,
  })
}

/** The change with this id, or the only one whose id begins like this. Throws UserError. */
export async function findChange(id: string, { store, actor, command }: OperationContext): Promise<Change> {
  const found = await store.changes.find(id)
  // A draft is a form somebody has open: to anybody else it does not exist yet.
  const [change, other] = found.filter(({ state, requestedBy }) => state !== 'draft' || requestedBy === actor.id)
  const list = `See what there is: ${command} changes list`
  if (change === undefined) throw new UserError('invalid_input', `There is no change ${id}.`, list)
  if (other !== undefined) throw severalChanges(id)
  return change
}

export function severalChanges(id: string): UserError {
  return new UserError('invalid_input', `Several changes begin with ${id}. Nothing was done.`, 'Type more of the id.')
}

/** The change read again, for what its values say: nothing when they no longer make sense. */
export function readAgain(change: Change, running: OperationContext) {
  const { actor, now, panel, catalog, zones } = running
  const operation = catalog.find((entry) => entry.operation.name === change.operation)?.operation
  const context = { now, zones, timeZone: actor.timeZone, panel, marker: running.markerOf(change.id) }
  const parsed = operation?.parse(change.values, context)
  return { operation, invocation: parsed?.ok === true ? parsed.invocation : undefined }
}
