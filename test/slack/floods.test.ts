import { beforeEach, expect, it } from 'vitest'
import { deliverTo, listeningApp, type RecordingApp, TYPED_READ } from '../support/recording-app.ts'
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

it('clicks over the limit are acknowledged, and told of once', async () => {
  const click = () =>
    deliverTo(app, 'action', {
      user: { id: 'UVERA' },
      team: { id: 'T1' },
      trigger_id: newTrigger(),
      response_url: 'https://slack.test/click',
      channel: { id: 'C1' },
      actions: [{ action_id: 'answer:page', value: 'gone' }],
    })
  await times(LIMIT, click)
  const before = bench.said().length
  expect((await times(40, click)).flat()).toEqual(Array.from({ length: 40 }, () => undefined))
  expect(bench.said().slice(before)).toEqual([expect.stringMatching(TOLD)])
})

it('a submission over the limit says so over the form, which stays', async () => {
  await times(LIMIT, command)
  const view = { id: 'V1', callback_id: 'form', private_metadata: 'x' }
  const [answer] = await deliverTo(app, 'view_submission', { user: { id: 'UVERA' }, view })
  expect(answer).toMatchObject({ response_action: 'push' })
  expect(JSON.stringify(answer)).toContain('Nothing was sent by this click.')
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
