import type { Attack } from './attack.ts'

const DOOR = 'test/slack/http-door.wire.test.ts'
const SIGNATURE = 'test/slack/http-signature.test.ts'
const CROWD = 'test/slack/http-crowd.wire.test.ts'

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
          file: 'src/slack/http-signature.ts',
          from: 'Math.abs(now.getTime() - Number(timestamp) * 1_000)',
          to: '(now.getTime() - Number(timestamp) * 1_000)',
        },
      },
      {
        file: SIGNATURE,
        test: 'have no other way to write a time',
        without: {
          file: 'src/slack/http-signature.ts',
          from: 'const TIMESTAMP = /^[1-9]\\d{8,10}$/',
          to: 'const TIMESTAMP = /./',
        },
      },
      {
        file: SIGNATURE,
        test: 'are each there exactly once',
        without: {
          file: 'src/slack/http-signature.ts',
          from: "  if (timestamps.length > 1 || signatures.length > 1) return 'signed twice'\n",
          to: '',
        },
      },
      {
        file: DOOR,
        test: 'is refused: %s',
        only: 'signed with another secret',
        without: {
          file: 'src/slack/http-door.ts',
          from: "      if (!isSignedBy(signed, body, this.#options.signingSecret)) return this.#refuse(response, 401, 'signed wrongly')\n",
          to: '',
        },
      },
      {
        file: DOOR,
        test: 'is known after a restart too, from the store',
        without: {
          file: 'src/slack/http-replays.ts',
          from: 'return noted.inTime ? noted.value : true',
          to: 'return true',
        },
      },
      {
        file: DOOR,
        test: 'is known while the store fails or hangs, and others are answered in time',
        without: {
          file: 'src/slack/http-replays.ts',
          from: '    if (!this.#seen.isNew(signature)) return false\n',
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
          file: 'src/slack/http-envelope.ts',
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
        file: 'test/slack/http-envelope.test.ts',
        test: 'is refused as an interaction without %s',
        only: 'is refused as an interaction without',
        without: {
          file: 'src/slack/http-envelope.ts',
          from: 'Interaction.parse(body)',
          to: 'body as z.output<typeof Interaction>',
        },
      },
      {
        file: 'test/slack/link-frames.wire.test.ts',
        test: 'and is odd, is dropped without an error',
        without: { file: 'src/slack/links.ts', from: '  keepOddFramesFrom(receiver, log)\n', to: '' },
      },
      { file: DOOR, test: 'is refused and nothing else happens' },
      {
        file: 'test/fuzz/parsers.slow.test.ts',
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
          file: 'src/slack/http-bodies.ts',
          from: 'MAX_BODY_BYTES = 1_000_000',
          to: 'MAX_BODY_BYTES = 900_000_000',
        },
      },
      {
        file: CROWD,
        test: 'the largest give way where they become too much, and a command is answered',
        without: { file: 'src/slack/http-bodies.ts', from: 'MAX_PAGES = 256', to: 'MAX_PAGES = 65_536' },
      },
      {
        file: CROWD,
        test: 'the oldest give way where they become too many',
        without: {
          file: 'src/slack/http-connections.ts',
          from: 'if (this.count <= this.#most) return',
          to: 'if (this.count > 0) return',
        },
      },
      { file: 'test/end-to-end/besieged.slow.test.ts', test: 'neither fill the memory nor delay a command' },
    ],
  },
  {
    id: 'S5',
    priority: 'P1',
    attack: 'The log of Slack’s library holds whole deliveries with their response addresses.',
    proofs: [
      {
        file: 'test/slack/bolt-log.test.ts',
        test: 'is taken from warnings on, whatever level they set, without the properties of errors',
        without: {
          file: 'src/slack/bolt-log.ts',
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
          file: 'src/playground/page/request-guard.ts',
          from: 'return headers.origin === `http://${headers.host}`',
          to: 'return true',
        },
      },
      { file: 'test/playground/page/page-server.wire.test.ts', test: 'refuses to answer to the name %s' },
    ],
  },
]
