import { CHANGE_STATES } from '../../../src/store/change.ts'
import type { Rule } from './rule.ts'
import { DECIDERS, ELSEWHERE, KNOWN, NO_ROLE, OPS, OTHER, OTHERS, READERS, UNSAID, WRITERS } from './who-and-where.ts'

const BEGUN = CHANGE_STATES.filter((state) => state !== 'draft')
const DECIDED = BEGUN.filter((state) => state !== 'waiting')
const BEYOND_APPROVAL = DECIDED.filter((state) => state !== 'approved')
const KNOWN_ENDS = BEGUN.filter((state) => state !== 'unknown')

const BUTTONS = ['click approve', 'click decline', 'click cancel', 'click exists', 'click absent'] as const

/** Buttons under the message about a change of the requester, which stands in the operations channel. */
export const CARD_RULES: readonly Rule[] = [
  { who: UNSAID, what: BUTTONS, where: '*', state: '*', result: 'unanswered' },
  { who: KNOWN, what: BUTTONS, where: '*', state: 'draft', result: 'gone' },
  { who: KNOWN, what: BUTTONS, where: ELSEWHERE, state: BEGUN, result: 'refused' },
  { who: DECIDERS, what: ['click approve', 'click decline'], where: OPS, state: 'waiting', result: 'prompt' },
  { who: 'operator who approved before', what: 'click decline', where: OPS, state: 'waiting', result: 'prompt' },
  { who: 'operator who approved before', what: 'click approve', where: OPS, state: 'waiting', result: 'told' },
  {
    who: ['requester', ...OTHERS],
    what: ['click approve', 'click decline'],
    where: OPS,
    state: 'waiting',
    result: 'refused',
  },
  { who: READERS, what: ['click approve', 'click decline'], where: OPS, state: DECIDED, result: 'told' },
  { who: NO_ROLE, what: ['click approve', 'click decline'], where: OPS, state: DECIDED, result: 'refused' },
  { who: 'requester', what: 'click cancel', where: OPS, state: ['waiting', 'approved'], result: 'cancelled' },
  { who: 'requester', what: 'click cancel', where: OPS, state: BEYOND_APPROVAL, result: 'told' },
  {
    who: [...DECIDERS, 'operator who approved before', ...OTHERS],
    what: 'click cancel',
    where: OPS,
    state: BEGUN,
    result: 'refused',
  },
  { who: WRITERS, what: ['click exists', 'click absent'], where: OPS, state: 'unknown', result: 'settled' },
  { who: WRITERS, what: ['click exists', 'click absent'], where: OPS, state: KNOWN_ENDS, result: 'told' },
  { who: OTHERS, what: ['click exists', 'click absent'], where: OPS, state: BEGUN, result: 'refused' },
]

/** What is submitted in a view, wherever it was opened. */
export const SUBMISSION_RULES: readonly Rule[] = [
  {
    who: UNSAID,
    what: ['submit approve', 'submit decline', 'submit review'],
    where: '*',
    state: '*',
    result: 'unanswered',
  },
  { who: KNOWN, what: ['submit approve', 'submit decline'], where: '*', state: 'draft', result: 'gone' },
  { who: DECIDERS, what: 'submit approve', where: '*', state: 'waiting', result: 'sent' },
  { who: 'operator who approved before', what: 'submit approve', where: '*', state: 'waiting', result: 'told' },
  {
    who: [...DECIDERS, 'operator who approved before'],
    what: 'submit decline',
    where: '*',
    state: 'waiting',
    result: 'declined',
  },
  {
    who: ['requester', ...OTHERS],
    what: ['submit approve', 'submit decline'],
    where: '*',
    state: 'waiting',
    result: 'refused',
  },
  { who: READERS, what: ['submit approve', 'submit decline'], where: '*', state: DECIDED, result: 'told' },
  { who: NO_ROLE, what: ['submit approve', 'submit decline'], where: '*', state: DECIDED, result: 'refused' },
  { who: 'requester', what: 'submit review', where: '*', state: 'draft', result: 'waiting' },
  { who: 'requester', what: 'submit review', where: '*', state: BEGUN, result: 'told' },
  { who: KNOWN.filter((who) => who !== 'requester'), what: 'submit review', where: '*', state: '*', result: 'refused' },
]

/** The same by a command, which is the requester's as the button is, and takes the role that writing takes. */
export const COMMAND_RULES: readonly Rule[] = [
  { who: UNSAID, what: ['command cancel', 'command settle'], where: OTHER, state: '*', result: 'unanswered' },
  { who: WRITERS, what: ['command cancel', 'command settle'], where: OTHER, state: 'draft', result: 'gone' },
  { who: OTHERS, what: ['command cancel', 'command settle'], where: OTHER, state: '*', result: 'refused' },
  { who: 'requester', what: 'command cancel', where: OTHER, state: ['waiting', 'approved'], result: 'cancelled' },
  { who: 'requester', what: 'command cancel', where: OTHER, state: BEYOND_APPROVAL, result: 'answered' },
  {
    who: [...DECIDERS, 'operator who approved before'],
    what: 'command cancel',
    where: OTHER,
    state: BEGUN,
    result: 'refused',
  },
  { who: WRITERS, what: 'command settle', where: OTHER, state: 'unknown', result: 'settled' },
  { who: WRITERS, what: 'command settle', where: OTHER, state: KNOWN_ENDS, result: 'answered' },
]
