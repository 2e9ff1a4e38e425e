import { type Attack, attack, bug, proof } from './attack.ts'

const TRANSPORT = 'src/cdn/http/transport.ts'
const REQUESTS = 'test/cdn/requests.test.ts'
const JSON_TEST = 'test/shared/json.test.ts'
const JSON = 'src/shared/json.ts'
const MATRIX = 'test/safety/faults/matrix.wire.test.ts'
const STORAGE_STATISTICS_TEST = 'test/cdn/contract/storage-statistics.test.ts'
const LOOK_ALIKES = 'test/operations/dns/look-alikes.test.ts'

/** Keys would travel in the clear. */
export const HTTP_IS_REFUSED = proof(
  'test/config/base-address.test.ts',
  'http://api.example.com',
  bug(
    'src/config/setting-values.ts',
    "  if (url.protocol === 'http:') return 'is http, which is taken only for this machine itself: use https'\n",
    '',
  ),
)

/** Talking to the platform and to its log. */
export const PLATFORM_ATTACKS: readonly Attack[] = [
  attack(
    'N1',
    'The platform’s address, or a redirect, leads to a machine that is not the platform.',
    HTTP_IS_REFUSED,
    proof(
      'test/cdn/failures.wire.test.ts',
      'is a refusal, and the key goes to no other host',
      bug(
        TRANSPORT,
        "import { Agent, Client, type Dispatcher, request } from 'undici'",
        `import { Agent, Client, interceptors, type Dispatcher, request as plain } from 'undici'
const follows = interceptors.redirect({ maxRedirections: 2 })
const request: typeof plain = (url, options) =>
  plain(url, { ...options, dispatcher: (options?.dispatcher as Agent).compose(follows) })`,
      ),
    ),
  ),
  attack(
    'N2',
    'An id brings more into the path than an id.',
    proof(
      REQUESTS,
      'is nothing else, whatever is typed',
      bug('src/operations/declaration/fields.ts', '/^[1-9]\\d{0,18}$/.test(digits)', '/^[1-9]\\d{0,18}/.test(digits)'),
    ),
    proof(
      REQUESTS,
      'stays one part of the path, whatever it is',
      bug('src/cdn/contract/path-template.ts', 'return encodeURIComponent(value)', 'return value'),
    ),
  ),
  attack(
    'N3',
    'A large id is rounded on its way, so that another zone is shown or changed.',
    proof(
      JSON_TEST,
      'loses no integer of 64 bits on the way out and in',
      bug(JSON, 'LONG_NUMBER.test(text) ? lossless.parse(text, keepInteger) : JSON.parse(text)', 'JSON.parse(text)'),
    ),
  ),
  attack(
    'N4',
    'An answer is huge, endless, packed, deep, slow, cut or of another kind.',
    {
      ...proof(MATRIX, '%s', bug('src/cdn/http/response-body.ts', 'length > maxBytes', 'length > maxBytes * 1000')),
      only: 'a gzip bomb: listApiKeys',
    },
    proof(
      JSON_TEST,
      'refuses nesting that would overflow whatever walks it',
      bug(JSON, 'depth > MAX_JSON_DEPTH', 'depth > 1e9'),
    ),
    {
      ...proof(MATRIX, '%s', bug('src/cdn/http/deadline.ts', 'controller.abort()', 'void 0')),
      only: 'silence at: headers: listApiKeys',
    },
    {
      ...proof(MATRIX, '%s', bug(TRANSPORT, 'await unlessAborted(sending, signal)', 'await sending')),
      only: 'silence in the TLS handshake: listApiKeys',
    },
    proof(
      JSON_TEST,
      'refuses more values than can be walked without a pause',
      bug(JSON, 'values > MAX_JSON_VALUES', 'values > 1e9'),
    ),
  ),
  attack(
    'N5',
    'An answer has fields that reach a prototype, or more points than can be drawn.',
    proof(
      STORAGE_STATISTICS_TEST,
      'are refused when they are something else',
      bug('src/cdn/contract/storage-statistics.ts', 'points.length < entries.length', 'false'),
    ),
  ),
  attack(
    'N6',
    'The pages of the log go round in a circle or never end.',
    proof(
      'test/cdn/reading/log-pages.test.ts',
      'end after 60 of them, however much more there is',
      bug('src/cdn/reading/log-pages.ts', 'MAX_LOG_PAGES = 60', 'MAX_LOG_PAGES = 6000'),
    ),
  ),
  attack(
    'N7',
    'The bot asks the log more often than it may.',
    proof('test/cdn/http/log-limit.test.ts', 'lets 30 calls through, and the next only 10.05 s after an answer'),
    proof('test/cdn/http/log-limit.slow.test.ts', 'of 150 calls queued at once, the server sees 30 in any ten seconds'),
  ),
  attack(
    'N8',
    'The name or value of a record looks like another, or is not what will be stored.',
    proof(
      LOOK_ALIKES,
      'is refused',
      bug(
        'src/operations/dns/record-value.ts',
        '  if (/[^a-z0-9._*\\u0080-\\u{10FFFF}-]/iu.test(text)) return undefined\n',
        '',
      ),
    ),
  ),
]
