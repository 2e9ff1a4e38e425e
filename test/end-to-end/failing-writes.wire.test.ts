import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EndpointName } from '../../src/cdn/contract/endpoints.ts'
import type { Fault } from '../../src/playground/cdn/faults.ts'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { OLGA, VERA } from '../../src/playground/slack/state/seed.ts'
import { closedPort } from '../support/bot.ts'
import { Scene } from './scene.ts'
import { BROKEN } from '../support/broken-answers.ts'

/** Longer than a create may take. */
const PATIENCE_MS = 30_500

type Ending = 'unreadable' | 'rejected' | 'unknown'

/** How each ending is shown: to the person in the modal and in the channel, and in the list of changes. */
const ENDINGS: Readonly<Record<Ending, { readonly title: string; readonly says: RegExp; readonly state: string }>> = {
  unreadable: {
    title: 'Done',
    says: /Done, but the answer could not be read[\s\S]*It was carried out: check/,
    state: 'done',
  },
  rejected: {
    title: 'Refused',
    says: /Refused by the CDN: nothing was changed[\s\S]*([Aa]sk|[Cc]heck)/,
    state: 'rejected',
  },
  unknown: {
    title: 'Unknown',
    says: /it may or may not have happened[\s\S]*1\. [\s\S]*2\. Look [\s\S]*never sent again by itself/,
    state: 'unknown',
  },
}

/** One or two of those that end alike: what each status and each broken answer means, the matrix of faults has. */
const FAULTS: readonly { readonly name: string; readonly fault: Fault; readonly ending: Ending }[] = [
  { name: '403', fault: { kind: 'status', status: 403 }, ending: 'rejected' },
  { name: '503', fault: { kind: 'status', status: 503 }, ending: 'unknown' },
  { name: 'no answer, and nothing done', fault: { kind: 'hang', carriedOut: false }, ending: 'unknown' },
  { name: 'no answer, but it was done', fault: { kind: 'hang', carriedOut: true }, ending: 'unknown' },
  { name: 'a reset after it was done', fault: { kind: 'reset', carriedOut: true }, ending: 'unknown' },
  { name: 'half an answer', fault: BROKEN.cut, ending: 'unreadable' },
  { name: 'HTML', fault: BROKEN.html, ending: 'unreadable' },
  { name: 'wrong types', fault: BROKEN['wrong types'], ending: 'unreadable' },
]

const WRITES: readonly { readonly endpoint: EndpointName; readonly command: string; readonly sentence: string }[] = [
  { endpoint: 'addDnsRecord', command: 'dns add 201 A www 192.0.2.10', sentence: 'Add an A record www' },
  { endpoint: 'createVideoLibrary', command: 'library create demo', sentence: 'Create the video library' },
]

let scene: Scene
beforeAll(async () => {
  scene = await Scene.start()
  await scene.looksAtSetUp()
})
afterAll(async () => scene.close())
afterEach(() => scene.stage.cdn.faults.clear())

describe.each(WRITES)('$command', ({ endpoint, command, sentence }) => {
  test.each(FAULTS)('when the platform gives $name, it is $ending', async ({ fault, ending }) => {
    const { title, says, state } = ENDINGS[ending]
    const { cdn } = scene.stage
    const before = cdn.count(endpoint)
    const watch = scene.watch(OLGA)
    await scene.types(OLGA, `/cdn ${command}`, { until: /═══ Review ═══/ })
    cdn.faults.set(endpoint, fault)
    const told = scene.submits(OLGA, {}, { until: new RegExp(`═══ ${title} ═══`) })
    if (fault.kind === 'hang') {
      await expect.poll(() => cdn.count(endpoint)).toBe(before + 1)
      scene.clock.turn(PATIENCE_MS)
    }
    expect((await told).text).toMatch(says)
    await scene.stage.slack.until(() => watch().messages.some((message) => says.test(renderMessage(message))))
    cdn.faults.clear()
    await scene.person(OLGA).closeView()
    await scene.answersOthers(VERA)
    const { messages, text } = watch()
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatchObject({ ephemeral: false })
    expect(text).toMatch(says)
    expect(cdn.count(endpoint) - before).toBe(1)
    expect(await newestChange()).toMatch(new RegExp(`\\*${state}\\*: ${sentence}`))
  })
})

test('what never left is said to be not sent', async () => {
  const nowhere = await Scene.start({ settings: { CDN_API_URL: `http://127.0.0.1:${await closedPort()}` } })
  try {
    for (const { command, sentence } of WRITES) {
      await nowhere.types(OLGA, `/cdn ${command}`, { until: /═══ Review ═══/ })
      const { text } = await nowhere.submits(OLGA, {}, { until: /═══ Not sent ═══/ })
      expect(text).toMatch(/Not sent: nothing was changed[\s\S]*Nothing listens[\s\S]*Ask again/)
      await nowhere.person(OLGA).closeView()
      const { text: list } = await nowhere.types(VERA, '/cdn changes list', { until: /the newest first/ })
      expect(list).toMatch(new RegExp(`\\*not sent\\*: ${sentence}`))
    }
  } finally {
    await nowhere.close()
  }
})

/** The first line of the list of changes, as somebody else sees it. */
async function newestChange(): Promise<string> {
  const { text } = await scene.types(VERA, '/cdn changes list', { until: /the newest first/ })
  return text.split('\n').find((line) => /^:\w+: \*/.test(line)) ?? text
}
