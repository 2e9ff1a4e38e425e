import type { Replacement } from '../program-copy.ts'
import { type Attack, attack, bug, type Proof, proof } from './attack.ts'

const CHANGE_SWEEP = 'src/store/changes/change-steps.ts'
const CHANGE_RECONCILER = 'src/execution/changes/change-reconciler.ts'
const CHANGE_SENDER = 'src/execution/changes/change-sender.ts'
const TRANSPORT = 'src/cdn/http/transport.ts'
const OUTCOME = 'src/execution/messages/write-outcome.ts'
const RECHECK = 'src/execution/changes/recheck.ts'
const POLICY = 'src/execution/policy/policy.ts'
const CHANGES = 'src/store/changes/changes.ts'

/** The sequences of the model, always the same ones: the first that is not sound has to say so by this rule. */
function model(says: RegExp, ...bugs: readonly Replacement[]): Proof {
  const env = { SAFETY_RUNS: '600', SAFETY_SEED: '20261120' }
  return { ...proof('test/safety/model/changes.slow.test.ts', 'stay sound in', ...bugs), env, says }
}

/** The real process, killed at these points alone. */
function kills(points: string, says: RegExp, ...bugs: readonly Replacement[]): Proof {
  const only = 'does nothing twice: sqlite'
  const env = { SAFETY_ONLY: points }
  return { ...proof('test/safety/kill/kill.slow.test.ts', 'and does nothing twice: $kind', ...bugs), only, env, says }
}

const SENDS_AGAIN = bug(CHANGE_SWEEP, "this.#sweep('unknown', now, step,", "this.#sweep('approved', now, step,")
/** Else what was secret in it is gone by then, and it is cancelled. */
const KEEPS_VALUES = bug(
  CHANGE_RECONCILER,
  'values: maskEndedValues(found, operations),\n        outcome: UNKNOWN',
  'outcome: UNKNOWN',
)
const WRITES_BEHIND = [
  bug(CHANGE_SENDER, 'sending = await this.#startSending(change, now)', 'sending = change'),
  bug(
    CHANGE_SENDER,
    'present = await call',
    'present = await call\n      sending = await this.#startSending(change, now)',
  ),
]

/** Mistakes in how changes are decided, sent, kept and told. */
export const CHANGE_BUGS: readonly Attack[] = [
  attack(
    'C1',
    'What a dead process was sending is sent again.',
    model(/I1:/, SENDS_AGAIN, KEEPS_VALUES),
    kills('^write at the platform:after$', /sent twice:/, SENDS_AGAIN),
  ),
  attack(
    'C2',
    'The entry that it is about to be sent comes after the call.',
    model(/I2:/, ...WRITES_BEHIND),
    kills('^write at the platform:after$|^done:after$', /sent without record:/, ...WRITES_BEHIND),
  ),
  attack(
    'C3',
    'A call without an answer is repeated.',
    model(
      /I1:/,
      bug(
        CHANGE_SENDER,
        'present = await call',
        'present = await call.catch(() => (now as Rechecked).invocation.perform(running))',
      ),
    ),
    kills(
      '^unknown:after$|^not_done:after$',
      /sent twice:/,
      bug(TRANSPORT, 'const sending = request(url, {', 'const send = () => request(url, {'),
      bug(TRANSPORT, 'await unlessAborted(sending, signal)', 'await unlessAborted(send().catch(send), signal)'),
    ),
  ),
  attack(
    'C4',
    'No answer is taken for a good one.',
    model(/I3:/, bug(OUTCOME, "return 'rejected'\n  return 'unknown'", "return 'rejected'\n  return 'done'")),
  ),
  attack(
    'C5',
    'A failure of the platform is taken for a refusal.',
    model(/I4:/, bug(OUTCOME, 'if (status >= 300 && status < 500 && !UNCLEAR.has(status))', 'if (status >= 300)')),
  ),
  attack(
    'C6',
    'Roles are remembered for ever.',
    model(
      /I5:|may( not)?:/,
      bug(
        RECHECK,
        'const requester = await people.actor(change.requestedBy, how)',
        'const requester: Actor = (Object(people)[change.requestedBy] ??= await people.actor(change.requestedBy, how))',
      ),
    ),
  ),
  attack(
    'C7',
    'One approval counts twice.',
    model(/I5:/, bug(RECHECK, 'return Promise.all(valid.map(', 'return Promise.all([...valid, ...valid].map(')),
  ),
  attack(
    'C8',
    'Whoever asks is taken for an admin.',
    model(/I5:/, bug(POLICY, 'const { role } = actor', "const role = 'admin' as Role")),
  ),
  attack(
    'C9',
    'Rules stay as they were at the start.',
    model(
      /I5:|may( not)?:/,
      bug(
        POLICY,
        '  const { actor, effect } = asked\n',
        '  policy = Object(globalThis).firstPolicy ??= policy\n  const { actor, effect } = asked\n',
      ),
    ),
  ),
  attack(
    'C10',
    'Nobody looks at the time when sending.',
    model(
      /I5: .* after its time/,
      bug(CHANGES, "        .$if(to === 'sending', (query) => query.where('expiresAt', '>', judgedAt))\n", ''),
    ),
  ),
  attack(
    'C11',
    'A message is noted whether Slack took it or not.',
    model(
      /(I6|I12):/,
      bug(
        'src/execution/changes/change-announcer.ts',
        'await this.#show(change, place, facts)',
        "await this.#show(change, place, facts).catch(() => place ?? { channel: 'C1', ts: '0.0' })",
      ),
    ),
  ),
  attack(
    'C12',
    'What waits is cleaned up.',
    model(/I7:/, bug(CHANGE_SWEEP, "eb('state', '=', 'draft')", "eb('state', 'in', ['draft', 'waiting', 'approved'])")),
  ),
  attack(
    'C13',
    'What is found after a crash is not put on record.',
    model(
      /I8:/,
      bug(
        'src/store/audit/audit-log.ts',
        "await rows.insertInto('auditEntries').values(added).execute()",
        "if (added[0]?.event !== 'unknown') await rows.insertInto('auditEntries').values(added).execute()",
      ),
    ),
  ),
  attack(
    'C14',
    'Text of people is taken for markup.',
    model(/I10:/, bug('src/block-kit/mrkdwn-pieces.ts', 'return ENTITIES[raw] ?? raw', 'return raw')),
  ),
  attack(
    'C15',
    'Nobody recovers what a crash left.',
    model(/I12:/, bug(CHANGE_RECONCILER, '() => recoverUnknown(this.#options, holder)', 'async () => []')),
  ),
  attack(
    'C16',
    'A late answer changes what has ended.',
    model(
      /final:/,
      bug(
        CHANGES,
        ".where('state', 'in', from)\n        .$if(boundTo",
        `.where('state', 'in', from.includes('unknown') ? [...from, 'done', 'not_done'] : from)
    .$if(boundTo`,
      ),
    ),
  ),
  attack(
    'C17',
    'A refusal is not put on record.',
    model(
      /may not:/,
      bug('src/execution/requests/refusals.ts', 'await kept.append(entry)', 'await Promise.resolve(kept)'),
    ),
  ),
  attack(
    'C18',
    'What was secret is kept when a change has ended.',
    model(
      /I9:/,
      bug(CHANGE_SENDER, 'const set = { values: invocation.maskedValues, outcome,', 'const set = { outcome,'),
    ),
  ),
  attack(
    'C19',
    'Who approved is asked of something that never answers.',
    model(/I11:/, bug(RECHECK, 'await store.approvals.of(change.id)', 'await new Promise<never>(() => undefined)')),
  ),
]
