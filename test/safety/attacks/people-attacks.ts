import { type Attack, attack, bug, proof } from './attack.ts'

const ROLE_MATRIX_TEST = 'test/safety/roles/role-matrix.bulk.test.ts'
const RECHECK_TEST = 'test/execution/changes/recheck.test.ts'
const RECHECK = 'src/execution/changes/recheck.ts'
const HUNDRED_CLICKS = 'test/end-to-end/hundred-clicks.wire.test.ts'
const MEMBERSHIP_TEST = 'test/slack/people/membership.test.ts'
const MEMBERSHIP = 'src/slack/people/membership.ts'
const HTTP_RECEIVER_TEST = 'test/slack/gateway/http-receiver.wire.test.ts'
const HTTP_RECEIVER = 'src/slack/gateway/http-receiver.ts'
const FORGED = 'test/end-to-end/forged.wire.test.ts'
const RATE_LIMITER_TEST = 'test/slack/rate-limiter.test.ts'
const ROLES_BY_CHAT = 'test/safety/attacks/roles-by-chat.test.ts'

/** Who may do what. */
export const PEOPLE_ATTACKS: readonly Attack[] = [
  attack(
    'A1',
    'Somebody without the role runs or clicks something.',
    proof(
      ROLE_MATRIX_TEST,
      'is what happens to',
      bug(
        'src/operations/declaration/role.ts',
        'return ROLES.indexOf(role) >= ROLES.indexOf(needed)',
        "return role !== 'none' || needed === 'none'",
      ),
    ),
  ),
  attack(
    'A2',
    'Somebody confirms or has approved with a role that was taken away since.',
    proof(
      RECHECK_TEST,
      'as Slack gives them now, for who asked and for each who approved',
      bug(RECHECK, 'people.actor(change.requestedBy, how)', 'people.actor(change.requestedBy, { fresh: false })'),
    ),
    proof(
      'test/execution/changes/approvals.test.ts',
      'does not count any more once the person has lost the role',
      bug('src/execution/policy/quorum.ts', 'return roles.some((role) => role === actor.role) ||', 'return true ||'),
    ),
  ),
  attack(
    'A3',
    'Somebody approves what they asked for, or an approval counts for something else.',
    proof(
      RECHECK_TEST,
      'counts no approval of whoever asked',
      bug(RECHECK, 'hash === change.hash && person !== change.requestedBy', 'hash === change.hash'),
    ),
    proof(
      RECHECK_TEST,
      'counts no approval of something else',
      bug(RECHECK, 'hash === change.hash && person !== change.requestedBy', 'person !== change.requestedBy'),
    ),
  ),
  attack(
    'A4',
    'A click comes twice, or two people decide at the same moment.',
    proof(
      HUNDRED_CLICKS,
      'a hundred clicks on Confirm send one request, and each is acknowledged',
      bug('src/store/changes/changes.ts', ".where('state', 'in', from)", ''),
    ),
  ),
  attack(
    'A5',
    'A stranger, a guest, a bot, somebody deactivated or of another workspace acts.',
    proof(
      MEMBERSHIP_TEST,
      'a workspace that stands alone has no role for',
      bug(MEMBERSHIP, 'if (person.is_stranger || !ours) return', 'if (false) return'),
    ),
    proof(
      MEMBERSHIP_TEST,
      'a guest of one channel, that alone said',
      bug(
        MEMBERSHIP,
        'if (person.is_restricted === true || person.is_ultra_restricted === true) return',
        'if (false) return',
      ),
    ),
    proof(
      HTTP_RECEIVER_TEST,
      'is refused and put on record when it is for another workspace',
      bug(HTTP_RECEIVER, "return ours ? undefined : 'it names another workspace'", 'return undefined'),
    ),
  ),
  attack(
    'A6',
    'A button with the right id stands in a message that somebody else posted as the app.',
    proof(
      FORGED,
      'in a message that a leaked response address has posted counts for nothing, with the right words',
      bug(
        'src/execution/changes/approvals.ts',
        'if (change.messageChannel === place.channel && change.messageTs === place.ts) return change',
        'if (place.ts.length > 0) return change',
      ),
    ),
    proof(
      HTTP_RECEIVER_TEST,
      'is refused and put on record when it is for another app',
      bug(HTTP_RECEIVER, "  if (own.appId !== undefined && appId !== own.appId) return 'it names another app'\n", ''),
    ),
  ),
  attack(
    'A7',
    'What Slack carries for us comes back changed: ids, values, what a view remembers.',
    proof(
      'test/slack/approvals.test.ts',
      'is refused, on record',
      bug('src/slack/listeners/view-submission-listener.ts', '  readReason(state, undefined, changeId)\n', ''),
    ),
  ),
  attack(
    'A8',
    'Somebody lets themselves into a user group that gives a role.',
    proof('test/slack/deliveries.test.ts', 'make Slack be asked anew who is in them'),
    proof(
      'test/slack/people/role-sources.test.ts',
      'are none without a configuration file, or with one that names none',
    ),
  ),
  attack(
    'A9',
    'An id or a name is written with characters that look like others.',
    proof(
      'test/safety/fuzz/parsers.slow.test.ts',
      'what only looks like an id or a name is neither',
      bug(
        'src/operations/declaration/fields.ts',
        'if (!/^[1-9]\\d{0,18}$/.test(digits))',
        'if (!/^\\p{Nd}{1,19}$/u.test(digits))',
      ),
    ),
  ),
  attack(
    'A10',
    'One person asks so fast that others go short.',
    proof(
      RATE_LIMITER_TEST,
      'is told once a minute to whom it concerns, and logged',
      bug(
        'src/slack/rate-limiter.ts',
        'if (limit === undefined) return undefined',
        "if (limit !== 'none') return undefined",
      ),
    ),
  ),
  attack(
    'A11',
    'Somebody changes roles or the rules for approvals by a command.',
    proof(ROLES_BY_CHAT, 'nothing that can be asked for changes who may do what'),
    proof(ROLES_BY_CHAT, 'what says who may do what is a file'),
  ),
]
