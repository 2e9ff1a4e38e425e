import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { GUS, OLGA, VERA } from '../../src/playground/slack/state/seed.ts'
import { forger } from '../support/forger.ts'
import { Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())

/** Writes to the bot, and waits for its answer. */
async function writes(who: string, text: string, until: RegExp) {
  const channel = scene.person(who).direct()
  const { messages } = await scene.does(who, (person) => person.say(channel, text), { channel, until })
  return messages.filter(({ byBot }) => byBot)
}
/** All that the bot has said to somebody, once everything that it could still say has had its time. */
async function saidTo(who: string): Promise<readonly string[]> {
  await scene.answersOthers(OLGA)
  const person = scene.person(who)
  return person
    .messages(person.direct())
    .filter(({ byBot }) => byBot)
    .map(renderMessage)
}

test.each(['storage stats 101', ' /cdn storage stats 101'])(
  'a read that is written to the bot is answered there, to stay: %j',
  async (text) => {
    const [answer, ...others] = await writes(VERA, text, /Number of files, by day/)
    expect(answer).toMatchObject({ ephemeral: false, threadTs: undefined })
    expect(others).toEqual([])
  },
)

test('a write is not done, and how to type it is said', async () => {
  const before = scene.stage.cdn.count('addDnsRecord')
  await writes(
    OLGA,
    'dns add 201 A www 192.0.2.10',
    /Type it as a command, outside of threads: \/cdn dns add 201 A www 192\.0\.2\.10/,
  )
  expect(scene.stage.cdn.count('addDnsRecord')).toBe(before)
})

test('what is no question gets one line, and neither that line nor any other answer is answered', async () => {
  const before = await saidTo(VERA)
  await writes(VERA, 'thanks!', /Ask me `status`/)
  const after = await saidTo(VERA)
  expect(after.slice(before.length)).toEqual([expect.stringContaining('Ask me')])
  // Slack has told the bot of each of them.
  const told = scene.stage.slack.deliveries.filter(({ payload }) => JSON.stringify(payload).includes('Ask me'))
  expect(told.length).toBeGreaterThan(0)
})

test('delivered again, a question is answered once', async () => {
  await writes(VERA, 'storage stats 102', /Number of files, by day/)
  const before = await saidTo(VERA)
  await forger(scene.stage.slack, VERA).redeliver()
  expect(await saidTo(VERA)).toEqual(before)
})

test('a guest is told that they have no role', async () => {
  expect(await writes(GUS, 'storage stats 101', /no role/i)).toHaveLength(1)
})
