import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEntries, tallyLines } from '../../../src/cdn/reading/day-file.ts'
import { LOG_FIELDS } from '../../../src/cdn/contract/log-entry.ts'
import {
  isHostName,
  normaliseHost,
  normaliseRecordName,
  normaliseValue,
} from '../../../src/operations/dns/record-value.ts'
import { typeNames } from '../../../src/operations/dns/record-fields.ts'
import { readId } from '../../../src/operations/declaration/fields.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { zone } from '../../../src/operations/declaration/zone-field.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { BlockActions, BlockSuggestion, CommandPayload, ViewSubmission } from '../../../src/slack/gateway/payloads.ts'
import { readEnvelope } from '../../../src/slack/gateway/http-body-parser.ts'
import { HOMOGRAPHS } from '../../fixtures/naughty-strings.ts'
import { checkContext } from '../../support/operation-context.ts'
import { anyText, expectForAll } from './fuzzing.ts'

const RUNS = 20_000
const ZONES = [{ kind: 'pull', name: 'shop', zoneId: '301' }] as const
const context = checkContext({ zones: ZONES })
const verbs = OPERATIONS.map(({ name }) => name)

test('any command is understood, or refused in words', () => {
  const flags = fc.constantFrom('', '--since', '--csv', '--ttl=', '—day', '--variables a=', '--no-csv', '--help')
  const typed = fc
    .tuple(fc.constantFrom('', ...verbs), anyText, flags, anyText)
    .map((parts) => parts.join(' ').slice(0, 12_500))
  expectForAll(typed, RUNS, (text) => {
    const parsed = parseCommand(text, OPERATIONS, ZONES)
    if (parsed.kind !== 'operation') return
    const result = parsed.operation.parse(parsed.values, context)
    if (!result.ok) expect(result.issues.every(({ problem }) => problem.length > 0)).toBe(true)
  })
})

test('what only looks like an id or a name is neither', () => {
  const pull = zone({ label: 'Zone', zoneKind: 'pull' })
  for (const [text, looksLike] of HOMOGRAPHS) {
    expect(readId(text)).toBeUndefined()
    if (looksLike === 'shop') expect(pull.read(text, context)).toMatchObject({ ok: false })
    expect(parseCommand(text, OPERATIONS, ZONES).kind).not.toBe('operation')
  }
})

test('a record is sent in its proper form, or refused', () => {
  const label = fc.string({
    unit: fc.constantFrom('a', 'Z', '9', '-', '_', '.', '*', '@', 'ä', '。', 'о'),
    maxLength: 70,
  })
  expectForAll(fc.tuple(fc.oneof(anyText, label), fc.constantFrom(...typeNames())), RUNS, ([text, type]) => {
    const name = normaliseRecordName(text)
    // A plain host name is all that is sent, whatever alphabet it was typed in.
    if (name.ok && name.sent !== '') expect(isHostName(name.sent.replace(/^\*(\.|$)/, '') || 'x')).toBe(true)
    const host = normaliseHost(text, 'It')
    if (host.ok) expect(isHostName(host.sent)).toBe(true)
    const value = normaliseValue(type, text, 'issue')
    if (!value.ok) expect(value.problem).toMatch(/\.$/)
  })
})

test('any bytes are a day file, and both readers count the same lines in it', () => {
  const field = fc.oneof(anyText, fc.constantFrom('MISS', '-', '404', '1790000000000', '301', '2001:db8::1', '0'))
  const line = fc.array(field, { maxLength: 15 }).map((fields) => fields.join('|'))
  const good = fc.constant(
    `MISS|404|1790000000000|412|390|192.0.2.0|-|https://a.example/|WA|Player|${'a'.repeat(32)}|DE`,
  )
  const file = fc.tuple(fc.array(fc.oneof(line, good), { maxLength: 4 }), fc.uint8Array({ maxLength: 40 }))
  expectForAll(file, RUNS, ([lines, tail]) => {
    const bytes = Buffer.concat([Buffer.from(lines.join('\n')), tail])
    const reader = readEntries({}, LOG_FIELDS, () => undefined)
    const tally = tallyLines(() => undefined)
    for (const part of [bytes.subarray(0, 17), bytes.subarray(17)]) {
      reader.push(part)
      tally.push(part)
    }
    expect(tally.finish().lines).toBe(reader.finish().lines)
  })
})

const FORM = 'application/x-www-form-urlencoded'
const USER = { id: 'U0OLGA0001', team_id: 'T1' }
const PAYLOADS = [
  { type: 'block_actions', api_app_id: 'A1', user: USER, team: { id: 'T1' }, actions: [{ action_id: 'a' }] },
  {
    type: 'view_submission',
    api_app_id: 'A1',
    user: USER,
    view: { id: 'V1', callback_id: 'c', state: { values: {} } },
  },
  { type: 'event_callback', api_app_id: 'A1', event_id: 'E1', event: { type: 'app_mention' }, team_id: 'T1' },
  { command: '/cdn', api_app_id: 'A1', user_id: 'U1', team_id: 'T1', text: 'help' },
] as const

test('any delivery of Slack is read or refused, and nothing is thrown', () => {
  const odd = fc.oneof(
    { weight: 3, arbitrary: anyText },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }) },
  )
  const mutated = fc
    .tuple(
      fc.constantFrom(...PAYLOADS),
      fc.constantFrom('type', 'user', 'team', 'actions', 'view', 'event', '__proto__'),
      odd,
    )
    .map(([payload, key, value]) => ({ ...payload, [key]: value }))
  expectForAll(fc.tuple(fc.oneof(mutated, odd), fc.uint8Array({ maxLength: 20 })), RUNS, ([payload, bytes]) => {
    for (const schema of [CommandPayload, BlockActions, BlockSuggestion, ViewSubmission]) schema.safeParse(payload)
    const json = JSON.stringify(payload) ?? ''
    readEnvelope('application/json', Buffer.from(json))
    readEnvelope(FORM, Buffer.from(`payload=${encodeURIComponent(json.toWellFormed())}`))
    readEnvelope(FORM, bytes)
  })
})
