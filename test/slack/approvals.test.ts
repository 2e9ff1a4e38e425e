import { beforeEach, describe, expect, it } from 'vitest'
import type { CardAction } from '../../src/execution/messages/change-card.ts'
import { DEFAULT_POLICY } from '../../src/execution/policy/policy.ts'
import { APPROVE_VIEW, DECLINE_VIEW, writePlace } from '../../src/slack/form/form-place.ts'
import type { BlockActions } from '../../src/slack/gateway/payloads.ts'
import { actor, RECORD, reviewed } from '../support/execution-bench.ts'
import { deliver } from '../support/recording-app.ts'
import { click, submission, useSlackBench } from '../support/slack-bench.ts'

const bench = useSlackBench()
let acks: unknown[]
beforeEach(() => {
  acks = []
})

const olga = actor('operator', 'UOLGA')
const ack = async (answer: unknown): Promise<void> => void acks.push(answer)
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state

/** A change of Olga's that waits for somebody else, with its message in the operations channel. */
async function waiting(values = { ...RECORD, billed: 'on' }): Promise<string> {
  const { change } = await reviewed(bench, values, olga)
  await bench.changes.submit(change.id, olga)
  await bench.announcer.announce(change.id)
  return change.id
}

/** A click under the newest message in the operations channel. */
async function press(id: string, action: CardAction, user = 'UOTTO', changes: Partial<BlockActions> = {}) {
  const ts = bench.board.posted.findLast(({ channel }) => channel === 'COPS')?.ts
  const payload = click(`change:${action}`, id, {
    user: { id: user },
    channel: { id: 'COPS' },
    container: { message_ts: ts },
    ...changes,
  })
  await deliver(bench.slack, 'action', payload)
  return payload
}

async function submit(id: string, kind: string, user = 'UOTTO', state: unknown = {}): Promise<string> {
  await deliver(bench.slack, 'view_submission', submission(kind, writePlace({ change: id, step: 0 }), state, user), ack)
  return JSON.stringify(acks.at(-1))
}

describe('Approve', () => {
  it('shows what will be sent, from the store, and who asked', async () => {
    await press(await waiting(), 'approve')
    const shown = bench.shown('views.open')
    expect(shown).toContain('Add 192.0.2.10 to zone 301')
    expect(shown).toContain('Asked by <@UOLGA>')
    expect(shown).toContain('Nobody has approved it yet')
    expect(shown).toContain('may be billed, or cannot be undone')
  })

  it('tells somebody who has approved it that it counts once, before they read it again; they may decline', async () => {
    bench.rules.policy = { ...DEFAULT_POLICY, quorum: { ...DEFAULT_POLICY.quorum, count: 2 } }
    const id = await waiting()
    await submit(id, APPROVE_VIEW)
    await press(id, 'approve')
    expect(bench.shown('views.open')).toMatch(/Waiting for approval.*You have approved this before; it counts once\./)
    expect(bench.shown('views.open')).not.toContain('What will be sent')
    await press(id, 'decline')
    expect(bench.shown('views.open')).toContain('Why not?')
  })

  it('sends with the last approval it takes, once Slack has heard of it', async () => {
    const id = await waiting()
    bench.acts.write = async () => {
      expect(acks).toHaveLength(1)
      return 'stored'
    }
    expect(await submit(id, APPROVE_VIEW)).toContain('approved, being sent …')
    expect(await stateOf(id)).toBe('done')
    expect(bench.shown('views.update')).toContain('It was stored.')
    expect(bench.board.in('COPS')).toEqual(['It was stored.'])
  })

  it('sends all the same when Slack heard of it too late, and says nothing that may be wrong', async () => {
    const id = await waiting()
    const asked = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    bench.script.before = ({ method }) => {
      if (method !== 'users.info') return undefined
      asked.resolve()
      return slow.promise
    }
    const submitted = submit(id, APPROVE_VIEW)
    await asked.promise
    bench.clock.turn(2_000)
    expect(await submitted).toContain('Whether it was will show in the message about the change.')
    slow.resolve()
    await expect.poll(() => stateOf(id)).toBe('done')
  })
})

describe('Cancel, It exists, It does not exist', () => {
  it('are on record before Slack hears of the click', async () => {
    const id = await waiting()
    const seen: unknown[] = []
    const payload = click('change:cancel', id, { user: { id: 'UOLGA' }, channel: { id: 'COPS' } })
    const container = { message_ts: bench.board.posted.at(-1)?.ts }
    const heard = async (): Promise<void> => void seen.push(await stateOf(id))
    await deliver(bench.slack, 'action', { ...payload, container }, heard)
    expect(seen).toEqual(['cancelled'])
  })
})

describe('an approval', () => {
  it.each([
    ['a text in Approve', APPROVE_VIEW, { reason: { value: { type: 'plain_text_input', value: 'x' } } }],
    ['a field of the form in Decline', DECLINE_VIEW, { value: { value: { type: 'plain_text_input', value: 'x' } } }],
    ['a text too long', DECLINE_VIEW, { reason: { value: { type: 'plain_text_input', value: 'x'.repeat(1_001) } } }],
    ['an action too many', DECLINE_VIEW, { reason: { a: { type: 'plain_text_input' }, value: { type: 'x' } } }],
  ])('with %s is refused, on record', async (_, kind, state) => {
    const id = await waiting()
    expect(await submit(id, kind, 'UOTTO', state)).toContain('so it was refused. Nothing was done.')
    const [entry] = await bench.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({ event: 'denied', actor: 'UOTTO', changeId: id })
    expect(await stateOf(id)).toBe('waiting')
  })
})
