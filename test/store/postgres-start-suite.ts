import { afterEach, expect, test } from 'vitest'
import { type BotProcess, type BotStage, closedPort } from '../support/bot.ts'
import { useBotStage } from '../support/use-bot-stage.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts'
import type { PostgresHarness } from './postgres-harness.ts'

/** How the bot starts as a process, on a server that is there, comes later, or does not let it in. */
export function postgresStartSuite(harness: () => PostgresHarness): void {
  let stage: BotStage
  let proxy: CuttingProxy | undefined
  useBotStage((made) => (stage = made))
  afterEach(() => proxy?.close())
  const start = (url: string, change: Partial<URL>): BotProcess =>
    stage.start({ ...stage.settings, STORE_URL: String(Object.assign(new URL(url), change)) })

  test('later than the bot: it waits and is ready then', async () => {
    const port = await closedPort()
    const started = start(harness().url, { hostname: '127.0.0.1', port: String(port) })
    await started.says(/the store does not answer yet/)
    proxy = await startCuttingProxy(harness().url, { port })
    await expect(started.says(/linked to Slack: ready/)).resolves.toBeUndefined()
  })

  test('that is a standby and takes no writes: it ends with 1, since the next start may find another', async () => {
    await (await harness().open()).close()
    const database = new URL(harness().url).pathname.slice(1)
    await harness().sql(`alter database ${database} set default_transaction_read_only = on`)
    const started = start(harness().url, {})
    expect(await started.ended).toEqual({ code: 1, signal: null })
    expect(started.errors()).toBe('The store could not be opened: The store cannot be written to (25006)\n')
  })

  test.each([
    ['a database that it does not have', { pathname: 'no_such_database' }],
    ['a user that it does not know', { username: 'nobody_of_this_name' }],
  ])('with %s: starting again does not help', async (_what, change) => {
    const started = start(harness().url, change)
    expect(await started.ended).toEqual({ code: 78, signal: null })
    expect(started.errors()).toMatch(/^The store could not be opened: .*user, password or database of STORE_URL.*\n$/)
    expect(started.output()).not.toContain('does not answer yet')
  })
}
