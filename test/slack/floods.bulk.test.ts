import { beforeEach, expect, it } from 'vitest'
import { deliverTo, listeningApp, type RecordingApp, TYPED_READ } from '../support/recording-app.ts'
import { TOO_FAST } from '../../src/slack/rate-limiter.ts'
import { readText } from '../support/read-text.ts'
import { newTrigger, useSlackBench } from '../support/slack-bench.ts'

const LIMIT = 120
const TOLD = /^You ask faster than CDN Ops answers one person/

const bench = useSlackBench()
let app: RecordingApp
beforeEach(() => {
  app = listeningApp(bench.slack, () => undefined)
})

async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let index = 0; index < count; index += 1) done.push(await work())
  return done
}
const command = (user = 'UVERA') =>
  deliverTo(app, 'command', { ...TYPED_READ, user_id: user, trigger_id: newTrigger() })

it('commands over the limit are acknowledged, the first with words, and cost nothing', async () => {
  await times(LIMIT, command)
  const callsBefore = bench.calls.length
  const acks = (await times(20, command)).flat()
  expect(acks[0]).toMatchObject({ response_type: 'ephemeral', text: expect.stringMatching(TOLD) })
  expect(acks.slice(1)).toEqual(Array.from({ length: 19 }, () => undefined))
  expect(bench.calls).toHaveLength(callsBefore)
  await command('UOLGA')
  expect(bench.calls.length).toBeGreaterThan(callsBefore)
})

it('a submission over the limit says so over the form, which stays', async () => {
  await times(LIMIT, command)
  const view = { id: 'V1', callback_id: 'form', private_metadata: 'x' }
  const [answer] = await deliverTo(app, 'view_submission', { user: { id: 'UVERA' }, view })
  expect(answer).toEqual({ response_action: 'push', view: TOO_FAST })
  expect(readText(TOO_FAST)).toBe(
    '═══ Too fast ═══\nYou ask faster than CDN Ops answers. Nothing was sent by this click.\nWhat you filled in is behind this. Wait a few seconds, close this and submit again.\n[Close]',
  )
})

it('mentions, shortcuts, Home and menus over the limit cost nothing', async () => {
  await times(LIMIT + 1, command)
  const calls = bench.calls.length
  const mention = { user: 'UVERA', channel: 'C1', text: '<@UBOT> lines list', ts: '1.2' }
  const event = { ack: async () => undefined, body: {} }
  await app.handlers.get('app_mention')?.({ ...event, event: mention })
  await app.handlers.get('app_home_opened')?.({ ...event, event: { user: 'UVERA', tab: 'home' } })
  await deliverTo(app, 'shortcut', { user: { id: 'UVERA' }, callback_id: 'record_add', trigger_id: newTrigger() })
  const asking = { user: { id: 'UVERA' }, block_id: 'zone:dns', value: '' }
  const offers = (await times(250, () => deliverTo(app, 'options', asking))).map((offer) => JSON.stringify(offer))
  expect(offers[0]).toContain('shop (301)')
  expect(offers.at(-1)).toBe('[{"options":[]}]')
  expect(bench.calls).toHaveLength(calls)
})
