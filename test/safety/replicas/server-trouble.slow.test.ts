import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, OLGA, OPS } from '../../../src/playground/slack/state/seed.ts'
import { renderMessage } from '../../../src/playground/slack/render-text.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { type OwnPostgres, startOwnPostgres, whyNoOwnPostgres } from './own-postgres.ts'
import { judge } from '../kill/judge.ts'
import { settledFacts, tell, tellAll } from './run.ts'
import { Trio } from './trio.ts'

const TIMEOUT_MS = 300_000
const READ_ONLY_MS = 20_000
const reason = whyNoOwnPostgres()

describe.skipIf(reason !== undefined)('three bots on a PostgreSQL server in trouble', { timeout: TIMEOUT_MS }, () => {
  let server: OwnPostgres
  beforeAll(async () => void (server = await startOwnPostgres()), TIMEOUT_MS)
  afterAll(() => server.stop())

  async function judged(trio: Trio): Promise<readonly string[]> {
    return judge(await settledFacts(trio, 1))
  }

  test('that is restarted while people ask: what was taken in is settled, and nothing is sent twice', async () => {
    const trio = await Trio.start({ server: server.url })
    try {
      // One form before each of them: what it says after a click is read as the answer to that click.
      const people = [tell(trio, 'k1x', 'record'), tell(trio, 'k2x', 'library'), tell(trio, 'k3x', 'zones')]
      await systemClock.sleep(150)
      await server.restart()
      await Promise.all(people)
      // All is well again, once whoever waited in vain has closed the form.
      expect(await tellAll(trio, 4, ['record'])).toEqual([true])
      expect(await judged(trio)).toEqual([])
    } finally {
      await trio.close()
    }
  })

  test('that takes no writes for a while: people hear that nothing was done, and it goes on by itself', async () => {
    const trio = await Trio.start({ server: server.url })
    try {
      await server.forbidWriting(true)
      const person = trio.stage.slack.person(ADA)
      const heard = async (text: string): Promise<string> => {
        const before = person.messages(OPS).length
        await person.command(OPS, text)
        const [message] = await trio.stage.slack.until(() => {
          const fresh = person.messages(OPS).slice(before)
          return fresh.length > 0 && fresh
        }, TIMEOUT_MS)
        return message === undefined ? '' : renderMessage(message)
      }
      await systemClock.sleep(READ_ONLY_MS / 2)
      expect(await heard('/cdn zones add dns 4711 nobody')).toMatch(/Nothing was (done|changed)/)
      expect(await heard('/cdn zones list')).toContain('zone')
      await systemClock.sleep(READ_ONLY_MS / 2)
      await server.forbidWriting(false)
      await trio.holder()
      expect(await tell(trio, 'k1x', 'record')).toBe(true)
      expect(trio.stage.slack.person(OLGA).messages(OPS).map(renderMessage).join('\n')).not.toContain('nobody is now')
      expect(await judged(trio)).toEqual([])
    } finally {
      await trio.close()
    }
  })

  test('behind a pooler that gives each transaction another connection', async () => {
    const trio = await Trio.start({ server: server.url, pooled: server.pooledUrl })
    try {
      // One of a session would stay with a connection of the pooler, and the next bot would wait for it in vain.
      expect(await server.advisoryLocks()).toBe(0)
      for (const [name, story] of [
        ['k1x', 'record'],
        ['k2x', 'approval'],
        ['k3x', 'keys'],
      ] as const)
        expect(await tell(trio, name, story)).toBe(true)
      await trio.end('SIGKILL')
      expect(await tell(trio, 'k4x', 'record')).toBe(true)
      expect(await judged(trio)).toEqual([])
    } finally {
      await trio.close()
    }
  })
})
