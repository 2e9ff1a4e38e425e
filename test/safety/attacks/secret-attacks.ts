import { type Attack, attack, bug, proof } from './attack.ts'
import { HTTP_IS_REFUSED } from './platform-attacks.ts'

const SECRETS_TEST = 'test/end-to-end/secrets.wire.test.ts'
const CANARY = 'test/safety/canary/canary.slow.test.ts'
const TYPED_KEYS = 'test/slack/listeners/typed-keys.test.ts'
const PROCESS = 'test/safety/canary/process.wire.test.ts'
const START = 'src/start.ts'
const REPOSITORY = 'test/repository.test.ts'

/** Keys and other secrets. */
export const SECRET_ATTACKS: readonly Attack[] = [
  attack(
    'K1',
    'Keys that the platform lists reach Slack, the log, the store or stay in memory.',
    proof(
      'test/safety/canary/heap.slow.test.ts',
      'the heap holds none of a thousand keys, while they are listed and afterwards',
      bug('src/cdn/reading/response-reading.ts', 'blankApiKeys(bytes)', 'void blankApiKeys'),
    ),
    proof(
      'test/cdn/reading/api-keys-blanking.test.ts',
      'are gone:',
      bug(
        'src/cdn/reading/api-keys-blanking.ts',
        'else if (field !== ROLES || before === COLON) emptyString(bytes, start + 1, at)',
        '',
      ),
    ),
  ),
  attack(
    'K2',
    'What the platform answers to a creation holds keys, which are shown or stored.',
    proof(
      'test/shared/secret.test.ts',
      'shows at most its last four characters',
      bug(
        'src/shared/secret.ts',
        'toJSON(): string {\n    return redact(this.#value)',
        'toJSON(): string {\n    return this.#value',
      ),
    ),
    proof(
      SECRETS_TEST,
      'no secret reaches Slack, the log or the store, whatever people do',
      bug(
        'src/cdn/contract/video-library.ts',
        '  ApiKey: maybe(secret),\n  ReadOnlyApiKey: maybe(secret),',
        '  ApiKey: maybe(text),\n  ReadOnlyApiKey: maybe(text),',
      ),
    ),
  ),
  attack(
    'K3',
    'An error holds a secret in its words, its cause or its fields.',
    proof(
      CANARY,
      'a careless program lets no key out through its streams, in no spelling',
      bug('src/shared/scrubber.ts', 'of this.#spansIn(text)', 'of [] as { start: number; end: number }[]'),
    ),
    proof(
      'test/shared/scrubbed-output.test.ts',
      'finds a secret wherever it is cut in two, as text and as bytes',
      bug('src/shared/scrubbed-output.ts', "const end = text.lastIndexOf('\\n') + 1", 'const end = text.length'),
    ),
  ),
  attack(
    'K4',
    'Somebody types a key, which is then repeated or kept.',
    proof(
      TYPED_KEYS,
      'instead of an operation is not repeated',
      bug(
        'src/slack/listeners/command-listener.ts',
        '    refuseTyped(parse, text, holdsSecret)',
        '    void refuseTyped',
      ),
    ),
  ),
  attack(
    'K5',
    'A crash, a report or a child process takes secrets out of the process.',
    proof(PROCESS, 'does not start where', bug(START, "if (dumps !== '')", "if (dumps === 'none')")),
    proof(
      CANARY,
      'a careless program lets no key out through its streams, in no spelling',
      bug(START, "process.on('uncaughtException', (error)", "process.on('never', (error)"),
    ),
  ),
  attack(
    'K6',
    'The key goes to another host: by a redirect, by http, by an address with more in it.',
    HTTP_IS_REFUSED,
    {
      ...proof(
        'test/safety/faults/matrix.wire.test.ts',
        '%s',
        bug(
          'src/cdn/http/transport.ts',
          'connect: { timeout: CONNECT_TIMEOUT_MS }',
          'connect: { timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: false }',
        ),
      ),
      only: 'certificate that nobody vouches for: addDnsRecord',
    },
  ),
  attack(
    'K7',
    'The store or a backup of it is stolen.',
    proof(
      SECRETS_TEST,
      'no secret reaches Slack, the log or the store, whatever people do',
      bug('src/operations/declaration/define-operation.ts', 'fields[name]?.secret === true ? MASK : raw', 'raw'),
    ),
  ),
  attack(
    'K8',
    'A secret is in the repository.',
    proof(REPOSITORY, 'holds no token that could be a real one'),
    proof(REPOSITORY, 'tracks no store, no log, no environment and no key'),
  ),
]
