import type { Rule } from './rule.ts'
import { KNOWN, NO_ROLE, OTHER, READERS, SHARED, UNSAID } from './who-and-where.ts'

/** Buttons under the answer of a read, which was shown in another channel. */
export const ANSWER_RULES: readonly Rule[] = [
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
