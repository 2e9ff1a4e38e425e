import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SlackEmulator, startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { OPS } from '../../src/playground/slack/state/seed.ts'
import { Secret } from '../../src/shared/secret.ts'
import { roleSources } from '../../src/slack/people/role-sources.ts'
import { Workspace } from '../../src/slack/workspace.ts'
import { createDeliveryBench } from '../support/delivery-bench.ts'
import { walked } from '../support/outgoing-walker.ts'
import { postBy } from '../support/post-by.ts'
import { silentLog } from '../store/harness.ts'
import { failNext } from '../support/failing-slack.ts'
import { forEachTest } from '../support/for-each-test.ts'

/** The dispatcher of alerts through Slack's own library to the emulated Slack, which refuses what Slack refuses. */
const bench = forEachTest(createDeliveryBench)
let slack: SlackEmulator
let workspace: Workspace
beforeEach(async () => {
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
afterEach(() => slack.close())

const dispatcher = () => bench.dispatcherWith({ notifier: workspace.outboxNotifier }).dispatcher
const inOps = () => slack.messages.filter(({ channel }) => channel === OPS)

describe('alerts over the wire', () => {
  it('that Slack wants fewer of delay nobody’s answer', async () => {
    failNext(slack, 'chat.postMessage', { status: 429, retryAfterS: 30 })
    await bench.happens({ channelId: OPS })
    await bench.all(dispatcher())
    expect(inOps()).toEqual([])
    await workspace.notifier.post(OPS, { text: 'An answer', blocks: [] })
    expect(inOps().map(({ text }) => text)).toEqual(['An answer'])
  })
})
