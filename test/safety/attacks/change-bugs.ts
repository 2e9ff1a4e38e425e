import type { Replacement } from '../program-copy.ts'
import type { Attack, Proof } from './attack.ts'

const SENDER = 'src/execution/changes/change-sender.ts'
const RECHECK = 'src/execution/changes/recheck.ts'
const POLICY = 'src/execution/policy/policy.ts'
const SWEEP = 'src/store/changes/change-sweep.ts'

/** The sequences of the model, always the same ones: the first that is not sound has to say so by this rule. */
function model(says: RegExp, ...without: readonly Replacement[]): Proof {
  const env = { MODEL_RUNS: '600', MODEL_SEED: '20261120' }
  return { file: 'test/safety/model/changes.slow.test.ts', test: 'stay sound in', env, says, without }
}

/** The real process, killed at these points alone. */
function kills(points: string, says: RegExp, ...without: readonly Replacement[]): Proof {
  const env = { KILL_POINTS: points }
  const only = 'does nothing twice: sqlite'
  return { file: 'test/safety/kill/kill.slow.test.ts', test: 'and does nothing twice: $kind', only, env, says, without }
}

const SENDS_AGAIN: Replacement = {
  file: SWEEP,
  from: "this.#sweep('unknown', now, step,",
  to: "this.#sweep('approved', now, step,",
}
/** Else what was secret in it is gone by then, and it is cancelled. */
const KEEPS_VALUES: Replacement = {
  file: 'src/execution/changes/change-reconciler.ts',
  from: 'values: maskEndedValues(found, operations),\n        outcome: UNKNOWN',
  to: 'outcome: UNKNOWN',
}
const WRITES_BEHIND: readonly Replacement[] = [
  { file: SENDER, from: 'sending = await this.#startSending(change, now)', to: 'sending = change' },
  {
    file: SENDER,
    from: 'performed = await call',
    to: `performed = await call
      sending = await this.#startSending(change, now)`,
  },
]

