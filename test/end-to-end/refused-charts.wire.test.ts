import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { OLGA, OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import { Scene } from './scene.ts'

const CHARTS = 100
const HOUR_MS = 3_600_000
const TIMEOUT_MS = 60_000

let scene: Scene
beforeAll(async () => void (scene = await Scene.start()))
afterAll(async () => scene.close())

/** Asks by a command, a mention or a direct message in turn; the answers are made in different places. */
async function ask(index: number) {
  const direct = scene.person(VERA).direct()
  const [channel, text] = [
    [OPS, '/cdn storage stats 101'],
    [OPS, '@cdn-ops storage stats 101'],
    [direct, 'storage stats 101'],
  ][index % 3] as [string, string] // one of three
  const doing = { channel, until: /Number of files, by day/ }
  const { messages } = await scene.does(VERA, (person) => person.say(channel, text), doing)
  return messages.filter(({ byBot }) => byBot)
}
const refusedSince = (before: number): readonly string[] =>
  scene.stage.slack.calls
    .slice(before)
    .filter(({ answer }) => JSON.stringify(answer).includes('invalid_blocks'))
    .map(({ method }) => method)
const told = (): number => scene.log.filter((line) => line.includes('Slack refuses this in messages')).length

test(
  'a workspace that refuses charts refuses one call a place and hour, and every answer is read with its table',
  async () => {
    const { slack } = scene.stage
    slack.switches.refusedBlocks = ['data_visualization']
    const before = slack.calls.length
    for (let index = 0; index < CHARTS; index += 1) {
      const [answer, ...others] = await ask(index)
      expect(others).toEqual([])
      expect(answer && renderMessage(answer)).toMatch(/Storage used in GB, by day/)
      const types = answer?.blocks.map(({ type }) => type)
      expect(types).toContain('data_table')
      expect(types).not.toContain('data_visualization')
    }
    expect(refusedSince(before).toSorted()).toEqual(['chat.postMessage', 'response_url'])
    expect(told()).toBe(2)

    // Else a call under way would seem to take an hour.
    await scene.answersOthers(OLGA)
    scene.clock.turn(HOUR_MS)
    const anHourLater = slack.calls.length
    for (let index = 0; index < 6; index += 1) await ask(index)
    expect(refusedSince(anHourLater).toSorted()).toEqual(['chat.postMessage', 'response_url'])
    expect(told()).toBe(2)
  },
  TIMEOUT_MS,
)
