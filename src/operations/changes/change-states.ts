import { md } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import type { Change, ChangeState } from '../../store/schema/change.ts'
import type { Field } from '../declaration/field.ts'
import { type FieldText, spelled } from '../declaration/fields.ts'
import type { OperationContext } from '../declaration/operation.ts'

export const STATE_WORDS = {
  draft: { icon: md`:pencil:`, label: 'being filled in', meaning: 'Its form is open. Nothing has been sent.' },
  waiting: {
    icon: md`:hourglass:`,
    label: 'waiting for approval',
    meaning: 'It waits for others to approve it. Nothing has been sent.',
  },
  approved: { icon: md`:hourglass:`, label: 'approved', meaning: 'It is confirmed or approved, and about to be sent.' },
  sending: { icon: md`:hourglass:`, label: 'being sent', meaning: 'The CDN has been asked and has not answered yet.' },
  done: { icon: md`:white_check_mark:`, label: 'done', meaning: 'The CDN confirmed it.' },
  rejected: { icon: md`:x:`, label: 'rejected', meaning: 'The CDN refused it. Nothing was changed.' },
  not_sent: { icon: md`:x:`, label: 'not sent', meaning: 'The request never left. Nothing was changed.' },
  unknown: {
    icon: md`:grey_question:`,
    label: 'unknown',
    meaning:
      'The request was sent, but no answer came: it may or may not have happened. It is not sent again by itself.',
  },
  not_done: { icon: md`:x:`, label: 'not done', meaning: 'Somebody looked and found that it had not happened.' },
  denied: { icon: md`:no_entry:`, label: 'declined', meaning: 'Somebody who was asked said no. Nothing was sent.' },
  cancelled: {
    icon: md`:heavy_multiplication_x:`,
    label: 'cancelled',
    meaning: 'It was withdrawn before it was sent.',
  },
  expired: {
    icon: md`:alarm_clock:`,
    label: 'expired',
    meaning: 'It was not confirmed or approved in time. Nothing was sent.',
  },
} as const satisfies Readonly<Record<ChangeState, object>>

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
export async function findChange(
  id: string,
  { store, actor, command }: Pick<OperationContext, 'store' | 'actor' | 'command'>,
): Promise<Change> {
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
