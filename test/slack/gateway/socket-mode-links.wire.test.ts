import { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SlackEmulator, startSlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { OLGA, OPS } from '../../../src/playground/slack/state/seed.ts'
import { type Clock, systemClock } from '../../../src/shared/clock.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { Links } from '../../../src/slack/gateway/socket-mode-links.ts'
import { boltLog } from '../../../src/slack/out/web-api.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { failNext } from '../../support/failing-slack.ts'

let slack: SlackEmulator
let running: Links[]
let stray: unknown[]
const onStray = (reason: unknown): void => void stray.push(reason)

beforeEach(async () => {
  slack = await startSlackEmulator()
  running = []
  stray = []
  process.on('unhandledRejection', onStray)
})
afterEach(async () => {
  for (const links of running) await links.stop()
  await slack.close()
  process.off('unhandledRejection', onStray)
  if (stray.length > 0) throw new AggregateError(stray, 'Errors that nothing handled')
})

/** The system's clock, but what waits between tries waits only as long as it has to. */
function hastyClock(pauses: number[]): Clock {
  const sleep: Clock['sleep'] = (ms, signal) => {
    pauses.push(ms)
    return systemClock.sleep(5, signal)
  }
  return { ...systemClock, sleep }
}

function make(appToken = slack.appToken) {
  const { log, lines } = recordingLog()
  const seen = { counts: [] as number[], refused: [] as string[], pauses: [] as number[], lines }
  const links = new Links({
    appToken: new Secret(appToken),
    apiUrl: new URL(slack.apiUrl),
    fetch,
    clock: hastyClock(seen.pauses),
    log,
    onLinks: (open) => seen.counts.push(open),
    onRefused: (code) => seen.refused.push(code),
  })
  const app = new App({
    receiver: links,
    authorize: async () => ({ botToken: slack.botToken, botId: 'B1', botUserId: 'U1' }),
    logger: boltLog(log),
    deferInitialization: true,
  })
  app.command(/.*/, async ({ ack, body }) => ack(`got ${body.text}`))
  running.push(links)
  return { app, links, seen }
}

async function linked(made = make()) {
  await made.app.init()
  await made.app.start()
  await expect.poll(() => made.links.openLinks).toBe(2)
  return made
}
const answers = async (text: string): Promise<void> => {
  await slack.person(OLGA).command(OPS, `/cdn ${text}`)
  await slack.until(() => slack.person(OLGA).messages(OPS).at(-1)?.text === `got ${text}`)
}

describe('the links to Slack', () => {
  it('are two, and what comes by either is answered', async () => {
    const { seen } = await linked()
    expect(slack.linkCount).toBe(2)
    expect(seen.counts).toEqual([1, 2])
    for (const text of ['one', 'two', 'three']) await answers(text)
  })

  it('are never both gone while Slack refreshes one after the other', async () => {
    const { links, seen } = await linked()
    for (let turn = 0; turn < 3; turn += 1) {
      const before = seen.counts.length
      slack.disconnectOldest()
      await expect.poll(() => seen.counts.slice(before)).toEqual([1, 2])
      await answers(`turn ${turn}`)
    }
    expect(links.openLinks).toBe(2)
    expect(seen.pauses).toEqual([])
  })

  it('are tried again with growing pauses through an outage, saying so, and come back', async () => {
    const { links, seen } = await linked()
    failNext(slack, 'apps.connections.open', { status: 500, times: 16 })
    slack.dropAll()
    await expect.poll(() => seen.pauses.length, { timeout: 10_000 }).toBe(16)
    await expect.poll(() => links.openLinks).toBe(2)
    const longest = Math.max(...seen.pauses)
    expect(seen.pauses.slice(0, 2)).toEqual(expect.arrayContaining([expect.toSatisfy((ms: number) => ms <= 1_000)]))
    expect(longest).toBeLessThanOrEqual(15_000)
    expect(longest).toBeGreaterThan(4_000)
    expect(seen.lines.filter(({ sentence }) => sentence.startsWith('Slack cannot be reached'))).toHaveLength(16)
    await answers('back')
  })

  it('are not asked for in a loop when each of them ends at once', async () => {
    const { seen } = await linked()
    for (let turn = 0; seen.pauses.length === 0 && turn < 20; turn += 1) {
      const before = seen.counts.length
      slack.dropAll()
      await expect.poll(() => seen.pauses.length > 0 || seen.counts.slice(before).includes(2)).toBe(true)
    }
    expect(seen.pauses[0]).toBe(500)
  })

  it('end when the token is refused, in the word of Slack', async () => {
    const { app, links, seen } = make('xapp-wrong')
    await app.init()
    void app.start()
    await expect.poll(() => seen.refused).toEqual(['invalid_auth', 'invalid_auth'])
    expect(seen.pauses).toEqual([])
    await links.stop()
  })

  it('close when they are stopped', async () => {
    const { links, seen } = await linked()
    await links.stop()
    await expect.poll(() => slack.linkCount).toBe(0)
    expect(links.openLinks).toBe(0)
    expect(seen.counts.at(-1)).toBe(0)
  })

  it('do not open behind the back of a stop that comes while they connect', async () => {
    const { app, links, seen } = make()
    await app.init()
    void app.start()
    await links.stop()
    await expect.poll(() => slack.calls.filter(({ method }) => method === 'apps.connections.open').length).toBe(2)
    await expect.poll(() => slack.linkCount).toBe(0)
    expect(seen.counts).toEqual([])
    expect(links.openLinks).toBe(0)
  })
})
