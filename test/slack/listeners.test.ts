import { beforeEach, describe, expect, it } from 'vitest'
import type { InputReader } from '../../src/execution/requests/parts.ts'
import { deliverTo, listeningApp, type RecordingApp, TYPED_READ } from '../support/recording-app.ts'
import { expiredView } from '../../src/slack/form/notice-views.ts'
import { REVIEW_VIEW, writePlace } from '../../src/slack/form/form-place.ts'
import { submission, useSlackBench, newTrigger } from '../support/slack-bench.ts'

const bench = useSlackBench()
let app: RecordingApp
let acked: string[]
beforeEach(() => {
  acked = []
  app = listeningApp(bench.slack, (kind) => acked.push(kind))
})

const deliver = (kind: string, body: unknown): Promise<readonly unknown[]> => deliverTo(app, kind, body)

const UNREADABLE = 'Slack sent this in a form that CDN Ops does not know. Nothing was done. Type it again, shorter.'
const ODD = [{}, { user: null }, { user: { id: 'hush' } }, [], null]

describe('every delivery is acknowledged once', () => {
  it('a command, before it is worked on', async () => {
    const order: string[] = []
    bench.script.before = ({ method }) => order.push(method)
    await app.handlers.get('command')?.({ ack: async () => void order.push('ack'), body: TYPED_READ })
    expect(order).toEqual(['ack', 'users.info', 'respond'])
    expect(acked).toEqual(['command'])
  })

  it('and how long Slack waited for that is measured, of each kind', async () => {
    const waited: unknown[] = []
    const measured = listeningApp(bench.slack, (kind, ms) => waited.push([kind, ms]))
    bench.clock.turn(5_000)
    const ack = async (): Promise<void> => bench.clock.turn(250)
    for (const kind of ['command', 'view_submission', 'action', 'options', 'shortcut', 'view_closed'])
      await measured.handlers.get(kind)?.({ ack, body: {} })
    const kinds = ['command', 'view_submission', 'block_actions', 'block_suggestion', 'shortcut']
    expect(waited).toEqual(kinds.map((kind) => [kind, 250]))
  })

  it.each([
    ['text that is too long', { text: 'x'.repeat(12_001) }, UNREADABLE, ['text']],
    ['no person', { user_id: 'hush' }, UNREADABLE, ['user_id']],
    ['no channel', { channel_id: 7 }, UNREADABLE, ['channel_id']],
    ['another name', { command: '/hush' }, 'CDN Ops answers to /cdn only. Nothing was done.', undefined],
  ])('a command with %s, with words that say so', async (_, odd, text, wrong) => {
    expect(await deliver('command', { ...TYPED_READ, ...odd })).toEqual([{ response_type: 'ephemeral', text }])
    const logged = { level: 'warn', fields: { wrong }, sentence: 'a delivery of Slack has an unknown form' }
    expect(bench.log).toEqual(wrong === undefined ? [] : [logged])
    expect(bench.calls).toEqual([])
  })

  it.each(ODD)('odd submissions, with a notice: %j', async (odd) => {
    expect(await deliver('view_submission', odd)).toEqual([{ response_action: 'update', view: expiredView('/cdn') }])
  })

  it.each(ODD)('odd clicks, closed views and menus, by themselves: %j', async (odd) => {
    expect(await deliver('action', odd)).toEqual([undefined])
    expect(await deliver('view_closed', odd)).toEqual([undefined])
    expect(await deliver('options', odd)).toEqual([{ options: [] }])
    expect(bench.calls).toEqual([])
    expect(JSON.stringify(bench.log)).not.toContain('hush')
  })
})

describe('a menu of zones', () => {
  const asking = { user: { id: 'UOLGA' }, block_id: 'zone:dns', value: '' }
  const labels = async () => JSON.stringify(await deliver('options', asking))

  it('offers the names there are', async () => {
    expect(await labels()).toContain('shop (301)')
    expect(acked).toEqual(['block_suggestion'])
  })

  it('offers a typed id while the store fails, and says so in the log', async () => {
    await bench.store.close()
    expect(JSON.stringify(await deliver('options', { ...asking, value: '77' }))).toContain('77')
    expect(bench.log.map(({ sentence }) => sentence)).toEqual(['the names of zones could not be read'])
  })

  it('does not keep Slack waiting for a store that hangs', async () => {
    const asked = Promise.withResolvers<void>()
    const hanging: InputReader['zones'] = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    bench.inputs.zones = hanging
    const offered = labels()
    await asked.promise
    bench.clock.turn(2_000)
    expect(await offered).toBe('[{"options":[]}]')
  })
})

