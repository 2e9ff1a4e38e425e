import { beforeEach, describe, expect, it } from 'vitest'
import { UserError } from '../../src/shared/errors.ts'
import { plainAnswer } from '../support/ledger-operations.ts'
import { deliverTo, listeningApp, type RecordingApp, TYPED_READ } from '../support/recording-app.ts'
import { useSlackBench } from '../support/slack-bench.ts'

const bench = useSlackBench()
let app: RecordingApp
let acked: string[]
beforeEach(() => {
  acked = []
  app = listeningApp(bench.slack, (kind) => acked.push(kind))
})

const deliver = (kind: string, body: unknown): Promise<readonly unknown[]> => deliverTo(app, kind, body)

describe('a command that writes to the bot', () => {
  const WRITE = { ...TYPED_READ, text: 'name add dns', user_id: 'UOLGA', trigger_id: 'trigger-w' }

  it('is done before it is acknowledged, under the key of its trigger', async () => {
    const order: unknown[] = []
    bench.acts.read = async ({ once }) => {
      order.push(once?.key)
      return plainAnswer('Named.')
    }
    await app.handlers.get('command')?.({ ack: async () => void order.push('ack'), body: WRITE })
    expect(order).toEqual(['command:trigger-w', 'ack'])
    expect(bench.said()).toEqual(['Named.'])
  })

  it('is acknowledged in time while the store hangs, which takes back what comes later', async () => {
    const begun = Promise.withResolvers<number | undefined>()
    const slow = Promise.withResolvers<never>()
    bench.acts.read = ({ once }) => {
      begun.resolve(once?.notAfterMs)
      return slow.promise
    }
    const delivered = deliver('command', WRITE)
    const notAfterMs = await begun.promise
    bench.clock.turn(1_999)
    expect(acked).toEqual([])
    bench.clock.turn(1)
    await expect.poll(() => acked).toEqual(['command'])
    expect(bench.clock.monotonicMs()).toBe(notAfterMs)
    slow.reject(new UserError('busy', 'Too slow. Nothing was done.'))
    await delivered
    expect(bench.said().at(-1)).toBe('Too slow. Nothing was done.')
  })

  it('that opens a form or is refused is acknowledged first, and answered once', async () => {
    for (const body of [
      { ...WRITE, text: 'name add' },
      { ...WRITE, user_id: 'UVERA', trigger_id: 'trigger-v' },
    ]) {
      const calls: string[] = []
      bench.script.before = ({ method }) => void (method !== 'users.info' && calls.push(method))
      const ack = async (): Promise<void> => void calls.push('ack')
      await app.handlers.get('command')?.({ ack, body })
      await app.handlers.get('command')?.({ ack, body })
      expect(calls).toEqual(['ack', expect.stringMatching(/views\.open|respond/), 'ack'])
    }
  })
})

describe('what Slack delivers again', () => {
  it('is answered once: a shortcut, a click on Home or in a form, and Home that was opened', async () => {
    const user = { id: 'UOLGA' }
    const click = { user, trigger_id: 'trigger-h', actions: [{ action_id: 'home:refresh' }] }
    const view = { id: 'V1', callback_id: 'form', private_metadata: '' }
    const inForm = { user, trigger_id: 'trigger-f', view, actions: [{ action_id: 'form_back' }] }
    const event = { user: 'UOLGA', tab: 'home' }
    for (const _ of [1, 2]) {
      await deliver('shortcut', { user, callback_id: 'record_add', trigger_id: 'trigger-s' })
      await deliver('action', click)
      await deliver('action', inForm)
      await app.handlers.get('app_home_opened')?.({ ack: async () => undefined, body: { event_id: 'Ev1' }, event })
    }
    const calls = bench.calls.map(({ method }) => method).filter((method) => method.startsWith('views.'))
    expect(calls).toEqual(['views.open', 'views.publish', 'views.update', 'views.publish'])
  })
})

describe('news of user groups', () => {
  it('make Slack be asked anew who is in them', async () => {
    bench.script.groups = { S1: ['UOLGA'] }
    const asked = async (): Promise<readonly string[]> => {
      const before = bench.calls.length
      await bench.slack.people.actor('UOLGA')
      return bench.calls.slice(before).map(({ method }) => method)
    }
    const tell = async (name: string, event: unknown): Promise<void> =>
      app.handlers.get(name)?.({ ack: async () => undefined, body: {}, event })
    expect((await asked()).toSorted()).toEqual(['usergroups.users.list', 'users.info'])
    expect(await asked()).toEqual([])
    for (const name of ['subteam_members_changed', 'subteam_updated']) {
      await tell(name, {})
      expect(await asked()).toEqual(['usergroups.users.list'])
    }
    for (const [id, calls] of [
      ['S1', ['usergroups.users.list']],
      ['S2', []],
    ] as const) {
      await tell('subteam_members_changed', { subteam_id: id })
      expect(await asked()).toEqual(calls)
      await tell('subteam_updated', { subteam: { id } })
      expect(await asked()).toEqual(calls)
    }
  })
})
