import type { Rule } from './rule.ts'
import {
  KNOWN,
  NO_ROLE,
  OTHER,
  READERS,
  SHARED,
  UNSAID,
  ADMINS,
  NOT_FOR_DNS,
  OPERATORS,
  OPS,
  STALE,
  UNSHARED,
  VIEWERS,
  WRITERS,
  DECIDERS,
  ELSEWHERE,
  OTHERS,
} from './who-and-where.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import type { Operation } from '../../../src/operations/declaration/operation.ts'
import type { Role } from '../../../src/operations/declaration/role.ts'
import { CHANGE_STATES } from '../../../src/store/schema/change.ts'

/** Buttons under the answer of a read, which was shown in another channel. */
const ANSWER_RULES: readonly Rule[] = [
  {
    who: UNSAID,
    what: ['page', 'share', 'more', 'form'].flatMap((kind) => [`own ${kind}`, `another's ${kind}`]),
    where: '*',
    state: 'none',
    result: 'unanswered',
  },
  { who: READERS, what: ['own page', 'own share'], where: OTHER, state: 'none', result: 'answered' },
  { who: READERS, what: 'own form', where: OTHER, state: 'none', result: 'form' },
  { who: READERS, what: ['own more', `another's more`], where: '*', state: 'none', result: 'answered' },
  { who: NO_ROLE, what: ['own more', `another's more`], where: '*', state: 'none', result: 'refused' },
  { who: NO_ROLE, what: ['own page', 'own share', 'own form'], where: '*', state: 'none', result: 'refused' },
  {
    who: KNOWN,
    what: [`another's page`, `another's share`, `another's form`],
    where: OTHER,
    state: 'none',
    result: 'refused',
  },
  {
    who: KNOWN,
    what: ['own page', 'own share', 'own form', `another's page`, `another's share`, `another's form`],
    where: ['the operations channel', 'a channel without the bot', 'direct messages', SHARED],
    state: 'none',
    result: 'refused',
  },
]

const READ_EFFECTS = ['read', 'sensitive read'] as const
const isRead = ({ baseEffect }: Operation): boolean => READ_EFFECTS.some((effect) => effect === baseEffect)
const isWrite = ({ baseEffect }: Operation): boolean =>
  baseEffect === 'write' || baseEffect === 'billed or irreversible'
const readBy = (role: Role) => named((each) => isRead(each) && each.minimumRole === role)

/** What each operation is follows from its declaration; what that means for whom is said below, by hand. */
const OPEN = readBy('none')
const READS = readBy('viewer')
const OPERATORS_READS = readBy('operator')
const ADMINS_READS = readBy('admin')
/** Whoever may change what the bot holds may say that they look after an alert. */
const ACKNOWLEDGEMENTS = named(({ baseEffect }) => baseEffect === 'acknowledge')
const BOT_WRITES = named(({ baseEffect }) => baseEffect === 'write to the bot')
/** Their examples are about a change that nobody has asked for. */
const ABOUT_CHANGES = BOT_WRITES.filter((name) => name.startsWith('changes '))
const WRITES = named(isWrite)
/** The policy of the matrix has a rule about this one. */
const LIMITED = ['dns add']
const GUARDED = named(({ minimumRole }) => minimumRole !== 'none')

/** Operations with a form, which buttons and shortcuts open. */
const FORMS = named(({ form }) => form !== undefined)
const FORMS_FOR_READERS = FORMS.filter((name) => READS.includes(name))
const FORMS_FOR_OPERATORS = FORMS.filter((name) => OPERATORS_READS.includes(name))
const FORMS_FOR_WRITERS = without(
  named((each) => each.form !== undefined && !isRead(each)),
  LIMITED,
)
const NO_FORM = named(({ form }) => form === undefined)
/** Home has a button for these, which answers at once. */
const ON_HOME = named(({ form, question }) => form === undefined && question !== undefined)

function named(fits: (operation: Operation) => boolean): readonly string[] {
  return OPERATIONS.filter(fits).map(({ name }) => name)
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  return names.filter((name) => !others.includes(name))
}

const typed = (names: readonly string[]): readonly string[] => names.map((name) => `type ${name}`)
/** About a channel, in which it has to be typed: Home says so. */
const TYPED_THERE = named(
  ({ form, question, baseEffect }) => form !== undefined && question !== undefined && baseEffect === 'write to the bot',
)

const pressed = (names: readonly string[]): readonly string[] => names.map((name) => `press ${name}`)
const opened = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`press ${name}`, `choose ${name}`])

