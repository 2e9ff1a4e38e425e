import type { Rule } from './rule.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import type { Operation } from '../../../src/operations/declaration/operation.ts'
import type { Role } from '../../../src/operations/declaration/role.ts'
import { CHANGE_STATES } from '../../../src/store/schema/change.ts'

/** Kinds of people and places that rules name together. */
const ADMINS = ['admin by list', 'admin by group'] as const
const OPERATORS = ['operator by list', 'operator by group', 'operator who approved before', 'requester'] as const
const WRITERS = [...ADMINS, ...OPERATORS] as const
const STALE = 'operator by a group that Slack is silent about'
const VIEWERS = ['viewer by list', 'viewer as everybody is'] as const
const READERS = [...WRITERS, ...VIEWERS, STALE] as const
/** Each on a list or not: none of them has a role. */
const NO_ROLE = [
  'nobody',
  'guest',
  'guest of one channel',
  'stranger',
  'member of another workspace',
  'member of another grid',
  'deactivated',
  'bot',
  'workflow',
  'somebody of whom Slack leaves out what they are',
  'somebody with another workspace than Slack names',
] as const
const UNSAID = 'somebody of whom Slack says nothing'
const KNOWN = [...READERS, ...NO_ROLE] as const
/** Whose word counts for what the requester asked. */
const DECIDERS = [...ADMINS, 'operator by list', 'operator by group'] as const
const OTHERS = [STALE, ...VIEWERS, ...NO_ROLE] as const

const OPS = 'the operations channel'
const OTHER = 'another channel'
const SHARED = 'a shared channel'
const DIRECT = 'direct messages'
const UNSHARED = [OPS, OTHER, 'a channel without the bot', DIRECT] as const
/** The policy of the matrix allows `dns add` in two channels only, and nothing in the shared one. */
const NOT_FOR_DNS = ['a channel without the bot', DIRECT, SHARED] as const
const ELSEWHERE = [OTHER, 'a channel without the bot', DIRECT, SHARED] as const

type Parts = readonly [Rule['who'], Rule['what'], Rule['where'], Rule['state']]

function rule(result: Rule['result'], ...[who, what, where, state]: Parts): Rule {
  return { who, what, where, state, result }
}

/**
 * Buttons under the answer of a read, which was shown in another channel. Whoever asked may press them in direct messages,
 * too, where an answer goes that its channel does not take.
 */
