import type { Rule } from './rule.ts'
import {
  ADMINS,
  KNOWN,
  NOT_FOR_DNS,
  NO_ROLE,
  OPERATORS,
  OPS,
  OTHER,
  READERS,
  SHARED,
  STALE,
  UNSAID,
  UNSHARED,
  VIEWERS,
  WRITERS,
} from './who-and-where.ts'

const OPEN = ['whoami', 'help'] as const
const READS = [
  'storage stats',
  'logs',
  'status',
  'alerts list',
  'alerts kinds',
  'alerts test',
  'zones list',
  'changes list',
  'changes show',
] as const
const OPERATORS_READS = ['keys list'] as const
const ADMINS_READS = ['audit', 'audit verify'] as const
/** Whoever may change what the bot holds may say that they look after an alert. */
const ACKNOWLEDGEMENTS = ['alerts acknowledge', 'alerts dismiss'] as const
const ALERT_WRITES_WITH_FORM = ['alerts watch', 'alerts add', 'alerts silence', 'alerts mark', 'alerts remove'] as const
const ALERT_WRITES = [...ALERT_WRITES_WITH_FORM, 'alerts unsilence', 'alerts resume'] as const
const BOT_WRITES = ['zones add', 'zones remove', 'changes cancel', 'changes settle', ...ALERT_WRITES] as const
const GUARDED = [
  ...READS,
  ...OPERATORS_READS,
  ...ADMINS_READS,
  ...ACKNOWLEDGEMENTS,
  ...BOT_WRITES,
  'library create',
  'dns add',
] as const
/** Operations with a form, which buttons and shortcuts open. */
const FORMS_FOR_READERS = ['storage stats', 'logs', 'alerts test'] as const
const FORMS_FOR_OPERATORS = ['keys list'] as const
const FORMS_FOR_WRITERS = ['zones add', 'zones remove', 'library create', ...ALERT_WRITES_WITH_FORM] as const
const FORMS = [...FORMS_FOR_READERS, ...FORMS_FOR_OPERATORS, ...FORMS_FOR_WRITERS, 'dns add'] as const
const NO_FORM = [
  'status',
  'alerts list',
  'alerts kinds',
  'alerts unsilence',
  'alerts resume',
  ...ACKNOWLEDGEMENTS,
  'zones list',
  'changes list',
  'changes show',
  'changes cancel',
  'changes settle',
  ...ADMINS_READS,
  ...OPEN,
] as const

const typed = (names: readonly string[]): readonly string[] => names.map((name) => `type ${name}`)
const opened = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`press ${name}`, `choose ${name}`])

/** Who may type what, and open which form. */
export const OPERATION_RULES: readonly Rule[] = [
  {
    who: UNSAID,
    what: [...typed([...GUARDED, ...OPEN]), ...opened(FORMS)],
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
  {
    who: WRITERS,
    what: typed(['zones add', 'zones remove', ...ALERT_WRITES]),
    where: UNSHARED,
    state: 'none',
    result: 'answered',
  },
  // Of a change that nobody has asked for.
  { who: WRITERS, what: typed(['changes cancel', 'changes settle']), where: UNSHARED, state: 'none', result: 'gone' },
  { who: WRITERS, what: typed(['library create']), where: UNSHARED, state: 'none', result: 'review' },
  { who: WRITERS, what: typed(['dns add']), where: [OPS, OTHER], state: 'none', result: 'review' },
  { who: WRITERS, what: typed(['dns add']), where: NOT_FOR_DNS, state: 'none', result: 'refused' },
  {
    who: [STALE, ...VIEWERS],
    what: typed([...BOT_WRITES, 'library create', 'dns add']),
    where: '*',
    state: 'none',
    result: 'refused',
  },
  { who: READERS, what: opened(FORMS_FOR_READERS), where: '*', state: 'none', result: 'form' },
  { who: [...WRITERS, STALE], what: opened(FORMS_FOR_OPERATORS), where: '*', state: 'none', result: 'form' },
  { who: VIEWERS, what: opened(FORMS_FOR_OPERATORS), where: '*', state: 'none', result: 'refused' },
  { who: WRITERS, what: opened(FORMS_FOR_WRITERS), where: '*', state: 'none', result: 'form' },
  { who: [STALE, ...VIEWERS], what: opened(FORMS_FOR_WRITERS), where: '*', state: 'none', result: 'refused' },
  { who: NO_ROLE, what: opened(FORMS), where: '*', state: 'none', result: 'refused' },
  { who: KNOWN, what: opened(['dns add']), where: '*', state: 'none', result: 'refused' },
  { who: '*', what: opened(NO_FORM), where: '*', state: 'none', result: 'gone' },
  { who: KNOWN, what: ['open Home', 'press refresh'], where: '*', state: 'none', result: 'Home' },
  { who: UNSAID, what: ['open Home', 'press refresh'], where: '*', state: 'none', result: 'silence' },
]
