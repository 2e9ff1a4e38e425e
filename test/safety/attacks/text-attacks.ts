import type { Attack } from './attack.ts'

const MARKUP = 'test/safety/fuzz/markup.slow.test.ts'
const MRKDWN = 'test/block-kit/mrkdwn.test.ts'
const OUTBOUND = 'test/slack/out/message-sender.test.ts'

/** Text of strangers that is shown in Slack. */
export const TEXT_ATTACKS: readonly Attack[] = [
  {
    id: 'X1',
    priority: 'P0',
    attack: 'A log line, a name or a key pings people or channels.',
    proofs: [
      {
        file: 'test/block-kit/foreign-text.test.ts',
        test: 'no message has a problem, a control sequence that is not ours, or a hidden character',
        without: {
          file: 'src/block-kit/mrkdwn-pieces.ts',
          from: 'return ENTITIES[raw] ?? raw',
          to: 'return raw',
        },
      },
      { file: MARKUP, test: 'whatever is shown in whatever way, the walker finds nothing' },
      { file: 'test/safety/fuzz/tour.slow.test.ts', test: 'the tour shows text, own mentions' },
    ],
  },
  {
    id: 'X2',
    priority: 'P0',
    attack: 'A link shows other words than where it leads.',
    proofs: [
      {
        file: MRKDWN,
        test: 'refuse a link to another scheme, or with credentials',
        without: {
          file: 'src/block-kit/mrkdwn.ts',
          from: "if (url.username !== '' || url.password !== '') throw",
          to: 'if (false) throw',
        },
      },
      {
        file: MRKDWN,
        test: 'link with an encoded target and a harmless label',
        without: { file: 'src/block-kit/mrkdwn.ts', from: "url.href.replaceAll('|', '%7C')", to: 'url.href' },
      },
    ],
  },
  {
    id: 'X3',
    priority: 'P0',
    attack: 'The same by way of the plain words, titles, confirmations, file names, replies and errors.',
    proofs: [
      {
        file: 'test/block-kit/foreign-text.test.ts',
        test: 'no message has a problem, a control sequence that is not ours, or a hidden character',
        without: { file: 'src/block-kit/message.ts', from: 'text: twinOf(text),', to: 'text,' },
      },
      {
        file: OUTBOUND,
        test: 'whose plain words hold a control sequence is sent as words alone, escaped',
        without: {
          file: 'src/slack/out/message-sender.ts',
          from: "strayAt === '/text' ? twinOf(text) : text",
          to: 'text',
        },
      },
      {
        file: 'test/block-kit/markup-gate.test.ts',
        test: 'may not be %j, wherever it came from',
        only: 'wherever it came from',
        without: {
          file: 'src/block-kit/markup-gate.ts',
          from: "  if (isMarkup && BARE.test(String(part.text).replaceAll(OURS, ''))) return '/text'\n",
          to: '',
        },
      },
      { file: 'test/block-kit/one-way-out.test.ts', test: 'goes through one file, which holds it to the limits' },
      { file: 'test/block-kit/one-way-out.test.ts', test: 'goes through one client, which nobody else makes' },
    ],
  },
  {
    id: 'X4',
    priority: 'P0',
    attack: 'A backtick ends the code that a value is shown in.',
    proofs: [
      {
        file: MARKUP,
        test: 'nothing opens or closes code but our own marks',
        without: {
          file: 'src/block-kit/mrkdwn-pieces.ts',
          from: "if (raw === '`' || replaced.has(index))",
          to: 'if (replaced.has(index))',
        },
      },
    ],
  },
  {
    id: 'X5',
    priority: 'P1',
    attack: 'Slack makes mentions, emoji and links of bare words.',
    proofs: [
      {
        file: OUTBOUND,
        test: 'is quiet, by whatever way it goes',
        without: {
          file: 'src/slack/out/message-sender.ts',
          from: "unfurl_media: false, parse: 'none', link_names: false }",
          to: "unfurl_media: false, parse: 'full', link_names: true }",
        },
      },
    ],
  },
  {
    id: 'X6',
    priority: 'P0',
    attack: 'An address in an alert is fetched by Slack, which makes the lines that raise the alert again.',
    proofs: [
      {
        file: 'test/safety/fuzz/unfurl-loop.slow.test.ts',
        test: 'gets none to fetch: an alert is told once, and does not feed itself',
        without: { file: 'src/slack/out/message-sender.ts', from: 'unfurl_links: false', to: 'unfurl_links: true' },
      },
    ],
  },
  {
    id: 'X7',
    priority: 'P0',
    attack: 'Characters that hide, reorder or break lines make a text look like another.',
    proofs: [
      {
        file: 'test/shared/untrusted.test.ts',
        test: 'is shown with what it hides: %j',
        only: 'is shown with what it hides',
        without: {
          file: 'src/shared/untrusted.ts',
          from: 'source.toWellFormed().replace(HIDING, spellOut)',
          to: 'source',
        },
      },
      { file: 'test/shared/untrusted.test.ts', test: 'never hides anything, whatever it is' },
      {
        file: 'test/safety/fuzz/hostile-text.wire.test.ts',
        test: 'reach nobody and lead nowhere, in answers, groups and files',
      },
    ],
  },
  {
    id: 'X8',
    priority: 'P0',
    attack: 'A long value is cut inside a character or makes Slack refuse the whole message.',
    proofs: [
      {
        file: MARKUP,
        test: 'no text of any length up to 50,000 makes a message that Slack refuses',
        without: {
          file: 'src/block-kit/mrkdwn-pieces.ts',
          from: 'length += (ENTITIES[character] ?? character).length',
          to: 'length += character.length',
        },
      },
    ],
  },
  {
    id: 'X9',
    priority: 'P1',
    attack: 'A line feed in a value makes a line of its own in the log of the bot.',
    proofs: [
      {
        file: 'test/safety/fuzz/secrets.slow.test.ts',
        test: 'a log has as many lines as there were events, whatever their words',
        without: {
          file: 'src/shared/log.ts',
          from: '=> scrubber.scrub(line)',
          to: "=> scrubber.scrub(line).replaceAll('\\\\n', '\\n')",
        },
      },
    ],
  },
  {
    id: 'X10',
    priority: 'P0',
    attack: 'A cell of a file is a formula to a spreadsheet, or a file has a name that deceives.',
    proofs: [
      {
        file: MARKUP,
        test: 'no cell of a file is a formula to a spreadsheet, however that splits, and none is lost',
        without: {
          file: 'src/operations/declaration/csv.ts',
          from: "return FORMULA.test(split) ? `'${split}` : split",
          to: 'return split',
        },
      },
      {
        file: 'test/operations/declaration/csv.test.ts',
        test: 'harmless, also where cells end at semicolons or tabs',
        without: {
          file: 'src/operations/declaration/csv.ts',
          from: `replace(SPLIT_FORMULA, "$1'")`,
          to: 'replace(SPLIT_FORMULA, "$1")',
        },
      },
      { file: MARKUP, test: 'the name of a file is one for every system' },
    ],
  },
  {
    id: 'X11',
    priority: 'P1',
    attack: 'A display name imitates that of another person.',
    proofs: [
      {
        file: MRKDWN,
        test: 'mention people by valid ids only',
        without: {
          file: 'src/block-kit/mrkdwn.ts',
          from: 'return USER_ID.test(userId) ? control',
          to: 'return true ? control',
        },
      },
      { file: 'test/block-kit/one-way-out.test.ts', test: 'never names somebody: people are shown by their ids' },
    ],
  },
]