/** Mistakes in how changes are decided, sent, kept and told. */
export const CHANGE_BUGS: readonly Attack[] = [
  {
    id: 'C1',
    priority: 'P0',
    attack: 'What a dead process was sending is sent again.',
    proofs: [
      model(/I1:/, SENDS_AGAIN, KEEPS_VALUES),
      kills('^write at the platform:after$', /sent twice:/, SENDS_AGAIN),
    ],
  },
  {
    id: 'C2',
    priority: 'P0',
    attack: 'The entry that it is about to be sent comes after the call.',
    proofs: [
      model(/I2:/, ...WRITES_BEHIND),
      kills('^write at the platform:after$|^done:after$', /sent without record:/, ...WRITES_BEHIND),
    ],
  },
  {
    id: 'C3',
    priority: 'P0',
    attack: 'A call without an answer is repeated.',
    proofs: [
      model(/I1:/, {
        file: SENDER,
        from: 'performed = await call',
        to: 'performed = await call.catch(() => (now as Rechecked).invocation.perform(running))',
      }),
      kills(
        '^unknown:after$|^not_done:after$',
        /sent twice:/,
        {
          file: 'src/cdn/http/transport.ts',
          from: 'const sending = request(url, {',
          to: 'const send = () => request(url, {',
        },
        {
          file: 'src/cdn/http/transport.ts',
          from: 'await unlessAborted(sending, signal)',
          to: 'await unlessAborted(send().catch(send), signal)',
        },
      ),
    ],
  },
  {
    id: 'C4',
    priority: 'P0',
    attack: 'No answer is taken for a good one.',
    proofs: [
      model(/I3:/, {
        file: 'src/execution/messages/outcome.ts',
        from: "return 'rejected'\n  return 'unknown'",
        to: "return 'rejected'\n  return 'done'",
      }),
    ],
  },
  {
    id: 'C5',
    priority: 'P0',
    attack: 'A failure of the platform is taken for a refusal.',
    proofs: [
      model(/I4:/, {
        file: 'src/execution/messages/outcome.ts',
        from: 'if (status >= 300 && status < 500 && !UNCLEAR.has(status))',
        to: 'if (status >= 300)',
      }),
    ],
  },
  {
    id: 'C6',
    priority: 'P0',
    attack: 'Roles are remembered for ever.',
    proofs: [
      model(/I5:|may( not)?:/, {
        file: RECHECK,
        from: 'const requester = await people.actor(change.requestedBy, how)',
        to: 'const requester: Actor = (Object(people)[change.requestedBy] ??= await people.actor(change.requestedBy, how))',
      }),
    ],
  },
  {
    id: 'C7',
    priority: 'P0',
    attack: 'One approval counts twice.',
    proofs: [
      model(/I5:/, {
        file: RECHECK,
        from: 'return Promise.all(valid.map(',
        to: 'return Promise.all([...valid, ...valid].map(',
      }),
    ],
  },
  {
    id: 'C8',
    priority: 'P0',
    attack: 'Whoever asks is taken for an admin.',
    proofs: [model(/I5:/, { file: POLICY, from: 'const { role } = actor', to: "const role = 'admin' as Role" })],
  },
  {
    id: 'C9',
    priority: 'P0',
    attack: 'Rules stay as they were at the start.',
    proofs: [
      model(/I5:|may( not)?:/, {
        file: POLICY,
        from: '  const { actor, effect } = asked\n',
        to: '  policy = Object(globalThis).firstPolicy ??= policy\n  const { actor, effect } = asked\n',
      }),
    ],
  },
  {
    id: 'C10',
    priority: 'P0',
    attack: 'Nobody looks at the time when sending.',
    proofs: [
      model(/I5: .* after its time/, {
        file: 'src/store/changes/changes.ts',
        from: "    .$if(to === 'sending', (query) => query.where('expiresAt', '>', judgedAtMs))\n",
        to: '',
      }),
    ],
  },
  {
    id: 'C11',
    priority: 'P0',
    attack: 'A message is noted whether Slack took it or not.',
    proofs: [
      model(/(I6|I12):/, {
        file: 'src/execution/changes/change-announcer.ts',
        from: 'await this.#showOrGiveUp(change, place)',
        to: "await this.#showOrGiveUp(change, place).catch(() => place ?? { channel: 'C1', ts: '0.0' })",
      }),
    ],
  },
  {
    id: 'C12',
    priority: 'P0',
    attack: 'What waits is cleaned up.',
    proofs: [
      model(/I7:/, {
        file: SWEEP,
        from: "eb('state', '=', 'draft')",
        to: "eb('state', 'in', ['draft', 'waiting', 'approved'])",
      }),
    ],
  },
  {
    id: 'C13',
    priority: 'P0',
    attack: 'What is found after a crash is not put on record.',
    proofs: [
      model(/I8:/, {
        file: 'src/store/audit/audit-log.ts',
        from: 'for (let from = 0; from < added.length;',
        to: "for (let from = added[0]?.event === 'unknown' ? added.length : 0; from < added.length;",
      }),
    ],
  },
  {
    id: 'C14',
    priority: 'P0',
    attack: 'Text of people is taken for markup.',
    proofs: [
      model(/I10:/, {
        file: 'src/block-kit/mrkdwn-pieces.ts',
        from: 'return ENTITIES[raw] ?? raw',
        to: 'return raw',
      }),
    ],
  },
  {
    id: 'C15',
    priority: 'P0',
    attack: 'Nobody recovers what a crash left.',
    proofs: [
      model(/I12:/, {
        file: 'src/execution/changes/change-reconciler.ts',
        from: '() => recoverUnknown(this.#options, holder)',
        to: 'async () => []',
      }),
    ],
  },
  {
    id: 'C16',
    priority: 'P0',
    attack: 'A late answer changes what has ended.',
    proofs: [
      model(/final:/, {
        file: 'src/store/changes/changes.ts',
        from: ".where('state', 'in', from)\n    .$if(boundTo",
        to: ".where('state', 'in', from.includes('unknown') ? [...from, 'done', 'not_done'] : from)\n    .$if(boundTo",
      }),
    ],
  },
  {
    id: 'C17',
    priority: 'P0',
    attack: 'A refusal is not put on record.',
    proofs: [
      model(/may not:/, {
        file: 'src/execution/requests/refusals.ts',
        from: 'await kept.append(entry)',
        to: 'await Promise.resolve(kept)',
      }),
    ],
  },
  {
    id: 'C18',
    priority: 'P0',
    attack: 'What was secret is kept when a change has ended.',
    proofs: [
      model(/I9:/, {
        file: SENDER,
        from: 'const set = { values: invocation.maskedValues, outcome,',
        to: 'const set = { outcome,',
      }),
    ],
  },
  {
    id: 'C19',
    priority: 'P0',
    attack: 'Who approved is asked of something that never answers.',
    proofs: [
      model(/I11:/, {
        file: RECHECK,
        from: 'await store.approvals.of(change.id)',
        to: 'await new Promise<never>(() => undefined)',
      }),
    ],
  },
]
