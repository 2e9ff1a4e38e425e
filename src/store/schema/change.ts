import * as z from 'zod'
import { Instant, json, OptionalInstant, OptionalText, type Stored, values } from './columns.ts'

/** The life of a change, state by state: the same words in the store, the log and the answers. */
export const CHANGE_STATES = [
  'draft',
  /** Asked for, and waiting for somebody else. */
  'waiting',
  'approved',
  /** The call may be under way. The only state in which it is made. */
  'sending',
  'done',
  'rejected',
  /** The call provably never left. */
  'not_sent',
  /** No answer: it may have happened. A late answer or a person settles it. */
  'unknown',
  'not_done',
  /** Somebody who was asked said no. */
  'denied',
  'cancelled',
  'expired',
] as const
export type ChangeState = (typeof CHANGE_STATES)[number]

/**
 * Where a change can go from each state. Two rules matter most: only `approved` leads to `sending`, so nothing is sent
 * twice; and no way leads out of a state that says how it ended.
 */
export const TRANSITIONS: Readonly<Record<ChangeState, readonly ChangeState[]>> = {
  // Straight to `approved` where the person who asked is the one who confirms.
  draft: ['waiting', 'approved', 'denied', 'cancelled', 'expired'],
  waiting: ['approved', 'denied', 'cancelled', 'expired'],
  approved: ['sending', 'denied', 'cancelled', 'expired'],
  sending: ['done', 'rejected', 'not_sent', 'unknown'],
  unknown: ['done', 'not_done'],
  done: [],
  rejected: [],
  not_sent: [],
  not_done: [],
  denied: [],
  cancelled: [],
  expired: [],
}

/** Whether the change has ended: nothing leads out of its state. */
export function isFinal(state: ChangeState): boolean {
  return TRANSITIONS[state].length === 0
}

/** The values of a change as JSON in bytes; forms are far smaller, and a bound keeps one request from filling the store. */
export const MAX_CHANGE_VALUES_BYTES = 64 * 1_024
const MAX_ANSWER_BYTES = 64 * 1_024

const AnswerJson = json('The answer of a change', MAX_ANSWER_BYTES)

/** A larger message is left out: what happened matters more than its details, and stands in `outcome`. */
const Answer = z.codec(z.string().nullable().default(null), z.unknown(), {
  decode: (text) => (text === null ? undefined : AnswerJson.parse(text)),
  encode(message) {
    const text = message === undefined ? null : JSON.stringify(message)
    return text === null || Buffer.byteLength(text) > MAX_ANSWER_BYTES ? null : text
  },
})

/** A write to the platform that somebody asks for, from the first step of its form to how it ended. */
export const ChangeRow = z.object({
  id: z.string(),
  state: z.enum(CHANGE_STATES),
  operation: z.string(),
  /** What was asked. Secret values in it are replaced when the change ends. */
  values: values('What a change is asked with', MAX_CHANGE_VALUES_BYTES),
  /** What will be done, as it was shown to whoever confirmed it. */
  sentence: OptionalText,
  /** Over operation, values and policy: what is approved is what runs. */
  hash: OptionalText,
  /** Over operation and values alone: two changes that ask for the same have the same. */
  requestHash: OptionalText,
  requestedBy: z.string(),
  team: z.string(),
  channelId: OptionalText,
  createdAt: Instant,
  updatedAt: Instant,
  /** When it was asked for: confirmed, or sent for approval. Absent for a form that never was. */
  requestedAt: OptionalInstant,
  /** From then on it is not sent any more. */
  expiresAt: Instant,
  /** Grows with every step and every approval; the message about the change is out of date while it shows a smaller one. */
  revision: z.int(),
  shownRevision: z.int(),
  /** Why it went without a second person, in the words of who did it. */
  breakGlass: OptionalText,
  /** Who declined, cancelled or settled it: a user id, or the program's own word. */
  endedBy: OptionalText,
  /** Who is sending it, and until when that may be believed. Only in `sending`. */
  leaseHolder: OptionalText,
  leaseUntil: OptionalInstant,
  sentAt: OptionalInstant,
  /** Set when the state is final. */
  endedAt: OptionalInstant,
  outcome: OptionalText,
  /** The message that says how it ended, as JSON of at most 64 KB, kept until it has been shown. */
  answer: Answer,
  messageChannel: OptionalText,
  messageTs: OptionalText,
})
export type Change = Stored<typeof ChangeRow>

/** A change as it begins. `id` is made when it is not given. */
export type NewChange = Partial<Pick<Change, 'id'>> &
  Pick<
    Change,
    'operation' | 'values' | 'sentence' | 'hash' | 'requestHash' | 'requestedBy' | 'team' | 'channelId' | 'expiresAt'
  >

/** What a move may write beside the state; what is left out stays as it is. */
export type ChangeUpdate = Partial<
  Omit<NewChange, 'id' | 'operation' | 'requestedBy' | 'team'> &
    Pick<Change, 'breakGlass' | 'endedBy' | 'outcome' | 'answer'>
>
