import type { Attack } from './attack.ts'

const IDS = 'test/cdn/requests.test.ts'
const JSON_TEXT = 'test/cdn/contract/json.test.ts'
const BODIES = 'test/safety/faults/bodies.wire.test.ts'
const NETWORK = 'test/safety/faults/network.wire.test.ts'
const LOOK_ALIKES = 'test/operations/dns/look-alikes.test.ts'

/** Talking to the platform and to its log. */
export const PLATFORM_ATTACKS: readonly Attack[] = [
  {
    id: 'N1',
    priority: 'P0',
    attack: 'The platform’s address, or a redirect, leads to a machine that is not the platform.',
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
        file: 'test/cdn/failures.wire.test.ts',
        test: '%i is a refusal, and the key goes to no other host',
        only: 'is a refusal, and the key goes to no other host',
        without: {
          file: 'src/cdn/http/transport.ts',
          from: "import { Agent, Client, type Dispatcher, request } from 'undici'",
          to: `import { Agent, Client, interceptors, type Dispatcher, request as plain } from 'undici'
const follows = interceptors.redirect({ maxRedirections: 2 })
const request: typeof plain = (url, options) =>
  plain(url, { ...options, dispatcher: (options?.dispatcher as Agent).compose(follows) })`,
        },
      },
    ],
  },
  {
    id: 'N2',
    priority: 'P0',
    attack: 'An id brings more into the path than an id.',
    proofs: [
      {
        file: IDS,
        test: 'is nothing else, whatever is typed',
        without: {
          file: 'src/operations/declaration/fields.ts',
          from: '/^[1-9]\\d{0,18}$/.test(digits)',
          to: '/^[1-9]\\d{0,18}/.test(digits)',
        },
      },
      {
        file: IDS,
        test: 'stays one part of the path, whatever it is',
        without: {
          file: 'src/cdn/contract/path-template.ts',
          from: 'return encodeURIComponent(value)',
          to: 'return value',
        },
      },
    ],
  },
  {
    id: 'N3',
    priority: 'P0',
    attack: 'A large id is rounded on its way, so that another zone is shown or changed.',
    proofs: [
      {
        file: JSON_TEXT,
        test: 'loses no integer of 64 bits on the way out and in',
        without: {
          file: 'src/cdn/contract/json.ts',
          from: 'isLong ? lossless.parse(text, keepInteger) : JSON.parse(text)',
          to: 'JSON.parse(text)',
        },
      },
    ],
  },
  {
    id: 'N4',
    priority: 'P0',
    attack: 'An answer is huge, endless, packed, deep, slow, cut or of another kind.',
    proofs: [
      {
        file: BODIES,
        test: '%s',
        only: 'a gzip bomb: listApiKeys',
        without: { file: 'src/cdn/http/response-body.ts', from: 'length > maxBytes', to: 'length > maxBytes * 1000' },
      },
      {
        file: JSON_TEXT,
        test: 'refuses nesting that would overflow whatever walks it, before parsing it',
        without: { file: 'src/cdn/contract/json.ts', from: 'depth > MAX_JSON_DEPTH', to: 'depth > 1e9' },
      },
      {
        file: NETWORK,
        test: '%s',
        only: 'silence at: headers: listApiKeys',
        without: { file: 'src/cdn/http/deadline.ts', from: 'this.#controller.abort()', to: 'void 0' },
      },
      {
        file: NETWORK,
        test: '%s',
        only: 'silence in the TLS handshake: listApiKeys',
        without: {
          file: 'src/cdn/http/transport.ts',
          from: 'await unlessAborted(sending, signal)',
          to: 'await sending',
        },
      },
      {
        file: JSON_TEXT,
        test: 'refuses more values than can be walked without a pause, before parsing them',
        without: { file: 'src/cdn/contract/json.ts', from: 'values > MAX_JSON_VALUES', to: 'values > 1e9' },
      },
      { file: 'test/safety/faults/hostile.slow.test.ts', test: '%s' },
    ],
  },
  {
    id: 'N5',
    priority: 'P1',
    attack: 'An answer has fields that reach a prototype, or more points than can be drawn.',
    proofs: [
      {
        file: 'test/cdn/contract/storage-statistics.test.ts',
        test: 'are refused when they are something else',
        without: {
          file: 'src/cdn/contract/storage-statistics.ts',
          from: 'points.length < entries.length',
          to: 'false',
        },
      },
      {
        file: 'test/cdn/contract/storage-statistics.test.ts',
        test: 'do not let a field name reach the prototype of anything',
      },
    ],
  },
  {
    id: 'N6',
    priority: 'P1',
    attack: 'The pages of the log go round in a circle or never end.',
    proofs: [
      {
        file: 'test/cdn/reading/log-pages.test.ts',
        test: 'end after 60 of them, however much more there is',
        without: { file: 'src/cdn/reading/log-pages.ts', from: 'MAX_LOG_PAGES = 60', to: 'MAX_LOG_PAGES = 6000' },
      },
    ],
  },
  {
    id: 'N7',
    priority: 'P1',
    attack: 'The bot asks the log more often than it may.',
    proofs: [
      {
        file: 'test/cdn/http/log-limit.test.ts',
        test: 'lets 30 calls through, and the next only 10.05 s after an answer',
      },
      {
        file: 'test/cdn/http/log-limit.slow.test.ts',
        test: 'of 250 calls queued at once, the server sees 30 in any ten seconds',
      },
    ],
  },
  {
    id: 'N8',
    priority: 'P1',
    attack: 'The name or value of a record looks like another, or is not what will be stored.',
    proofs: [
      {
        file: LOOK_ALIKES,
        test: 'the name %j is refused',
        only: 'is refused',
        without: {
          file: 'src/operations/dns/record-value.ts',
          from: '  if (/[^a-z0-9._*\\u0080-\\u{10FFFF}-]/iu.test(text)) return undefined\n',
          to: '',
        },
      },
      { file: LOOK_ALIKES, test: 'the review of a record says so' },
      { file: LOOK_ALIKES, test: 'is no host name' },
    ],
  },
]