const ANSWER_RULES: readonly Rule[] = [
  rule(
    'unanswered',
    UNSAID,
    ['page', 'share', 'more', 'form'].flatMap((kind) => [`own ${kind}`, `another's ${kind}`]),
    '*',
    'none',
  ),
  rule('answered', READERS, ['own page', 'own share'], [OTHER, DIRECT], 'none'),
  rule('form', READERS, 'own form', [OTHER, DIRECT], 'none'),
  rule('answered', READERS, ['own more', `another's more`], '*', 'none'),
  rule('refused', NO_ROLE, ['own more', `another's more`], '*', 'none'),
  rule('refused', NO_ROLE, ['own page', 'own share', 'own form'], '*', 'none'),
  rule('refused', KNOWN, [`another's page`, `another's share`, `another's form`], [OTHER, DIRECT], 'none'),
  rule(
    'refused',
    KNOWN,
    ['own page', 'own share', 'own form', `another's page`, `another's share`, `another's form`],
    [OPS, 'a channel without the bot', SHARED],
    'none',
  ),
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
  rule('unanswered', UNSAID, [...typed([...GUARDED, ...OPEN]), ...opened(FORMS), ...pressed(ON_HOME)], '*', 'none'),
  rule('answered', KNOWN, typed(OPEN), '*', 'none'),
  rule('refused', NO_ROLE, typed(GUARDED), '*', 'none'),
  rule('refused', KNOWN, typed(GUARDED), SHARED, 'none'),
  rule('answered', READERS, typed(READS), UNSHARED, 'none'),
  rule('answered', [...WRITERS, STALE], typed(OPERATORS_READS), UNSHARED, 'none'),
  rule('refused', VIEWERS, typed(OPERATORS_READS), '*', 'none'),
  rule('answered', ADMINS, typed(ADMINS_READS), UNSHARED, 'none'),
  rule('refused', [...OPERATORS, STALE, ...VIEWERS], typed(ADMINS_READS), '*', 'none'),
  rule('answered', WRITERS, typed(ACKNOWLEDGEMENTS), UNSHARED, 'none'),
  rule('refused', [STALE, ...VIEWERS], typed(ACKNOWLEDGEMENTS), UNSHARED, 'none'),
  rule('answered', WRITERS, typed(without(BOT_WRITES, ABOUT_CHANGES)), UNSHARED, 'none'),
  rule('gone', WRITERS, typed(ABOUT_CHANGES), UNSHARED, 'none'),
  rule('review', WRITERS, typed(without(WRITES, LIMITED)), UNSHARED, 'none'),
  rule('review', WRITERS, typed(LIMITED), [OPS, OTHER], 'none'),
  rule('refused', WRITERS, typed(LIMITED), NOT_FOR_DNS, 'none'),
  rule('refused', [STALE, ...VIEWERS], typed([...BOT_WRITES, ...WRITES]), '*', 'none'),
  rule('form', READERS, opened(FORMS_FOR_READERS), '*', 'none'),
  rule('form', [...WRITERS, STALE], opened(FORMS_FOR_OPERATORS), '*', 'none'),
  rule('refused', VIEWERS, opened(FORMS_FOR_OPERATORS), '*', 'none'),
  rule('form', WRITERS, opened(without(FORMS_FOR_WRITERS, TYPED_THERE)), '*', 'none'),
  rule(
    'form',
    WRITERS,
    TYPED_THERE.map((name) => `choose ${name}`),
    '*',
    'none',
  ),
  rule('answered', WRITERS, pressed(TYPED_THERE), '*', 'none'),
  rule('refused', [STALE, ...VIEWERS], opened(FORMS_FOR_WRITERS), '*', 'none'),
  rule('answered', READERS, pressed(ON_HOME), '*', 'none'),
  rule('refused', NO_ROLE, [...opened(FORMS), ...pressed(ON_HOME)], '*', 'none'),
  rule('refused', KNOWN, opened(LIMITED), '*', 'none'),
  rule('gone', '*', opened(without(NO_FORM, ON_HOME)), '*', 'none'),
  rule(
    'gone',
    '*',
    ON_HOME.map((name) => `choose ${name}`),
    '*',
    'none',
  ),
  rule('Home', KNOWN, ['open Home', 'press refresh'], '*', 'none'),
  rule('silence', UNSAID, ['open Home', 'press refresh'], '*', 'none'),
]

const BEGUN = CHANGE_STATES.filter((state) => state !== 'draft')
const DECIDED = BEGUN.filter((state) => state !== 'waiting')
const BEYOND_APPROVAL = DECIDED.filter((state) => state !== 'approved')
const KNOWN_ENDS = BEGUN.filter((state) => state !== 'unknown')

const BUTTONS = ['click approve', 'click decline', 'click cancel', 'click exists', 'click absent'] as const

/** Buttons under the message about a change of the requester, which stands in the operations channel. */
const CARD_RULES: readonly Rule[] = [
  rule('unanswered', UNSAID, BUTTONS, '*', '*'),
  rule('gone', KNOWN, BUTTONS, '*', 'draft'),
  rule('refused', KNOWN, BUTTONS, ELSEWHERE, BEGUN),
  rule('prompt', DECIDERS, ['click approve', 'click decline'], OPS, 'waiting'),
  rule('prompt', 'operator who approved before', 'click decline', OPS, 'waiting'),
  rule('told', 'operator who approved before', 'click approve', OPS, 'waiting'),
  rule('refused', ['requester', ...OTHERS], ['click approve', 'click decline'], OPS, 'waiting'),
  rule('told', READERS, ['click approve', 'click decline'], OPS, DECIDED),
  rule('refused', NO_ROLE, ['click approve', 'click decline'], OPS, DECIDED),
  rule('cancelled', 'requester', 'click cancel', OPS, ['waiting', 'approved']),
  rule('told', 'requester', 'click cancel', OPS, BEYOND_APPROVAL),
  rule('refused', [...DECIDERS, 'operator who approved before', ...OTHERS], 'click cancel', OPS, BEGUN),
  rule('settled', WRITERS, ['click exists', 'click absent'], OPS, 'unknown'),
  rule('told', WRITERS, ['click exists', 'click absent'], OPS, KNOWN_ENDS),
  rule('refused', OTHERS, ['click exists', 'click absent'], OPS, BEGUN),
]

