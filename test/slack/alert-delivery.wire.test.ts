import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { OPS } from '../../src/playground/slack/seed.ts'
import { Secret } from '../../src/shared/secret.ts'
import { roleSources } from '../../src/slack/role-sources.ts'
import { Workspace } from '../../src/slack/workspace.ts'
import { createDeliveryBench, type DeliveryBench } from '../support/delivery-bench.ts'
import { walked } from '../support/outgoing-walker.ts'
import { postBy } from '../support/post-by.ts'
import { sampleAlert } from '../support/sample-incident.ts'
import { silentLog } from '../store/harness.ts'
import { failNext } from '../support/failing-slack.ts'

/** The dispatcher of alerts through Slack's own library to the emulated Slack, which refuses what Slack refuses. */
let bench: DeliveryBench
let slack: SlackEmulator
let workspace: Workspace
beforeEach(async () => {
  bench = await createDeliveryBench()
  slack = walked(await startSlackEmulator())
  workspace = new Workspace({
    apiUrl: new URL(slack.apiUrl),
    botToken: new Secret(slack.botToken),
    fetch: globalThis.fetch,
    post: postBy(globalThis.fetch),
    clock: bench.clock,
    log: silentLog,
    roles: () => roleSources({ admins: new Set(), operators: new Set(), viewers: new Set() }),
    onRefused: () => undefined,
  })
})
afterEach(async () => {
  await slack.close()
  await bench.close()
})

const dispatcher = () => bench.dispatcherWith({ notifier: workspace.alertNotifier }).dispatcher
const inOps = () => slack.messages.filter(({ channel }) => channel === OPS)
const reply = { what: 'reply', body: { kind: 'worse', alert: sampleAlert(), broadcast: true } } as const

describe('alerts over the wire', () => {
  it('are one message that is edited, with what follows in its thread', async () => {
    const one = dispatcher()
    await bench.happens({ channelId: OPS })
    await bench.all(one)
    await bench.happens({ channelId: OPS, sentence: 'second' })
    await bench.happens({ channelId: OPS, sentence: 'second', ...reply })
    await bench.all(one)
    const [card, said, ...more] = inOps()
    expect(more).toEqual([])
    expect(card).toMatchObject({ text: expect.stringContaining('second'), editedTs: expect.any(String) })
    expect(card?.blocks.map(({ type }) => type)).toContain('data_visualization')
    expect(said).toMatchObject({ threadTs: card?.ts, broadcast: true })
  })

  it('come in a simpler form where the workspace knows no charts', async () => {
    failNext(slack, 'chat.postMessage', { error: 'invalid_blocks' })
    await bench.happens({ channelId: OPS })
    await bench.all(dispatcher())
    expect(inOps()).toHaveLength(1)
    expect(inOps()[0]?.blocks.map(({ type }) => type)).not.toContain('data_visualization')
  })

  it('that Slack wants fewer of delay nobody’s answer', async () => {
    failNext(slack, 'chat.postMessage', { status: 429, retryAfterS: 30 })
    await bench.happens({ channelId: OPS })
    await bench.all(dispatcher())
    expect(inOps()).toEqual([])
    await workspace.notifier.post(OPS, { text: 'An answer', blocks: [] })
    expect(inOps().map(({ text }) => text)).toEqual(['An answer'])
  })

  it('end where the channel is archived, and what Slack says of a channel is known', async () => {
    expect(await workspace.channels.info(OPS)).toMatchObject({ name: 'ops', isMember: true, isShared: false })
    slack.workspace.changeChannel(OPS, { archived: true })
    await bench.happens({ channelId: OPS })
    await bench.all(dispatcher())
    expect(await bench.store.alertPosts.dead(5)).toMatchObject([{ reason: 'The channel is archived.' }])
    expect(await workspace.channels.info('C0NOWHERE')).toBe('unknown')
  })
})
