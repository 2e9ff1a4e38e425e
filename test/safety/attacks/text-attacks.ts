import { type Attack, attack, bug, proof } from './attack.ts'

const FOREIGN_TEXT = 'test/block-kit/foreign-text.bulk.test.ts'
const MRKDWN_PIECES = 'src/block-kit/mrkdwn-pieces.ts'
const MARKUP = 'test/safety/fuzz/markup.slow.test.ts'
const MRKDWN_TEST = 'test/block-kit/mrkdwn.test.ts'
const MRKDWN = 'src/block-kit/mrkdwn.ts'
const MESSAGE_SENDER_TEST = 'test/slack/out/message-sender.test.ts'
const MESSAGE_SENDER = 'src/slack/out/message-sender.ts'
const UNTRUSTED_TEST = 'test/shared/untrusted.test.ts'
const CSV = 'src/operations/declaration/csv.ts'

/** Text of strangers that is shown in Slack. */
export const TEXT_ATTACKS: readonly Attack[] = [
  attack(
    'X1',
    'A log line, a name or a key pings people or channels.',
    proof(
      FOREIGN_TEXT,
      'no message has a problem, a control sequence that is not ours, or a hidden character',
      bug(MRKDWN_PIECES, 'return ENTITIES[raw] ?? raw', 'return raw'),
    ),
  ),
  attack(
    'X2',
    'A link shows other words than where it leads.',
    proof(
      MRKDWN_TEST,
      'refuse a link to another scheme, or with credentials',
      bug(MRKDWN, "if (url.username !== '' || url.password !== '') throw", 'if (false) throw'),
    ),
    proof(
      MRKDWN_TEST,
      'link with an encoded target and a harmless label',
      bug(MRKDWN, "url.href.replaceAll('|', '%7C')", 'url.href'),
    ),
  ),
  attack(
    'X3',
    'The same by way of the plain words, titles, confirmations, file names, replies and errors.',
    proof(
      FOREIGN_TEXT,
      'no message has a problem, a control sequence that is not ours, or a hidden character',
      bug('src/block-kit/message.ts', 'text: twinOf(text),', 'text,'),
    ),
    proof(
      MESSAGE_SENDER_TEST,
      'whose plain words hold a control sequence is sent as words alone, escaped',
      bug(MESSAGE_SENDER, "strayAt === '/text' ? twinOf(message.text) : message.text", 'message.text'),
    ),
    proof(
      'test/block-kit/markup-gate.test.ts',
      'wherever it came from',
      bug(
        'src/block-kit/markup-gate.ts',
        "  if (isMarkup && BARE.test(String(part.text).replaceAll(OURS, ''))) return '/text'\n",
        '',
      ),
    ),
  ),
  attack(
    'X4',
    'A backtick ends the code that a value is shown in.',
    proof(
      MARKUP,
      'nothing opens or closes code but our own marks',
      bug(MRKDWN_PIECES, "if (raw === '`' || replaced.has(index))", 'if (replaced.has(index))'),
    ),
  ),
  attack(
    'X5',
    'Slack makes mentions, emoji and links of bare words.',
    proof(
      MESSAGE_SENDER_TEST,
      'is quiet, by whatever way it goes',
      bug(
        MESSAGE_SENDER,
        "unfurl_media: false, parse: 'none', link_names: false }",
        "unfurl_media: false, parse: 'full', link_names: true }",
      ),
    ),
  ),
  attack(
    'X6',
    'An address in an alert is fetched by Slack, which makes the lines that raise the alert again.',
    proof(
      MESSAGE_SENDER_TEST,
      'is quiet, by whatever way it goes',
      bug(MESSAGE_SENDER, 'unfurl_links: false', 'unfurl_links: true'),
    ),
  ),
  attack(
    'X7',
    'Characters that hide, reorder or break lines make a text look like another.',
    proof(
      UNTRUSTED_TEST,
      'is shown with what it hides',
      bug('src/shared/untrusted.ts', 'source.toWellFormed().replace(HIDING, spellOut)', 'source'),
    ),
  ),
  attack(
    'X8',
    'A long value is cut inside a character or makes Slack refuse the whole message.',
    proof(
      MARKUP,
      'no text of any length up to 50,000 makes a message that Slack refuses',
      bug(MRKDWN_PIECES, 'length += (ENTITIES[character] ?? character).length', 'length += character.length'),
    ),
  ),
  attack(
    'X9',
    'A line feed in a value makes a line of its own in the log of the bot.',
    proof(
      'test/safety/fuzz/secrets.slow.test.ts',
      'a log has as many lines as there were events, whatever their words',
      bug('src/shared/log.ts', '=> scrubber.scrub(line)', "=> scrubber.scrub(line).replaceAll('\\\\n', '\\n')"),
    ),
  ),
  attack(
    'X10',
    'A cell of a file is a formula to a spreadsheet, or a file has a name that deceives.',
    proof(
      MARKUP,
      'no cell of a file is a formula to a spreadsheet, however that splits, and none is lost',
      bug(CSV, "return FORMULA.test(split) ? `'${split}` : split", 'return split'),
    ),
    proof(
      'test/operations/declaration/csv.test.ts',
      'harmless, also where cells end at semicolons or tabs',
      bug(CSV, 'replace(SPLIT_FORMULA, "$1\'")', 'replace(SPLIT_FORMULA, "$1")'),
    ),
  ),
  attack(
    'X11',
    'A display name imitates that of another person.',
    proof(
      MRKDWN_TEST,
      'mention people by valid ids only',
      bug(MRKDWN, 'return USER_ID.test(userId) ? control', 'return true ? control'),
    ),
  ),
]
