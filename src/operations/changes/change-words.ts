import type { ChangeState } from '../../store/change.ts'

/** What a change's state means, for people: a few words, and a sentence that says what can be relied on. */
export interface StateWords {
  readonly icon: string
  readonly label: string
  readonly meaning: string
}

/** The words for every state a change can have. */
export const STATE_WORDS: Readonly<Record<ChangeState, StateWords>> = {
  draft: { icon: ':pencil:', label: 'being filled in', meaning: 'Its form is open. Nothing has been sent.' },
  waiting: {
    icon: ':hourglass:',
    label: 'waiting for approval',
    meaning: 'It waits for others to approve it. Nothing has been sent.',
  },
  approved: { icon: ':hourglass:', label: 'approved', meaning: 'It is confirmed or approved, and about to be sent.' },
  sending: {
    icon: ':hourglass:',
    label: 'being sent',
    meaning: 'The platform has been asked and has not answered yet.',
  },
  done: { icon: ':white_check_mark:', label: 'done', meaning: 'The platform confirmed it.' },
  rejected: { icon: ':x:', label: 'rejected', meaning: 'The platform refused it. Nothing was changed.' },
  not_sent: { icon: ':x:', label: 'not sent', meaning: 'The request never left. Nothing was changed.' },
  unknown: {
    icon: ':grey_question:',
    label: 'unknown',
    meaning:
      'The request was sent, but no answer came: it may or may not have happened. It is not sent again by itself.',
  },
  not_done: { icon: ':x:', label: 'not done', meaning: 'Somebody looked and found that it had not happened.' },
  denied: { icon: ':no_entry:', label: 'declined', meaning: 'Somebody who was asked said no. Nothing was sent.' },
  cancelled: { icon: ':heavy_multiplication_x:', label: 'cancelled', meaning: 'It was withdrawn before it was sent.' },
  expired: {
    icon: ':alarm_clock:',
    label: 'expired',
    meaning: 'It was not confirmed or approved in time. Nothing was sent.',
  },
}
