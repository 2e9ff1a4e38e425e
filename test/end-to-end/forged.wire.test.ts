import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADA, GUS, OLGA, OPS, OTTO, RANDOM, SAM, VERA } from '../../src/playground/slack/state/seed.ts'
import { auditIn, changesIn } from '../support/store-file.ts'
import { asks, cardOf } from './approving.ts'
import { Scene } from './scene.ts'
import { forger } from '../support/forger.ts'

const REFUSED = /so it was refused\. Nothing was done/

const NOT_OFFERED = { value: { type: 'static_select', selected_option: { value: 'everything' } } }
const text = (value: string) => ({ value: { type: 'plain_text_input', value } })

let scene: Scene
/** A change of Olga's that waits, with its message, and another one. */
let id: string
let ts: string
let other: string
beforeAll(async () => {
  scene = await Scene.start()
  other = await asks(scene, { command: 'library create shorts --encoding-tier premium' })
  id = await asks(scene)
  ts = cardOf(scene, id).ts
})
afterAll(async () => scene.close())

let denials: number
beforeEach(() => void (denials = denied().length))

const denied = () => auditIn(scene.store).filter(({ event }) => event === 'denied')
const forging = (who: string) => forger(scene.stage.slack, who)
const metadata = (change: string, step = 0): string => JSON.stringify({ change, step })

/** Who was put on record as refused, and what has come of it besides: nothing, if all is well. */
async function cameOfIt(): Promise<readonly unknown[]> {
  await scene.stage.slack.until(() => denied().length > denials)
  await scene.answersOthers(VERA)
  const refused = denied()
    .slice(denials)
    .map(({ actor }) => actor)
  const state = changesIn(scene.store).find((change) => change.id === id)?.state
  return [refused, scene.stage.cdn.count('createVideoLibrary'), state]
}
const opensPrompt = () =>
  scene.does(OTTO, (person) => person.click({ message: { channel: OPS, ts } }, 'change', 'change:approve'), {
    until: /═══ Approve\? ═══/,
  })
const nothingBy = (who: string): readonly unknown[] => [[who], 0, 'waiting']

describe('a button with the right id', () => {
  test('in a message that a leaked response address has posted counts for nothing, with the right words', async () => {
    await scene.types(ADA, '/cdn whoami', { until: /admin/ })
    const { blocks, text } = cardOf(scene, id)
    expect(forging(ADA).speakAsApp({ text, blocks, response_type: 'in_channel' })).toBeUndefined()
    const fake = scene.person(OTTO).messages(OPS).at(-1)!
    await scene.does(OTTO, (person) => person.click({ message: fake }, 'change', 'change:approve'), {
      until: /does not belong to the message about the change/,
    })
    expect(await cameOfIt()).toEqual(nothingBy(OTTO))
    expect(scene.person(OTTO).view()).toBeUndefined()
  })

  test.each(['approve', 'decline', 'cancel', 'exists', 'absent'])(
    'of another change counts for nothing: %s',
    async (what) => {
      const who = what === 'cancel' ? OLGA : ADA
      await forging(who).click({ channel: OPS, ts, actionId: `change:${what}`, value: other })
      expect(await cameOfIt()).toEqual(nothingBy(who))
      expect(scene.person(who).view()).toBeUndefined()
    },
  )

  test.each([
    ['in another channel', { channel: RANDOM }],
    ['in a message that is not there', { ts: '1.000000' }],
    ['that cancels', { ts: '1.000000', actionId: 'change:cancel' }],
    ['of a kind that there is not', { actionId: 'change:force' }],
  ])('%s counts for nothing', async (_, forged) => {
    await forging(OTTO).click({ channel: OPS, ts, actionId: 'change:approve', value: id, ...forged })
    expect(await cameOfIt()).toEqual(nothingBy(OTTO))
  })

  test('of what nobody has shown counts for nothing', async () => {
    await forging(OTTO).click({ channel: OPS, ts, actionId: 'answer:everything', value: id })
    expect(await cameOfIt()).toEqual(nothingBy(OTTO))
  })
})

