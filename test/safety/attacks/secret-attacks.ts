import type { Attack } from './attack.ts'

const TYPED = 'test/slack/listeners/typed-keys.test.ts'
const CARELESS = {
  file: 'test/safety/canary/canary.slow.test.ts',
  test: 'a careless program lets no key out through its streams, in no spelling',
} as const
const EVERYWHERE = {
  file: 'test/end-to-end/secrets.wire.test.ts',
  test: 'no secret reaches Slack, the log or the store, whatever people do',
} as const

/** Keys and other secrets. */
export const SECRET_ATTACKS: readonly Attack[] = [
  {
    id: 'K1',
    priority: 'P0',
    attack: 'Keys that the platform lists reach Slack, the log, the store or stay in memory.',
    proofs: [
      {
        file: 'test/safety/canary/heap.slow.test.ts',
        test: 'the heap holds none of a thousand keys, while they are listed and afterwards',
        without: { file: 'src/cdn/reading/response-reading.ts', from: 'blankApiKeys(bytes)', to: 'void blankApiKeys' },
      },
      {
        file: 'test/cdn/reading/api-keys-blanking.test.ts',
        test: 'are gone: %s',
        only: 'are gone:',
        without: {
          file: 'src/cdn/reading/api-keys-blanking.ts',
          from: 'else if (field !== ROLES || before === COLON) emptyString(bytes, start + 1, at)',
          to: '',
        },
      },
      EVERYWHERE,
    ],
  },
  {
    id: 'K2',
    priority: 'P0',
    attack: 'What the platform answers to a creation holds keys, which are shown or stored.',
    proofs: [
      {
        file: 'test/shared/secret.test.ts',
        test: 'shows at most its last four characters: %s',
        only: 'shows at most its last four characters',
        without: {
          file: 'src/shared/secret.ts',
          from: 'toJSON(): string {\n    return redact(this.#value)',
          to: 'toJSON(): string {\n    return this.#value',
        },
      },
      {
        ...EVERYWHERE,
        without: {
          file: 'src/cdn/contract/video-library.ts',
          from: '  ApiKey: maybe(secret),\n  ReadOnlyApiKey: maybe(secret),',
          to: '  ApiKey: maybe(text),\n  ReadOnlyApiKey: maybe(text),',
        },
      },
    ],
  },
  {
    id: 'K3',
    priority: 'P0',
    attack: 'An error holds a secret in its words, its cause or its fields.',
    proofs: [
      {
        ...CARELESS,
        without: {
          file: 'src/shared/scrubber.ts',
          from: 'of this.#spansIn(text)',
          to: 'of [] as readonly Span[]',
        },
      },
      {
        file: 'test/shared/scrubbed-output.test.ts',
        test: 'finds a secret wherever it is cut in two, as text and as bytes',
        without: {
          file: 'src/shared/scrubbed-output.ts',
          from: "const end = text.lastIndexOf('\\n') + 1",
          to: 'const end = text.length',
        },
      },
      {
        file: 'test/shared/log.test.ts',
        test: 'lets no secret through, in fields, children, sentences and errors with their causes',
      },
      {
        file: 'test/safety/fuzz/secrets.slow.test.ts',
        test: 'no spelling of a secret comes through, whatever is around it',
      },
    ],
  },
  {
    id: 'K4',
    priority: 'P0',
    attack: 'Somebody types a key, which is then repeated or kept.',
    proofs: [
      {
        file: TYPED,
        test: 'instead of an operation is not repeated, and to be made anew: $kind',
        only: 'instead of an operation is not repeated',
        without: {
          file: 'src/slack/listeners/command-listener.ts',
          from: '    refuseTyped(parse, text, holdsSecret)',
          to: '    void refuseTyped',
        },
      },
      { file: TYPED, test: 'in a mention, which all can read, is not repeated: $kind' },
      { file: TYPED, test: 'in a form is not kept: $kind' },
    ],
  },
  {
    id: 'K5',
    priority: 'P1',
    attack: 'A crash, a report or a child process takes secrets out of the process.',
    proofs: [
      {
        file: 'test/safety/canary/process.wire.test.ts',
        test: 'does not start where %s would write down its memory: %s',
        only: 'does not start where',
        without: {
          file: 'src/start.ts',
          from: "if (dumps !== '')",
          to: "if (dumps === 'none')",
        },
      },
      {
        ...CARELESS,
        without: {
          file: 'src/start.ts',
          from: "process.on('uncaughtException', (error)",
          to: "process.on('never', (error)",
        },
      },
      { file: 'test/safety/canary/process.wire.test.ts', test: 'starts no other process and no thread' },
    ],
  },
  {
    id: 'K6',
    priority: 'P0',
    attack: 'The key goes to another host: by a redirect, by http, by an address with more in it.',
    proofs: [
      {
        file: 'test/config/base-address.test.ts',
        test: '%j is refused',
        only: 'http://api.example.com',
        without: {
          file: 'src/config/values.ts',
          from: "  if (url.protocol === 'http:') return 'is http, which is taken only for this machine itself: use https'\n",
          to: '',
        },
      },
      {
        file: 'test/safety/faults/certificates.wire.test.ts',
        test: '%s',
        only: 'certificate that nobody vouches for: addDnsRecord',
        without: {
          file: 'src/cdn/http/transport.ts',
          from: 'connect: { timeout: CONNECT_TIMEOUT_MS }',
          to: 'connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: false }',
        },
      },
    ],
  },
  {
    id: 'K7',
    priority: 'P1',
    attack: 'The store or a backup of it is stolen.',
    proofs: [
      {
        ...EVERYWHERE,
        without: {
          file: 'src/operations/declaration/define-operation.ts',
          from: 'fields[name]?.secret === true ? MASK : raw',
          to: 'raw',
        },
      },
    ],
  },
  {
    id: 'K8',
    priority: 'P1',
    attack: 'A secret is in the repository.',
    proofs: [
      { file: 'test/repository.test.ts', test: 'holds no token that could be a real one' },
      { file: 'test/repository.test.ts', test: 'tracks no store, no log, no environment and no key' },
    ],
  },
]
