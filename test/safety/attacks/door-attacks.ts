import type { Attack } from './attack.ts'

const DOOR = 'test/slack/gateway/http-receiver.wire.test.ts'
const SIGNATURE = 'test/slack/gateway/http-signature.test.ts'
const CROWD = 'test/slack/gateway/http-crowd.wire.test.ts'

/** The door to Slack. */
export const DOOR_ATTACKS: readonly Attack[] = [
  {
    id: 'S1',
    priority: 'P0',
    attack: 'A request is forged, sent again, dated otherwise or signed in another form.',
    proofs: [
      {
        file: SIGNATURE,
        test: 'from now, earlier or later',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: 'Math.abs(now.getTime() - Number(timestamp) * 1_000)',
          to: '(now.getTime() - Number(timestamp) * 1_000)',
        },
      },
      {
        file: SIGNATURE,
        test: 'have no other way to write a time',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: 'const TIMESTAMP = /^[1-9]\\d{8,10}$/',
          to: 'const TIMESTAMP = /./',
        },
      },
      {
        file: SIGNATURE,
        test: 'are each there exactly once',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: 'const SIGNATURE = /^v0=[0-9a-f]{64}$/',
          to: 'const SIGNATURE = /^v0=[0-9a-f]{64}/',
        },
      },
      {
        file: DOOR,
        test: 'is refused: %s',
        only: 'signed with another secret',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: "    if (!isSignedBy(signed, body, this.#options.signingSecret)) return this.#refuse(response, 401, 'signed wrongly')\n",
          to: '',
        },
      },
      {
        file: DOOR,
        test: 'is known after a restart too, from the store',
        without: {
          file: 'src/slack/gateway/seen-deliveries.ts',
          from: '(await waitAtMost(this.#clock, STORE_MS, asking))?.value ?? true',
          to: 'await asking.then(() => true)',
        },
      },
      {
        file: DOOR,
        test: 'is known while the store fails or hangs, and others are answered in time',
        without: {
          file: 'src/slack/gateway/seen-deliveries.ts',
          from: '    if (!this.#seen.add(id, true)) return false\n',
          to: '',
        },
      },
      {
        file: CROWD,
        test: 'that is refused %s is not carried out',
        only: 'that is refused for its signature, by HTTP/1.0 is not carried out',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: '    if (response.socket?.writable !== true) return\n',
          to: '',
        },
      },
    ],
  },
  {
    id: 'S2',
    priority: 'P0',
    attack: 'A look at the certificate carries a payload past the signature.',
    proofs: [
      {
        file: DOOR,
        test: 'does not get past the signature as a look at the certificate',
        without: {
          file: 'src/slack/gateway/http-body-parser.ts',
          from: "  if (SslCheck.safeParse(body).success) return { kind: 'check' }\n",
          to: '',
        },
      },
    ],
  },
  {
    id: 'S3',
    priority: 'P0',
    attack: 'A delivery is signed and odd: null, a list, half an object.',
    proofs: [
      {
        file: 'test/slack/gateway/http-body-parser.test.ts',
        test: 'is refused as an interaction without %s',
        only: 'is refused as an interaction without',
        without: {
          file: 'src/slack/gateway/http-body-parser.ts',
          from: 'Interaction.parse(body)',
          to: 'body as z.output<typeof Interaction>',
        },
      },
      {
        file: 'test/slack/gateway/link-handover.wire.test.ts',
        test: 'and is odd leaves it open, and what comes next is answered',
      },
      { file: DOOR, test: 'is refused and nothing else happens' },
      {
        file: 'test/safety/fuzz/parsers.slow.test.ts',
        test: 'any delivery of Slack is read or refused, and nothing is thrown',
      },
    ],
  },
  {
    id: 'S4',
    priority: 'P0',
    attack: 'Large and slow requests fill the memory before anybody has looked at a signature.',
    proofs: [
      {
        file: DOOR,
        test: 'is refused by its stated length, before any of it is taken',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: 'MAX_BODY_BYTES = 1_000_000',
          to: 'MAX_BODY_BYTES = 900_000_000',
        },
      },
      {
        file: CROWD,
        test: 'with %s in all places are ended after five seconds, and Slack is answered again',
        only: 'are ended after five seconds, and Slack is answered again',
        without: {
          file: 'src/slack/gateway/http-receiver.ts',
          from: 'RECEIVE_TIMEOUT_MS = 5_000',
          to: 'RECEIVE_TIMEOUT_MS = 50_000',
        },
      },
      { file: CROWD, test: 'do not keep out a large body of Slack’s' },
      {
        file: CROWD,
        test: 'of %s is refused unread',
        only: 'is refused unread',
        without: {
          file: 'src/slack/gateway/http-body-parser.ts',
          from: 'if (depth > MAX_DEPTH || values > MAX_VALUES) return false',
          to: 'if (depth > MAX_DEPTH) return false',
        },
      },
      { file: 'test/end-to-end/besieged.slow.test.ts', test: 'do not fill the memory' },
      { file: 'test/end-to-end/besieged.slow.test.ts', test: 'leave little behind in memory' },
    ],
  },
  {
    id: 'S5',
    priority: 'P1',
    attack: 'The log of Slack’s library holds whole deliveries with their response addresses.',
    proofs: [
      {
        file: 'test/slack/out/web-api.test.ts',
        test: 'is taken from warnings on, whatever level they set, without the properties of errors',
        without: {
          file: 'src/slack/out/web-api.ts',
          from: 'debug: () => undefined',
          to: 'debug: (...parts) => own.error(textOf(parts))',
        },
      },
      {
        file: 'test/end-to-end/secrets.wire.test.ts',
        test: 'no secret reaches Slack, the log or the store, whatever people do',
      },
    ],
  },
  {
    id: 'S6',
    priority: 'P1',
    attack: 'The app may do more in Slack than it needs.',
    proofs: [
      {
        file: 'test/manifest.test.ts',
        test: 'asks for exactly the scopes that the methods called need, each with its reason',
      },
    ],
  },
  {
    id: 'S7',
    priority: 'P1',
    attack: 'The playground is reached by another name, or by another page in the browser.',
    proofs: [
      {
        file: 'test/playground/page/page-server.wire.test.ts',
        test: 'refuses what another page sends',
        without: {
          file: 'src/playground/page/page-server.ts',
          from: 'return headers.origin === `http://${headers.host}`',
          to: 'return true',
        },
      },
      { file: 'test/playground/page/page-server.wire.test.ts', test: 'refuses to answer to the name %s' },
    ],
  },
]