describe('a submission with the right id', () => {
  test.each([
    ['who asked', OLGA, 'approve'],
    ['somebody who may only look', VERA, 'approve'],
    ['a guest', GUS, 'approve'],
    ['a person of another workspace', SAM, 'decline'],
  ])('of %s counts for nothing', async (_, who, callbackId) => {
    await scene.types(OLGA, '/cdn dns add', { until: /═══ Add a DNS record ═══/ })
    const view = scene.stage.slack.person(OLGA).view()
    const values = {}
    const payload = {
      type: 'view_submission',
      user: { id: who },
      team: null,
      view: { id: view?.id, callback_id: callbackId, private_metadata: metadata(id), state: { values } },
    }
    await forging(who).send('interactive', payload)
    expect(await cameOfIt()).toEqual(nothingBy(who))
    await scene.person(OLGA).closeView()
  })

  test.each([
    ['a form of somebody else', 'form', () => metadata(id)],
    ['a review of somebody else', 'review', () => metadata(id)],
    ['a kind that there is not', 'admin', () => metadata(id)],
    ['no place', 'form', () => 'hush'],
    ['nothing at all', 'review', () => ''],
  ])('that names %s counts for nothing', async (_, callbackId, place) => {
    await scene.types(OTTO, '/cdn dns add', { until: /═══ Add a DNS record ═══/ })
    const answer = await forging(OTTO).submit({ callbackId, privateMetadata: place() })
    expect(JSON.stringify(answer)).toMatch(REFUSED)
    expect(await cameOfIt()).toEqual(nothingBy(OTTO))
    await scene.person(OTTO).closeView()
  })

  test.each([
    ['a field of another operation', { owner: { value: { type: 'plain_text_input', value: 'x' } } }],
    ['a type that was not offered', { type: { value: { type: 'static_select', selected_option: { value: 'AXFR' } } } }],
    ['a zone that is no id', { 'zone:dns': { value: { type: 'external_select', selected_option: { value: 'x' } } } }],
    ['a text for a menu', { type: { value: { type: 'plain_text_input', value: 'A' } } }],
  ])('with %s counts for nothing', async (_, values) => {
    await scene.types(OTTO, '/cdn dns add', { until: /═══ Add a DNS record ═══/ })
    expect(JSON.stringify(await forging(OTTO).submit({ values }))).toMatch(REFUSED)
    expect(await cameOfIt()).toEqual(nothingBy(OTTO))
    await scene.person(OTTO).closeView()
  })
})

describe('the prompt of an approver', () => {
  test.each([
    ['asks for a reason', { values: { reason: text('x') } }],
    ['has a field of the form', { values: { encodingTier: NOT_OFFERED } }],
    ['has a block that there is nowhere', { values: { 'no such block': text('x') } }],
    ['has another element', { values: { reason: { other: { type: 'plain_text_input', value: 'x' } } } }],
    ['remembers garbage', { privateMetadata: '\u0000{"change"' }],
    ['remembers nothing', { privateMetadata: '' }],
    ['remembers a step that there is not', { privateMetadata: '{"change":"x","step":-1}' }],
    ['remembers a list', { privateMetadata: '[]' }],
  ])('that %s counts for nothing', async (_, forged) => {
    await opensPrompt()
    expect(JSON.stringify(await forging(OTTO).submit(forged))).toMatch(REFUSED)
    expect(await cameOfIt()).toEqual(nothingBy(OTTO))
    await scene.person(OTTO).closeView()
  })
})

test('the change can be approved after all of this', async () => {
  await opensPrompt()
  await scene.submits(OTTO, {}, { until: /═══ Done ═══/ })
  expect(scene.stage.cdn.count('createVideoLibrary')).toBe(1)
})