describe('what a listener throws', () => {
  it('is logged with its cause, not with what Slack sent', async () => {
    const [original, bare] = [new TypeError('a bug'), new Error('bare')]
    await app.onError(Object.assign(new Error('hush'), { original }))
    await app.onError(bare)
    expect(bench.log).toMatchObject([original, bare].map((err) => ({ level: 'error', fields: { err } })))
  })
})

const USER = { id: 'UOLGA', team_id: 'T2' }
const MENTION = { user: 'UOLGA', team: 'T1', channel: 'C1', text: '<@UBOT> lines list', ts: '1.2' }

describe('somebody whom a delivery gives another workspace than Slack does may do nothing', () => {
  it.each<[string, string, object]>([
    ['by a command', 'command', { ...TYPED_READ, user_id: 'UOLGA', team_id: 'T2' }],
    ['by a click', 'action', { user: USER, trigger_id: 't', actions: [{ action_id: 'home:record add' }] }],
    ['by a shortcut', 'shortcut', { user: USER, trigger_id: 't', callback_id: 'record_add' }],
    ['by a mention', 'app_mention', { ...MENTION, team: 'T2' }],
    ['by a mention, where the channel is shared', 'app_mention', { ...MENTION, user_team: 'T2' }],
  ])('%s', async (_, kind, body) => {
    await app.handlers.get(kind)?.({ ack: async () => undefined, body, event: body })
    expect(bench.said()).toEqual([expect.stringMatching(/^Only .*; you have no role\. Nothing was done\./)])
  })
})

describe('a stop waits for', () => {
  it.each<[string, string, unknown]>([
    ['a form that was closed', 'view_closed', submission(REVIEW_VIEW, writePlace({ change: 'c1', step: 1 }))],
    ['a form that was submitted', 'view_submission', submission(REVIEW_VIEW, writePlace({ change: 'c1', step: 1 }))],
    ['Home, being drawn', 'app_home_opened', { user: 'UOLGA', tab: 'home' }],
    ['news of a user group', 'subteam_updated', {}],
    ['an answer to a question', 'app_mention', MENTION],
  ])('%s', async (_, kind, body) => {
    const slow = Promise.withResolvers<undefined>()
    bench.script.before = () => slow.promise
    bench.changes.close = () => slow.promise
    bench.slack.people.groupChanged = () => slow.promise
    let isOver = false
    const done = app.handlers.get(kind)?.({ ack: async () => undefined, body, event: body })
    await new Promise(setImmediate)
    const drained = bench.slack.inFlight.drain(60_000).then(() => (isOver = true))
    await new Promise(setImmediate)
    expect(isOver).toBe(false)
    slow.resolve(undefined)
    await Promise.all([done, drained])
  })
})

async function take(callbackId: string, userId = 'UOLGA'): Promise<readonly string[]> {
  await deliver('shortcut', { user: { id: userId }, callback_id: callbackId, trigger_id: newTrigger() })
  return bench.said()
}

describe('a shortcut', () => {
  it('opens the empty form of its operation', async () => {
    expect(await take('record_add')).toEqual([])
    expect(bench.shown('views.open')).toContain('Step 1 of 2')
    Object.assign(bench.operation('lines list'), { form: [{ title: 'Lines', fields: () => ['page'] }] })
    expect(await take('lines_list')).toEqual([])
    expect(bench.read('views.open')).toMatch(/^═══ Lines ═══/)
  })

  it('tells somebody without the right so, on record, before any form', async () => {
    expect(await take('record_add', 'UVERA')).toEqual([
      expect.stringMatching(/Only operators and admins can use .*; you are a viewer/),
    ])
    expect((await bench.record()).at(-1)).toMatch(/^denied: /)
  })

  it('of an operation without a form says how it is asked for', async () => {
    expect(await take('lines_list')).toEqual([
      'lines list has no form. Nothing was done. Type it instead: /cdn lines list.',
    ])
  })

  it('of no operation is refused, on record, without its words', async () => {
    expect(await take('hush_all')).toEqual([expect.stringMatching(/so it was refused\. Nothing was done\./)])
    expect((await bench.record()).at(-1)).toBe('denied: It is a button or shortcut of no operation.')
    expect(JSON.stringify([bench.calls, bench.log])).not.toContain('hush')
  })
})

describe('clicks that come too fast', () => {
  const where = { user: { id: 'UOLGA' }, channel: { id: 'C1' } }
  it.each([
    ['on a message are told so once', {}, 1],
    ['inside a view are not, as it holds what was filled in', { view: { id: 'V1', callback_id: 'x' } }, 0],
  ])('%s', async (_, place, told) => {
    for (let clicked = 0; clicked < 123; clicked += 1)
      await deliver('action', { ...where, ...place, trigger_id: newTrigger(), actions: [{ action_id: 'x' }] })
    expect(acked).toHaveLength(123)
    expect(bench.said().filter((text) => text.startsWith('You ask faster'))).toHaveLength(told)
  })
})
