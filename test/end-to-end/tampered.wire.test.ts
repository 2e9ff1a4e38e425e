import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ForgedView, forger } from '../support/forger.ts'
import { ADA, OLGA, OPS, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import { asks, cardOf, clicks, eventsOf, recordOf } from './approving.ts'
import { Scene } from './scene.ts'

/** What nothing shown can lead to: refused, on record, and nothing is done. Beside `forged`, for approvals and reviews. */
const REFUSED = /does not fit what CDN Ops has shown here, so it was refused\. Nothing was done\./
const NOT_OFFERED = { value: { type: 'static_select', selected_option: { value: 'everything' } } }
const text = (value: string) => ({ value: { type: 'plain_text_input', value } })

let scene: Scene
/** Two changes of Olga's that wait. */
let first: string
let second: string
beforeAll(async () => {
  scene = await Scene.start()
  first = await asks(scene)
  second = await asks(scene, { command: 'library create shorts --encoding-tier premium' })
})
afterAll(async () => scene.close())
afterEach(async () => {
  for (const who of [OLGA, OTTO, ADA]) if (scene.person(who).view() !== undefined) await scene.person(who).closeView()
})

let denials: number
beforeEach(async () => void (denials = (await denied()).length))

/** Submits the open modal as something else; what the bot answered, the refusal on record, and all that was sent. */
async function submitted(who: string, forged: ForgedView) {
  const answer = await forger(scene.stage.slack, who).submit(forged)
  return { answer: JSON.stringify(answer), ...(await after()) }
}

async function after() {
  await scene.answersOthers(VERA)
  return { entry: (await denied())[denials], writes: writes() }
}

const denied = async () => (await recordOf(scene)).filter(({ event }) => event === 'denied')
const writes = (): readonly string[] =>
  scene.stage.cdn.requests.map(({ endpoint }) => String(endpoint)).filter((name) => /^(add|create)/.test(name))

const ALL_BLOCKS = [
  ['a reason that the view does not ask for', { reason: text('x') }],
  ['a field of the form', { encodingTier: NOT_OFFERED }],
  ['a block that there is nowhere', { 'no such block': text('x') }],
  ['another element in its place', { reason: { other: { type: 'plain_text_input', value: 'x' } } }],
] as const

describe('the prompt of an approver', () => {
  test.each(ALL_BLOCKS)('with %s is refused', async (_, values) => {
    await clicks(scene, OTTO, first, 'approve', { until: /═══ Approve\? ═══/ })
    const { answer, entry, writes: sent } = await submitted(OTTO, { values })
    expect(answer).toMatch(REFUSED)
    expect(entry).toMatchObject({ event: 'denied', actor: OTTO, changeId: first })
    expect(sent).toEqual([])
  })

  test.each([
    ['garbage', '\u0000{"change"'],
    ['nothing', ''],
    ['a step that there is not', '{"change":"x","step":-1}'],
    ['a list', '[]'],
  ])('that remembers %s is refused', async (_, privateMetadata) => {
    await clicks(scene, OTTO, first, 'approve', { until: /═══ Approve\? ═══/ })
    const { answer, entry, writes: sent } = await submitted(OTTO, { privateMetadata })
    expect(answer).toMatch(REFUSED)
    expect(entry).toMatchObject({ event: 'denied', actor: OTTO })
    expect(sent).toEqual([])
  })
})

describe('a button of the message about a change', () => {
  test.each(['approve', 'decline', 'cancel', 'exists', 'absent'] as const)(
    'with the id of another change is refused: %s',
    async (action) => {
      const who = action === 'cancel' ? OLGA : ADA
      const { channel, ts } = cardOf(scene, first)
      const watch = scene.watch(who)
      await forger(scene.stage.slack, who).click({ channel, ts, actionId: `change:${action}`, value: second })
      await scene.stage.slack.until(() => /does not belong to the message about the change/.test(watch().text))
      const { entry, writes: sent } = await after()
      expect(entry).toMatchObject({ event: 'denied', actor: who, changeId: second })
      expect(scene.person(who).view()).toBeUndefined()
      expect(sent).toEqual([])
    },
  )

  test('in a message that a leaked response address has posted does nothing, with the right id and words', async () => {
    await scene.types(ADA, '/cdn whoami', { until: /admin/ })
    const { blocks, text: words } = cardOf(scene, first)
    expect(
      forger(scene.stage.slack, ADA).speakAsApp({ text: words, blocks, response_type: 'in_channel' }),
    ).toBeUndefined()
    const fake = scene.person(OTTO).messages(OPS).at(-1)
    if (fake === undefined) throw new Error('Nothing was posted')
    await scene.does(OTTO, (person) => person.click({ message: fake }, 'change', 'change:approve'), {
      until: /does not belong to the message about the change/,
    })
    expect((await after()).entry).toMatchObject({ event: 'denied', actor: OTTO, changeId: first })
    expect(scene.person(OTTO).view()).toBeUndefined()
  })
})

test('both changes still wait after all that, and were neither approved nor ended', async () => {
  for (const id of [first, second]) {
    const events = await eventsOf(scene, id)
    expect(events[0]).toBe('requested')
    expect(new Set(events.slice(1))).toEqual(new Set(['denied']))
  }
})
