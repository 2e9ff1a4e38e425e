import { md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import type { ChangeState } from '../store/change.ts'

/** How each state of a change is called where people see it: never by an icon alone. */
export const CARD_STATES: Readonly<Record<ChangeState, { readonly icon: Mrkdwn; readonly headline: string }>> = {
  draft: { icon: md`:pencil2:`, headline: 'Being filled in' },
  waiting: { icon: md`:hourglass_flowing_sand:`, headline: 'Waiting for approval' },
  approved: { icon: md`:arrow_forward:`, headline: 'Going to be sent' },
  sending: { icon: md`:arrow_forward:`, headline: 'Being sent' },
  done: { icon: md`:white_check_mark:`, headline: 'Done' },
  rejected: { icon: md`:x:`, headline: 'Refused by the platform: nothing was changed' },
  not_sent: { icon: md`:x:`, headline: 'Not sent: nothing was changed' },
  unknown: { icon: md`:grey_question:`, headline: 'Unknown: it may or may not have happened' },
  not_done: { icon: md`:x:`, headline: 'It did not happen' },
  denied: { icon: md`:no_entry:`, headline: 'Declined: nothing was sent' },
  cancelled: { icon: md`:no_entry:`, headline: 'Cancelled: nothing was sent' },
  expired: { icon: md`:hourglass:`, headline: 'Expired: nothing was sent' },
}