/** The same on Home, whose buttons say only which change is meant. */
const HOME_RULES: readonly Rule[] = [
  rule('unanswered', UNSAID, ['home approve', 'home exists', 'home absent', 'home open'], '*', '*'),
  rule('gone', KNOWN, 'home approve', '*', 'draft'),
  rule('prompt', DECIDERS, 'home approve', '*', 'waiting'),
  rule('told', 'operator who approved before', 'home approve', '*', 'waiting'),
  rule('refused', ['requester', ...OTHERS], 'home approve', '*', 'waiting'),
  rule('told', READERS, 'home approve', '*', DECIDED),
  rule('refused', NO_ROLE, 'home approve', '*', DECIDED),
  rule('settled', WRITERS, ['home exists', 'home absent'], '*', 'unknown'),
  rule('Home', WRITERS, ['home exists', 'home absent'], '*', ['draft', ...KNOWN_ENDS]),
  rule('refused', OTHERS, ['home exists', 'home absent'], '*', '*'),
  rule('answered', READERS, 'home open', '*', '*'),
  rule('refused', NO_ROLE, 'home open', '*', '*'),
]

/** What is submitted in a view, wherever it was opened. */
const SUBMISSION_RULES: readonly Rule[] = [
  rule('unanswered', UNSAID, ['submit approve', 'submit decline', 'submit review'], '*', '*'),
  rule('gone', KNOWN, ['submit approve', 'submit decline'], '*', 'draft'),
  rule('sent', DECIDERS, 'submit approve', '*', 'waiting'),
  rule('told', 'operator who approved before', 'submit approve', '*', 'waiting'),
  rule('declined', [...DECIDERS, 'operator who approved before'], 'submit decline', '*', 'waiting'),
  rule('refused', ['requester', ...OTHERS], ['submit approve', 'submit decline'], '*', 'waiting'),
  rule('told', READERS, ['submit approve', 'submit decline'], '*', DECIDED),
  rule('refused', NO_ROLE, ['submit approve', 'submit decline'], '*', DECIDED),
  rule('waiting', 'requester', 'submit review', '*', 'draft'),
  rule('told', 'requester', 'submit review', '*', BEGUN),
  rule(
    'refused',
    KNOWN.filter((who) => who !== 'requester'),
    'submit review',
    '*',
    '*',
  ),
]

/** The same by a command, which is the requester's as the button is, and takes the role that writing takes. */
const COMMAND_RULES: readonly Rule[] = [
  rule('unanswered', UNSAID, ['command cancel', 'command settle'], OTHER, '*'),
  rule('gone', WRITERS, ['command cancel', 'command settle'], OTHER, 'draft'),
  rule('refused', OTHERS, ['command cancel', 'command settle'], OTHER, '*'),
  rule('cancelled', 'requester', 'command cancel', OTHER, ['waiting', 'approved']),
  rule('answered', 'requester', 'command cancel', OTHER, BEYOND_APPROVAL),
  rule('refused', [...DECIDERS, 'operator who approved before'], 'command cancel', OTHER, BEGUN),
  rule('settled', WRITERS, 'command settle', OTHER, 'unknown'),
  rule('answered', WRITERS, 'command settle', OTHER, KNOWN_ENDS),
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
