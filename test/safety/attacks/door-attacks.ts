import { type Attack, attack, bug, proof } from './attack.ts'

const HTTP_SIGNATURE = 'test/slack/gateway/http-signature.test.ts'
const HTTP_RECEIVER = 'src/slack/gateway/http-receiver.ts'
const HTTP_RECEIVER_TEST = 'test/slack/gateway/http-receiver.wire.test.ts'
const SEEN_DELIVERIES = 'src/slack/gateway/seen-deliveries.ts'
const HTTP_CROWD = 'test/slack/gateway/http-crowd.wire.test.ts'
const HTTP_BODY_PARSER = 'src/slack/gateway/http-body-parser.ts'
const PAGE_SERVER_TEST = 'test/playground/page/page-server.wire.test.ts'

/** The door to Slack. */
export const DOOR_ATTACKS: readonly Attack[] = [
  attack(
    'S1',
    'A request is forged, sent again, dated otherwise or signed in another form.',
    proof(
      HTTP_SIGNATURE,
      'from now, earlier or later',
      bug(
        HTTP_RECEIVER,
        'Math.abs(now.getTime() - Number(timestamp) * 1_000)',
        '(now.getTime() - Number(timestamp) * 1_000)',
      ),
    ),
    proof(
      HTTP_SIGNATURE,
      'have no other way to write a time',
      bug(HTTP_RECEIVER, 'const TIMESTAMP = /^[1-9]\\d{8,10}$/', 'const TIMESTAMP = /./'),
    ),
    proof(
      HTTP_SIGNATURE,
      'are each there exactly once',
      bug(HTTP_RECEIVER, 'const SIGNATURE = /^v0=[0-9a-f]{64}$/', 'const SIGNATURE = /^v0=[0-9a-f]{64}/'),
    ),
    proof(
      HTTP_RECEIVER_TEST,
      'signed with another secret',
      bug(
        HTTP_RECEIVER,
        "    if (!isSignedBy(signed, body, this.#options.signingSecret)) return this.#refuse(response, 401, 'signed wrongly')\n",
        '',
      ),
    ),
    proof(
      HTTP_RECEIVER_TEST,
      'is known after a restart too, from the store',
      bug(
        SEEN_DELIVERIES,
        '(await waitAtMost(clock, STORE_MS, asking))?.value ?? true',
        'await asking.then(() => true)',
      ),
    ),
    proof(
      HTTP_RECEIVER_TEST,
      'is known while the store fails or hangs, and others are answered in time',
      bug(SEEN_DELIVERIES, '      if (!seen.add(id, true)) return false\n', ''),
    ),
    {
      ...proof(
        HTTP_CROWD,
        'that is refused %s is not carried out',
        bug(HTTP_RECEIVER, '    if (response.socket?.writable !== true) return\n', ''),
      ),
      only: 'that is refused for its signature, by HTTP/1.0 is not carried out',
    },
  ),
  attack(
    'S2',
    'A look at the certificate carries a payload past the signature.',
    proof(
      HTTP_RECEIVER_TEST,
      'does not get past the signature as a look at the certificate',
      bug(HTTP_BODY_PARSER, "  if (SslCheck.safeParse(body).success) return { kind: 'check' }\n", ''),
    ),
  ),
  attack(
    'S3',
    'A delivery is signed and odd: null, a list, half an object.',
    proof(
      'test/slack/gateway/http-body-parser.test.ts',
      'is refused as an interaction without',
      bug(HTTP_BODY_PARSER, 'Interaction.parse(body)', 'body as z.output<typeof Interaction>'),
    ),
  ),
  attack(
    'S4',
    'Large and slow requests fill the memory before anybody has looked at a signature.',
    proof(
      HTTP_RECEIVER_TEST,
      'is refused by its stated length, before any of it is taken',
      bug(HTTP_RECEIVER, 'MAX_BODY_BYTES = 1_000_000', 'MAX_BODY_BYTES = 900_000_000'),
    ),
    proof(
      HTTP_CROWD,
      'are ended after five seconds, and Slack is answered again',
      bug(HTTP_RECEIVER, 'RECEIVE_TIMEOUT_MS = 5_000', 'RECEIVE_TIMEOUT_MS = 50_000'),
    ),
    proof(HTTP_CROWD, 'is refused unread', bug(HTTP_BODY_PARSER, '  checkJsonSize(Buffer.from(text))\n', '')),
  ),
  attack(
    'S5',
    'The log of Slack’s library holds whole deliveries with their response addresses.',
    proof(
      'test/slack/out/web-api.test.ts',
      'is taken from warnings on, whatever level they set, without the properties of errors',
      bug('src/slack/out/web-api.ts', 'debug: () => undefined', 'debug: (...parts) => own.error(textOf(parts))'),
    ),
  ),
  attack(
    'S6',
    'The app may do more in Slack than it needs.',
    proof('test/manifest.test.ts', 'asks for exactly the scopes that the methods called need, each with its reason'),
  ),
  attack(
    'S7',
    'The playground is reached by another name, or by another page in the browser.',
    proof(
      PAGE_SERVER_TEST,
      'refuses what another page sends',
      bug('src/playground/page/page-server.ts', 'return headers.origin === `http://${headers.host}`', 'return true'),
    ),
  ),
]
