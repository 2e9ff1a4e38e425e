import type { App } from '@slack/bolt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerListeners } from '../../src/slack/listeners.ts'
import type { Reception } from '../../src/slack/reception.ts'
import { createSlackBench, type SlackBench } from '../support/slack-bench.ts'

type Handler = (given: { ack: (answer?: unknown) => Promise<void>; body: unknown }) => Promise<void>

/** Keeps what is registered with it, by kind; a view listener also by the type of its constraints. */
class RecordingApp {
  readonly handlers = new Map<string, Handler>()
  onError: (error: unknown) => Promise<void> = async () => undefined

  command = (_: RegExp, handler: Handler) => this.handlers.set('command', handler)
  view = ({ type }: { type: string }, handler: Handler) => this.handlers.set(type, handler)
  action = (_: RegExp, handler: Handler) => this.handlers.set('action', handler)
  options = (_: RegExp, handler: Handler) => this.handlers.set('options', handler)
  shortcut = (_: unknown, handler: Handler) => this.handlers.set('shortcut', handler)
  event = (_: unknown, handler: Handler) => this.handlers.set('event', handler)
  error = (handler: typeof this.onError) => (this.onError = handler)
}

let bench: SlackBench
let app: RecordingApp
let acked: string[]
beforeEach(async () => {
  bench = await createSlackBench()
  app = new RecordingApp()
  acked = []
  registerListeners(app as unknown as App, {
    reception: bench.reception,
    command: '/cdn',
    log: bench.executor.options.log,
    onAck: (kind) => acked.push(kind),
    monotonicMs: () => bench.clock.monotonicMs(),
  })
})
afterEach(() => bench.close())

async function deliver(kind: string, body: unknown): Promise<readonly unknown[]> {
  const acks: unknown[] = []
  await app.handlers.get(kind)?.({ ack: async (answer) => void acks.push(answer), body })
  return acks
}

const COMMAND = {
  command: '/cdn',
  text: 'lines list',
  user_id: 'UVERA',
  team_id: 'T1',
  channel_id: 'C1',
  response_url: 'https://slack.test/typed',
  trigger_id: 'trigger',
}
const VIEW = { id: 'V1', callback_id: 'form', private_metadata: 'hush' }
const ODD: readonly unknown[] = [
  {},
  { user: null },
  { user: { id: 'hush' } },
  { user: [], view: 7, actions: [{}] },
  [],
  7,
  null,
]

describe('every delivery is acknowledged once', () => {
  it('a command, before it is worked on', async () => {
    const order: string[] = []
    bench.script.before = ({ method }) => order.push(method)
    await app.handlers.get('command')?.({ ack: async () => void order.push('ack'), body: COMMAND })
    expect(order).toEqual(['ack', 'users.info', 'respond'])
    expect(acked).toEqual(['command'])
  })

  it('another command, with the one that is answered', async () => {
    expect(await deliver('command', { ...COMMAND, command: '/hush' })).toEqual([
      { response_type: 'ephemeral', text: 'CDN Ops answers to /cdn only. Nothing was done.' },
    ])
    expect(bench.calls).toEqual([])
  })

  it.each([
    ['text that is too long', { text: 'x'.repeat(12_001) }],
    ['no person', { user_id: 'hush' }],
    ['no channel', { channel_id: 7 }],
  ])('a command with %s, with words that say so', async (_, odd) => {
    expect(await deliver('command', { ...COMMAND, ...odd })).toEqual([
      { response_type: 'ephemeral', text: expect.stringContaining('Nothing was done.') },
    ])
    expect(JSON.stringify(bench.log)).not.toContain('hush')
  })

  it.each(ODD)('odd submissions, with a notice: %j', async (odd) => {
    expect(await deliver('view_submission', odd)).toMatchObject([{ response_action: 'update' }])
  })

  it.each(ODD)('odd clicks, closed views and menus, by themselves: %j', async (odd) => {
    expect(await deliver('action', odd)).toEqual([undefined])
    expect(await deliver('view_closed', odd)).toEqual([undefined])
    expect(await deliver('options', odd)).toEqual([{ options: [] }])
    expect(bench.calls).toEqual([])
    expect(JSON.stringify(bench.log)).not.toContain('hush')
  })

  it('a click in a view that is not ours, which does nothing', async () => {
    const body = { user: { id: 'UOLGA' }, view: VIEW, actions: [{ action_id: 'x', value: null }] }
    expect(await deliver('action', body)).toEqual([undefined])
    expect(bench.calls).toEqual([])
  })

  it('a submission of a view that is not ours, as too late', async () => {
    const [answer] = await deliver('view_submission', { user: { id: 'UOLGA' }, view: VIEW })
    expect(JSON.stringify(answer)).toContain('expired or was answered already')
    expect(acked).toEqual(['view_submission'])
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
    const hanging: Reception['zones'] = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    bench.reception.zones = hanging
    const offered = labels()
    await asked.promise
    bench.clock.turn(2_000)
    expect(await offered).toBe('[{"options":[]}]')
  })
})

describe('what a listener throws', () => {
  it('is logged with its cause, not with what Slack sent', async () => {
    const original = new TypeError('a bug')
    await app.onError(Object.assign(new Error('hush'), { original }))
    expect(bench.log).toMatchObject([{ level: 'error', fields: { err: original } }])
  })
})
