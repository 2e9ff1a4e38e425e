import type { Attack } from './attack.ts'

const RECHECK = 'test/execution/changes/recheck.test.ts'
const FLOODS = 'test/slack/floods.test.ts'
const MATRIX = 'test/safety/roles/role-matrix.test.ts'
const END_TO_END = 'test/end-to-end/http-door.wire.test.ts'
const GROUPS = 'test/slack/deliveries.test.ts'
const FORGED = 'test/end-to-end/forged.wire.test.ts'
const APPROVALS = 'test/slack/approvals.test.ts'

/** Who may do what. */
export const PEOPLE_ATTACKS: readonly Attack[] = [
  {
    id: 'A1',
    priority: 'P0',
    attack: 'Somebody without the role runs or clicks something.',
    proofs: [
      {
        file: MATRIX,
        test: 'is what happens to %s',
        only: 'is what happens to',
        without: {
          file: 'src/operations/declaration/role.ts',
          from: 'return ROLES.indexOf(role) >= ROLES.indexOf(needed)',
          to: "return role !== 'none' || needed === 'none'",
        },
      },
      { file: MATRIX, test: 'is nothing for an operation that no rule names' },
      { file: 'test/safety/roles/role-matrix.slow.test.ts', test: 'is what happens to %s' },
      { file: 'test/end-to-end/roles.wire.test.ts', test: 'may ask for help, and for nothing of the platform' },
    ],
  },
  {
    id: 'A2',
    priority: 'P0',
    attack: 'Somebody confirms or has approved with a role that was taken away since.',
    proofs: [
      {
        file: RECHECK,
        test: 'as Slack gives them now, for who asked and for each who approved',
        without: {
          file: 'src/execution/changes/recheck.ts',
          from: 'people.actor(change.requestedBy, how)',
          to: 'people.actor(change.requestedBy, { fresh: false })',
        },
      },
      {
        file: 'test/execution/changes/approvals.test.ts',
        test: 'does not count any more once the person has lost the role',
        without: {
          file: 'src/execution/policy/quorum.ts',
          from: 'return roles.includes(actor.role) ||',
          to: 'return true ||',
        },
      },
      {
        file: 'test/slack/review-submission.test.ts',
        test: 'asks Slack anew who it is: a guest since the review sends nothing',
      },
      { file: 'test/safety/model/changes.slow.test.ts', test: 'stay sound in' },
    ],
  },
  {
    id: 'A3',
    priority: 'P0',
    attack: 'Somebody approves what they asked for, or an approval counts for something else.',
    proofs: [
      {
        file: RECHECK,
        test: 'counts no approval of whoever asked',
        without: {
          file: 'src/execution/changes/recheck.ts',
          from: 'hash === change.hash && person !== change.requestedBy',
          to: 'hash === change.hash',
        },
      },
      {
        file: RECHECK,
        test: 'counts no approval of something else',
        without: {
          file: 'src/execution/changes/recheck.ts',
          from: 'hash === change.hash && person !== change.requestedBy',
          to: 'person !== change.requestedBy',
        },
      },
      { file: 'test/end-to-end/approvals.wire.test.ts', test: 'is who asked: %s' },
      { file: 'test/safety/model/changes.slow.test.ts', test: 'stay sound in' },
    ],
  },
  {
    id: 'A4',
    priority: 'P0',
    attack: 'A click comes twice, or two people decide at the same moment.',
    proofs: [
      {
        file: 'test/end-to-end/hundred-clicks.wire.test.ts',
        test: 'a hundred clicks on Confirm send one request, and each is acknowledged',
        without: {
          file: 'src/store/changes/changes.ts',
          from: ".where('state', 'in', from)",
          to: '',
        },
      },
      { file: 'test/end-to-end/hundred-clicks.wire.test.ts', test: 'a hundred clicks on Approve send one request' },
      { file: 'test/end-to-end/once.wire.test.ts', test: '$name: delivered again over the other link' },
      { file: 'test/end-to-end/redelivered.wire.test.ts', test: 'is asked for, approved and sent once' },
      { file: 'test/safety/model/interleavings.slow.test.ts', test: 'ends once, whatever comes first: $name' },
    ],
  },
  {
    id: 'A5',
    priority: 'P0',
    attack: 'A stranger, a guest, a bot, somebody deactivated or of another workspace acts.',
    proofs: [
      {
        file: 'test/slack/people/membership.test.ts',
        test: 'a workspace that stands alone has no role for',
        without: {
          file: 'src/slack/people/membership.ts',
          from: 'if (person.is_stranger || !ours) return',
          to: 'if (false) return',
        },
      },
      {
        file: 'test/slack/people/membership.test.ts',
        test: 'a guest of one channel, that alone said',
        without: {
          file: 'src/slack/people/membership.ts',
          from: 'if (person.is_restricted === true || person.is_ultra_restricted === true) return',
          to: 'if (false) return',
        },
      },
      {
        file: 'test/slack/gateway/http-receiver.wire.test.ts',
        test: 'is refused and put on record when it is for another workspace',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: "return ours ? undefined : 'it names another workspace'",
          to: 'return undefined',
        },
      },
      { file: END_TO_END, test: 'a person of another workspace has no role, which is on record' },
    ],
  },
  {
    id: 'A6',
    priority: 'P0',
    attack: 'A button with the right id stands in a message that somebody else posted as the app.',
    proofs: [
      {
        file: 'test/end-to-end/tampered.wire.test.ts',
        test: 'in a message that a leaked response address has posted does nothing, with the right id and words',
        without: {
          file: 'src/execution/changes/approvals.ts',
          from: 'if (change.messageChannel === place.channel && change.messageTs === place.ts) return change',
          to: 'if (place.ts.length > 0) return change',
        },
      },
      {
        file: 'test/slack/gateway/http-receiver.wire.test.ts',
        test: 'is refused and put on record when it is for another app',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: "  if (own.appId !== undefined && appId !== own.appId) return 'it names another app'\n",
          to: '',
        },
      },
      { file: FORGED, test: 'in a message that somebody posted as the app counts for nothing' },
    ],
  },
  {
    id: 'A7',
    priority: 'P0',
    attack: 'What Slack carries for us comes back changed: ids, values, what a view remembers.',
    proofs: [
      {
        file: APPROVALS,
        test: 'with %s is refused, on record',
        only: 'is refused, on record',
        without: {
          file: 'src/slack/listeners/view-listener.ts',
          from: '  readReason(state, undefined, changeId)\n',
          to: '',
        },
      },
      { file: 'test/end-to-end/tampered.wire.test.ts', test: 'that remembers %s is refused' },
      { file: FORGED, test: 'that names %s counts for nothing' },
    ],
  },
  {
    id: 'A8',
    priority: 'P1',
    attack: 'Somebody lets themselves into a user group that gives a role.',
    proofs: [
      { file: GROUPS, test: 'make Slack be asked anew who is in them' },
      {
        file: 'test/slack/people/role-sources.test.ts',
        test: 'are none without a configuration file, or with one that names none',
      },
    ],
  },
  {
    id: 'A9',
    priority: 'P1',
    attack: 'An id or a name is written with characters that look like others.',
    proofs: [
      {
        file: 'test/safety/fuzz/parsers.slow.test.ts',
        test: 'what only looks like an id or a name is neither',
        without: {
          file: 'src/operations/declaration/fields.ts',
          from: 'if (!/^[1-9]\\d{0,18}$/.test(digits))',
          to: 'if (!/^\\p{Nd}{1,19}$/u.test(digits))',
        },
      },
    ],
  },
  {
    id: 'A10',
    priority: 'P1',
    attack: 'One person asks so fast that others go short.',
    proofs: [
      {
        file: 'test/slack/flood-gate.test.ts',
        test: 'is let in 120 times, told once, and then met with silence',
        without: {
          file: 'src/slack/flood-gate.ts',
          from: 'if (limit === undefined) return { admitted: true }',
          to: "if (limit !== 'none') return { admitted: true }",
        },
      },
      { file: 'test/slack/flood-gate.test.ts', test: 'takes nothing from anybody else in the channel' },
      { file: FLOODS, test: 'commands over the limit are acknowledged, the first with words, and cost nothing' },
      { file: 'test/end-to-end/flooded.slow.test.ts', test: 'neither fill the memory nor reach the platform' },
    ],
  },
  {
    id: 'A11',
    priority: 'P1',
    attack: 'Somebody changes roles or the rules for approvals by a command.',
    proofs: [
      {
        file: 'test/safety/attacks/roles-by-chat.test.ts',
        test: 'nothing that can be asked for changes who may do what',
      },
      { file: 'test/safety/attacks/roles-by-chat.test.ts', test: 'what says who may do what is a file' },
    ],
  },
]
