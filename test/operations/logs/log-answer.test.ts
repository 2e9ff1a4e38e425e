import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import type { LogEntry } from '../../../src/cdn/contract/log-entry.ts'
import { logAnswer } from '../../../src/operations/logs/log-answer.ts'
import { readLog } from '../../../src/operations/logs/log-reading.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { logEntries, logQuestion, logResult } from '../../support/log-entries.ts'
import { operationContext } from '../../support/operation-context.ts'
import { anyCharacter } from '../../block-kit/foreign-text.ts'

const text = fc.option(
  fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.string({ maxLength: 1_200, size: 'max' }),
    fc.constantFrom('<!channel>', '<@U123>', '<#C123>'),
    fc.constantFrom('*b*', '```', '\u202E', '\uD800', '-', ''),
  ),
  { nil: undefined },
)

const entry: fc.Arbitrary<LogEntry> = fc.record({
  cacheStatus: text,
  timestamp: fc.option(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }), {
    nil: undefined,
  }),
  statusCode: fc.option(fc.integer(), { nil: undefined }),
  bytesSent: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { nil: undefined }),
  url: text,
  userAgent: text,
  referer: text,
  remoteIp: text,
  requestId: text,
  countryCode: text,
  edgeLocation: text,
})

async function answerTo(entries: readonly LogEntry[], values: RawValues) {
  const question = logQuestion(values)
  const context = operationContext({ queryLogs: async () => logResult(entries) })
  return logAnswer(await readLog(question, context), question, context)
}

describe('an answer about log lines', () => {
  it('says how many lines stand in no group, where there are some', async () => {
    const { message } = await answerTo(logEntries(10_002), { by: 'path' })
    expect(message.text).toContain('2 lines are of further groups, which were not told apart.')
    const { message: whole } = await answerTo(logEntries(3), { by: 'path' })
    expect(whole.text).not.toContain('further groups')
  })

  it('is a message Slack takes, in both forms and as a file, whatever the lines hold', async () => {
    const asked = fc.record(
      {
        by: fc.constantFrom('path', 'status', 'edge', 'country'),
        ip: fc.constantFrom('all', '203.0.113.7', '::1'),
        referer: fc.constantFrom('a', '<!here>'),
        url: fc.string({ minLength: 1, maxLength: 200 }),
        csv: fc.constant('true'),
        limit: fc.constantFrom('1', '200'),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 30, size: 'max' }), asked, async (entries, values) => {
        const { message } = await answerTo(entries, values)
        expect(messageProblems(message)).toEqual([])
        const markup = JSON.stringify(message.blocks.filter(({ type }) => type === 'section' || type === 'context'))
        expect(markup).not.toMatch(/<[!@#](?!date\^)/)
        expect(JSON.stringify(message)).not.toContain('\u202E')
      }),
      { numRuns: 40 },
    )
  })
})