/** Who may type what, and open which form. */
const OPERATION_RULES: readonly Rule[] = [
  {
    who: UNSAID,
    what: [...typed([...GUARDED, ...OPEN]), ...opened(FORMS), ...pressed(ON_HOME)],
    where: '*',
    state: 'none',
    result: 'unanswered',
  },
  { who: KNOWN, what: typed(OPEN), where: '*', state: 'none', result: 'answered' },
  { who: NO_ROLE, what: typed(GUARDED), where: '*', state: 'none', result: 'refused' },
  { who: KNOWN, what: typed(GUARDED), where: SHARED, state: 'none', result: 'refused' },
  { who: READERS, what: typed(READS), where: UNSHARED, state: 'none', result: 'answered' },
  { who: [...WRITERS, STALE], what: typed(OPERATORS_READS), where: UNSHARED, state: 'none', result: 'answered' },
  { who: VIEWERS, what: typed(OPERATORS_READS), where: '*', state: 'none', result: 'refused' },
  { who: ADMINS, what: typed(ADMINS_READS), where: UNSHARED, state: 'none', result: 'answered' },
  { who: [...OPERATORS, STALE, ...VIEWERS], what: typed(ADMINS_READS), where: '*', state: 'none', result: 'refused' },
  { who: WRITERS, what: typed(ACKNOWLEDGEMENTS), where: UNSHARED, state: 'none', result: 'answered' },
  { who: [STALE, ...VIEWERS], what: typed(ACKNOWLEDGEMENTS), where: UNSHARED, state: 'none', result: 'refused' },
  { who: WRITERS, what: typed(without(BOT_WRITES, ABOUT_CHANGES)), where: UNSHARED, state: 'none', result: 'answered' },
  { who: WRITERS, what: typed(ABOUT_CHANGES), where: UNSHARED, state: 'none', result: 'gone' },
  { who: WRITERS, what: typed(without(WRITES, LIMITED)), where: UNSHARED, state: 'none', result: 'review' },
  { who: WRITERS, what: typed(LIMITED), where: [OPS, OTHER], state: 'none', result: 'review' },
  { who: WRITERS, what: typed(LIMITED), where: NOT_FOR_DNS, state: 'none', result: 'refused' },
  { who: [STALE, ...VIEWERS], what: typed([...BOT_WRITES, ...WRITES]), where: '*', state: 'none', result: 'refused' },
  { who: READERS, what: opened(FORMS_FOR_READERS), where: '*', state: 'none', result: 'form' },
  { who: [...WRITERS, STALE], what: opened(FORMS_FOR_OPERATORS), where: '*', state: 'none', result: 'form' },
  { who: VIEWERS, what: opened(FORMS_FOR_OPERATORS), where: '*', state: 'none', result: 'refused' },
  { who: WRITERS, what: opened(without(FORMS_FOR_WRITERS, TYPED_THERE)), where: '*', state: 'none', result: 'form' },
  { who: WRITERS, what: TYPED_THERE.map((name) => `choose ${name}`), where: '*', state: 'none', result: 'form' },
  { who: WRITERS, what: pressed(TYPED_THERE), where: '*', state: 'none', result: 'answered' },
  { who: [STALE, ...VIEWERS], what: opened(FORMS_FOR_WRITERS), where: '*', state: 'none', result: 'refused' },
  { who: READERS, what: pressed(ON_HOME), where: '*', state: 'none', result: 'answered' },
  { who: NO_ROLE, what: [...opened(FORMS), ...pressed(ON_HOME)], where: '*', state: 'none', result: 'refused' },
  { who: KNOWN, what: opened(LIMITED), where: '*', state: 'none', result: 'refused' },
  { who: '*', what: opened(without(NO_FORM, ON_HOME)), where: '*', state: 'none', result: 'gone' },
  { who: '*', what: ON_HOME.map((name) => `choose ${name}`), where: '*', state: 'none', result: 'gone' },
  { who: KNOWN, what: ['open Home', 'press refresh'], where: '*', state: 'none', result: 'Home' },
  { who: UNSAID, what: ['open Home', 'press refresh'], where: '*', state: 'none', result: 'silence' },
]

const BEGUN = CHANGE_STATES.filter((state) => state !== 'draft')
const DECIDED = BEGUN.filter((state) => state !== 'waiting')
const BEYOND_APPROVAL = DECIDED.filter((state) => state !== 'approved')
const KNOWN_ENDS = BEGUN.filter((state) => state !== 'unknown')

const BUTTONS = ['click approve', 'click decline', 'click cancel', 'click exists', 'click absent'] as const

/** Buttons under the message about a change of the requester, which stands in the operations channel. */
const CARD_RULES: readonly Rule[] = [
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

/** The same on Home, whose buttons say only which change is meant. */
const HOME_RULES: readonly Rule[] = [
  {
    who: UNSAID,
    what: ['home approve', 'home exists', 'home absent', 'home open'],
    where: '*',
    state: '*',
    result: 'unanswered',
  },
  { who: KNOWN, what: 'home approve', where: '*', state: 'draft', result: 'gone' },
  { who: DECIDERS, what: 'home approve', where: '*', state: 'waiting', result: 'prompt' },
  { who: 'operator who approved before', what: 'home approve', where: '*', state: 'waiting', result: 'told' },
  { who: ['requester', ...OTHERS], what: 'home approve', where: '*', state: 'waiting', result: 'refused' },
  { who: READERS, what: 'home approve', where: '*', state: DECIDED, result: 'told' },
  { who: NO_ROLE, what: 'home approve', where: '*', state: DECIDED, result: 'refused' },
  { who: WRITERS, what: ['home exists', 'home absent'], where: '*', state: 'unknown', result: 'settled' },
  {
    who: WRITERS,
    what: ['home exists', 'home absent'],
    where: '*',
    state: ['draft', ...KNOWN_ENDS],
    result: 'Home',
  },
  { who: OTHERS, what: ['home exists', 'home absent'], where: '*', state: '*', result: 'refused' },
  { who: READERS, what: 'home open', where: '*', state: '*', result: 'answered' },
  { who: NO_ROLE, what: 'home open', where: '*', state: '*', result: 'refused' },
]

/** What is submitted in a view, wherever it was opened. */
const SUBMISSION_RULES: readonly Rule[] = [
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
const COMMAND_RULES: readonly Rule[] = [
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

/** Who may do what, where and when: by hand for each kind of operation. Which kind one is, its declaration says. */
export const RULES: readonly Rule[] = [
  ...OPERATION_RULES,
  ...ANSWER_RULES,
  ...CARD_RULES,
  ...HOME_RULES,
  ...COMMAND_RULES,
  ...SUBMISSION_RULES,
]
