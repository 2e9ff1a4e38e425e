import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERA } from '../../src/playground/slack/seed.ts'
import { Scene } from './scene.ts'

const STATISTICS = { until: /Number of files, by day/ }

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())

/** Log lines since now, as they were written. */
function linesFromNow(): () => readonly string[] {
  const before = scene.log.length
  return () => scene.log.slice(before)
}

describe('an answer that Slack does not take at the response address', () => {
  test.each([
    ['a refusal with status 200', { error: 'invalid_payload' }],
    ['a page', { text: '<html>Sign in</html>' }],
    ['nothing', { text: '' }],
    ['another "ok"', { text: '{"ok":"yes"}' }],
  ])('reaches the person another way when it answers %s, and the log says so', async (_, fault) => {
    const lines = linesFromNow()
    scene.stage.slack.failNext('response_url', fault)
    const { messages } = await scene.types(VERA, '/cdn storage stats 101', STATISTICS)
    expect(messages).toMatchObject([{ ephemeral: true }])
    expect(lines().filter((line) => line.includes('a way to answer did not work'))).toHaveLength(1)
  })
})
