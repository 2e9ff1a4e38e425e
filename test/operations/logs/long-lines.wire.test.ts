import { expect, it } from 'vitest'
import { logs } from '../../../src/operations/logs/logs.ts'
import { PlatformServer } from '../../cdn/platform-server.ts'
import { type LongLine, longLog } from '../../support/long-lines.ts'
import { invocationOf, NOW, operationContext } from '../../support/operation-context.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const KB = 1_000
const MB = 1_000 * KB

/** The answer to a question about the newest 2,000 of these lines, one each second, oldest first. */
async function ask(length: (line: number) => number, amount = 2_500) {
  const clock = new TurnedClock(NOW.toISOString())
  const all = Array.from({ length: amount }, (_, line): LongLine => ({
    atMs: NOW.getTime() - (amount - line) * 1_000,
    length: length(line),
  }))
  await using platform = await PlatformServer.start(longLog({ lines: () => all, clock, announced: true }))
  const cdn = platform.client({ clock })
  const values = { pullZone: '201', cache: 'all', csv: 'true', limit: '2000' }
  const { message, file } = await invocationOf(logs, values).run(
    operationContext({ queryLogs: async (...call) => cdn.queryLogs(...call) }),
  )
  const content = file?.content ?? ''
  return {
    text: message.text,
    lines: content.split('\n').filter((line) => line !== '').length - 1,
    pages: platform.received.length,
  }
}

it.each([
  ['every line has 8 KB', () => 8 * KB],
  ['two lines of 7.9 MB stand side by side', (line: number) => (line === 2_000 || line === 2_001 ? 7.9 * MB : 300)],
])('a question for 2,000 lines of a log in which %s is answered with all of them', async (_, length) => {
  const { text, lines, pages } = await ask(length)
  expect(lines).toBe(2_000)
  expect(text).toContain('newest 2,000 matching lines')
  expect(text).not.toContain('passed over')
  expect(pages).toBeLessThanOrEqual(30)
})

it('an answer says how many lines were left out because each of them alone is too long', async () => {
  const { text, lines } = await ask((line) => (line === 1_000 || line === 1_001 ? 9 * MB : 300))
  expect(lines).toBe(2_000)
  expect(text).toContain('Over 8 MB, and passed over: 2 lines.')
  const none = await ask(() => 9 * MB, 2)
  expect(none.text).toContain('no readable line matches')
  expect(none.text).toContain('Over 8 MB, and passed over: 2 lines.')
})
