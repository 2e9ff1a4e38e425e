import { expect, test } from 'vitest'
import { findStrayInMessage } from '../../../src/block-kit/markup-gate.ts'
import { message, formWith } from '../../../src/block-kit/message.ts'
import { code, joinMd, md, plainOf, textOf } from '../../../src/block-kit/mrkdwn.ts'
import { oneLine, plainText } from '../../../src/block-kit/plain-text.ts'
import { bullets, context, facts, preformatted } from '../../../src/block-kit/sections.ts'
import { fitTable } from '../../../src/block-kit/table.ts'
import { parseInstant } from '../../../src/cdn/contract/dates.ts'
import { parseRetryAfter, readErrorBody } from '../../../src/cdn/http/error-body.ts'
import { addressForms, checkDayFilter, checkLogFilter } from '../../../src/cdn/contract/log-filter.ts'
import { maskUrl, maskUrlsIn } from '../../../src/cdn/contract/mask-url.ts'
import { csv, csvName } from '../../../src/operations/declaration/csv.ts'
import { typeNames } from '../../../src/operations/dns/record-fields.ts'
import {
  normaliseHost,
  normaliseRecordName,
  normaliseValue,
  unquoted,
} from '../../../src/operations/dns/record-value.ts'
import { lookAlikeWarnings } from '../../../src/operations/dns/record-checks.ts'
import { matchOperation } from '../../../src/operations/declaration/operation-names.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { pathOf } from '../../../src/operations/logs/log-reading.ts'
import { nearestWord } from '../../../src/operations/declaration/nearest-word.ts'
import { flagName } from '../../../src/operations/declaration/usage.ts'
import { holdsChance, holdsKeyShape } from '../../../src/shared/key-shapes.ts'
import { scrubbedOutput } from '../../../src/shared/scrubbed-output.ts'
import { Scrubber } from '../../../src/shared/scrubber.ts'
import { hidesSomething, visible } from '../../../src/shared/untrusted.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { unescapeSlack } from '../../../src/slack/command-text/slack-escapes.ts'
import { tokenize } from '../../../src/slack/command-text/tokens.ts'
import { readEnvelope } from '../../../src/slack/gateway/http-body-parser.ts'
import { readQuestion, parseMention } from '../../../src/slack/listeners/mention-listener.ts'
import { InvalidDelivery } from '../../../src/slack/gateway/invalid-delivery.ts'
import { refuseEcho, refuseKeys } from '../../../src/slack/listeners/typed-keys.ts'
import { checkContext } from '../../support/operation-context.ts'
import { pairs, piecesOf, type Recipe, recipes, tooSlow } from './worst-texts.ts'

const SEED = Number(process.env['SAFETY_SEED'] ?? '14')
const SOME = recipes(300, SEED)
const MANY = [...piecesOf(), ...pairs(), ...recipes(2_000, SEED)]

const zones = Array.from({ length: 500 }, (_, index) => ({
  kind: (['pull', 'storage', 'dns'] as const)[index % 3] ?? 'pull',
  name: `zone-${index}`,
  zoneId: String(index + 1),
}))
const context500 = checkContext({ zones })
const NOW = context500.now
const secret = 'c0ffee00-aaaa-bbbb-cccc-0123456789ab'
const scrubber = new Scrubber()
scrubber.register(secret)
const written = (text: string): string => {
  let out = ''
  const output = scrubbedOutput(scrubber, (piece) => void (out += piece))
  for (let at = 0; at < text.length; at += 7) output.write(text.slice(at, at + 7))
  output.end()
  return out
}

/** All that is made of a command between its arrival and its answer. */
function command(text: string): void {
  const parse = parseCommand(text, OPERATIONS, zones)
  try {
    if (parse.kind !== 'operation') return refuseEcho([text], () => false)
    refuseKeys(parse.operation, parse.values, () => false)
    refuseEcho(parse.problems, () => false)
    const parsed = parse.operation.parse(parse.values, context500)
    if (!parsed.ok)
      return refuseEcho(
        parsed.issues.map(({ problem }) => problem),
        () => false,
      )
    void parsed.invocation.sentence
    void parsed.invocation.review
  } catch (error) {
    if (!(error instanceof InvalidDelivery)) throw error
  }
}

