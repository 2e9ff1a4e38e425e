import { describe, expect, it } from 'vitest'
import { messageProblems } from '../support/slack-rules.ts'
import { CdnClient } from '../../src/cdn/client.ts'
import { LogLimit } from '../../src/cdn/log-limit.ts'
import type { Answer } from '../../src/operations/answer.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { Secret } from '../../src/shared/secret.ts'
import { parseCommand } from '../../src/slack/command-text/parse-command.ts'
import { RunningEmulator } from '../playground/cdn/running-emulator.ts'
import { checkContext, invocationOf, operationContext } from '../support/operation-context.ts'

/** The reads as they are typed, through the client and its sockets, against the emulated platform. */

const CANARY = 'canary-0123456789abcdef0123456789abcdef'
const platform = new RunningEmulator({ canaries: { apiKeys: [CANARY], authorization: `Bearer ${CANARY}` } })

async function run(operation: Operation, values: RawValues): Promise<Answer> {
  const { clock, it: emulator } = platform
  const cdn = new CdnClient({
    managementUrl: emulator.managementUrl,
    loggingUrl: emulator.loggingUrl,
    credential: { scheme: 'accessKey', secret: new Secret(emulator.accessKey) },
    clock,
    limiter: new LogLimit({ clock, warm: true }),
  })
  const now = clock.now()
  const answer = await invocationOf(operation, values, checkContext({ now })).run(operationContext(cdn, { now }))
  expect(messageProblems(answer.message)).toEqual([])
  return answer
}

async function type(line: string): Promise<Answer> {
  const parsed = parseCommand(line, OPERATIONS)
  if (parsed.kind !== 'operation') throw new Error(`${line} is ${parsed.kind}`)
  expect(parsed.problems).toEqual([])
  return run(parsed.operation, parsed.values)
}

/** The cells of one column of the table an answer shows. */
function column(answer: Answer, title: string): readonly string[] {
  const table = answer.message.blocks.find((block) => block.type === 'data_table')
  const index = table?.rows[0]?.findIndex(({ text }) => text === title) ?? -1
  return (table?.rows ?? []).slice(1).map((cells) => cells[index]?.text ?? '')
}

describe('reads over the wire', () => {
  it('shows the statistics of a zone with both charts, with one, and with none', async () => {
    const kinds = async (line: string) =>
      (await type(line)).message.blocks.filter(({ type: kind }) => kind === 'data_visualization').length
    expect([await kinds('storage 101'), await kinds('storage 105'), await kinds('storage stats 104')]).toEqual([
      2, 1, 0,
    ])
  })

  it('sends the range typed, and every day of it comes back', async () => {
    const { file } = await type('storage stats 102 --since 2026-09-01 --until 2026-11-01 --csv')
    const days =
      file?.content
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.slice(0, 10)) ?? []
    expect([days[0], days.at(-1), days.length]).toEqual(['2026-09-01', '2026-11-01', 62])
  })

  it('lists keys without any of their values', async () => {
    const answer = await type('keys --page 1')
    expect(column(answer, 'Id')).toHaveLength(50)
    expect(JSON.stringify(answer)).not.toContain(CANARY.slice(0, -4))
    expect((await type('keys list --role userapi')).message.text).toContain('among 2,500 keys looked at')
  })

  it('pages through a log with Older as if it had been read at once', async () => {
    const whole = await type('logs 304 --since 6h --cache all --limit 200 --csv')
    const all = whole.file?.content.match(/\b[0-9a-f]{32}\b/g) ?? []
    const paged: string[] = []
    let answer = await type('logs 304 --since 6h --cache all --limit 60')
    for (let page = 0; page < 20; page += 1) {
      paged.push(...column(answer, 'Request'))
      const older = answer.buttons?.find(({ label }) => label === 'Older')
      if (older?.kind !== 'page') break
      answer = await run(
        OPERATIONS.find(({ name }) => name === 'logs')!,
        older.values,
      )
    }
    expect(all.length).toBeGreaterThan(100)
    expect(paged.slice(0, all.length)).toEqual(all)
    expect(new Set(paged).size).toBe(paged.length)
  })

  it('finds the same lines in the file of a day as in the newer version', async () => {
    const asked = '--status 4xx,5xx --by status'
    const sentence = (answer: Answer) => /^([A-Z]+ [\d,]+ \(.*)$/m.exec(answer.message.text)?.[1]
    const day = await type(`logs 304 --day 2026-11-19 ${asked}`)
    const range = await type(`logs 304 --since 2026-11-19 --until 2026-11-20 ${asked}`)
    expect(sentence(day)).toBeDefined()
    expect(sentence(day)).toBe(sentence(range))
  })

  it('lets no authorization of an end user through, from either version', async () => {
    for (const line of [
      'logs 302 --cache all --ip all --csv --limit 2000',
      'logs 302 --day today --cache all --csv --limit 2000',
    ]) {
      const answer = await type(line)
      expect(answer.file?.content.split('\n').length).toBeGreaterThan(1_000)
      expect(JSON.stringify(answer)).not.toContain(CANARY.slice(0, -4))
    }
  })
})
