import { md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { ChangeState } from '../../store/change.ts'
import type { Field } from '../field.ts'
import { type FieldText, spelled } from '../fields.ts'

export interface StateWords {
  readonly icon: Mrkdwn
  readonly label: string
  readonly meaning: string
}

export const STATE_WORDS: Readonly<Record<ChangeState, StateWords>> = {
  draft: { icon: md`:pencil:`, label: 'being filled in', meaning: 'Its form is open. Nothing has been sent.' },
  waiting: {
    icon: md`:hourglass:`,
    label: 'waiting for approval',
    meaning: 'It waits for others to approve it. Nothing has been sent.',
  },
  approved: { icon: md`:hourglass:`, label: 'approved', meaning: 'It is confirmed or approved, and about to be sent.' },
  sending: {
    icon: md`:hourglass:`,
    label: 'being sent',
    meaning: 'The platform has been asked and has not answered yet.',
  },
  done: { icon: md`:white_check_mark:`, label: 'done', meaning: 'The platform confirmed it.' },
  rejected: { icon: md`:x:`, label: 'rejected', meaning: 'The platform refused it. Nothing was changed.' },
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
}

const SHAPE = '32 letters and digits, as answers and lists show it'

export const CHANGE_ID: FieldText = { label: 'Change id', hint: `The id of a change: ${SHAPE}.` }

/** The id of a change, as the store has it: copied letters may have become capitals. */
export function changeIdField(options: FieldText): Field<string, false> {
  return spelled({
    ...options,
    maxLength: 32,
    word: 'id',
    parse: (typed) => (/^[0-9a-f]{32}$/i.test(typed) ? typed.toLowerCase() : undefined),
    rule: `A change id has ${SHAPE}.`,
  })
}