type Reader = readonly [name: string, read: (text: string) => unknown]
const READERS: readonly Reader[] = [
  ['words and quotes of a command', tokenize],
  ['Slack’s escapes', unescapeSlack],
  ['a question to the bot', (text) => readQuestion(text, 'U0BOT', '/cdn')],
  ['a question under an alert', (text) => parseMention(`logs ${text}`, OPERATIONS, context500, 'pull/301')],
  ['the shapes of keys', holdsKeyShape],
  ['what chance made', holdsChance],
  ['what hides', (text) => [visible(text), hidesSomething(text)]],
  ['markup', (text) => textOf(joinMd([md`*${text}* and ${text}:`, code(text)], '\n'))],
  ['plain words', (text) => [plainText(text), oneLine(text, 75), plainOf(md`*${text}*`)]],
  ['facts', (text) => facts([[text, text]])],
  ['lists and small print', (text) => [context(text), bullets([text])]],
  ['fixed-width text', preformatted],
  [
    'a table',
    (text) => {
      const table = { caption: text, columns: [{ title: text, kind: 'text' } as const], rows: [[text], [text]] }
      return formWith({ text: '', blocks: [fitTable(table).block] }, [])
    },
  ],
  ['the words of a message', (text) => findStrayInMessage(message({ text, blocks: [] }))],
  ['a file', (text) => [csv([[text, () => text]], [text]), csvName(text)]],
  ['addresses', (text) => [maskUrl(text), maskUrlsIn(text), pathOf({ url: text, path: text }), addressForms(text)]],
  ['times', (text) => [parseInstant(text), parseRetryAfter(text, NOW)]],
  [
    'filters of a log',
    (text) => [checkLogFilter({ search: text, status: [text] }, NOW), checkDayFilter(text, {}, NOW)],
  ],
  ['refusals of the platform', (text) => readErrorBody(text, 'canary')],
  [
    'deliveries',
    (text) => [
      readEnvelope('application/json', Buffer.from(text)),
      readEnvelope('application/x-www-form-urlencoded', Buffer.from(`payload=${text}`)),
    ],
  ],
  ['secrets in a log', (text) => [scrubber.scrub(text + secret), written(text + secret)]],
  [
    'near words',
    (text) => [
      nearestWord(
        text,
        zones.map(({ name }) => name),
      ),
      matchOperation(
        text,
        OPERATIONS.map((operation) => ({ operation })),
      ),
    ],
  ],
  ['host names', (text) => [normaliseHost(text, 'It'), normaliseRecordName(text)]],
  ['quoted text', unquoted],
  ...typeNames().map((type): Reader => [
    `the value of ${type}`,
    (text) => [
      normaliseValue(type, text, 'issue'),
      normaliseValue(type, text, 'iodef'),
      lookAlikeWarnings(type, { name: text, value: text, comment: text }),
    ],
  ]),
]

const QUICK = new Set(['words and quotes of a command', 'Slack’s escapes', 'the shapes of keys', 'what chance made'])

/** A busy machine takes its time; what counts is the CPU. */
const TIMEOUT_MS = 60_000

test.each(READERS)(
  'no text makes this slow: %s',
  (name, read) => {
    expect(tooSlow(read, QUICK.has(name) ? MANY : SOME)).toBeUndefined()
  },
  TIMEOUT_MS,
)

test.each(OPERATIONS)(
  'no text makes a command slow: $name',
  ({ name, fields }) => {
    const typed = (recipe: Recipe): Recipe => ({ ...recipe, before: `${name} ${recipe.before}` })
    const flags = Object.keys(fields).map(flagName)
    const all = [...recipes(200, SEED + name.length), ...flags.flatMap((flag) => piecesOf([` ${flag}`, ` ${flag}=a,`]))]
    expect(tooSlow(command, all.map(typed))).toBeUndefined()
  },
  TIMEOUT_MS,
)
