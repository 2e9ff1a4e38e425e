import { beforeEach, describe, expect, it } from 'vitest'
import { CdnError } from '../../src/cdn/contract/errors.ts'
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
async function press(
  id: string,
  action: CardAction,
  user = 'UOTTO',
  changes: Partial<BlockActions> = {},
  heard?: () => Promise<void>,
) {
  const ts = bench.board.posted.findLast(({ channel }) => channel === 'COPS')?.ts
  const payload = click(`change:${action}`, id, {
    user: { id: user },
    channel: { id: 'COPS' },
    container: { message_ts: ts },
    ...changes,
  })
  await deliver(bench.slack, 'action', payload, heard)
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
    expect(await submit(id, APPROVE_VIEW)).toContain(
      'Your approval counts. It goes on once it has all approvals it needs.',
    )
    expect(await submit(id, APPROVE_VIEW)).toContain('You have approved this before; it counts once.')
    await press(id, 'approve')
    expect(bench.read('views.open')).toMatch(
      /^═+ Current state[^]*Waiting for approval[^]*You have approved this before; it counts once\./,
    )
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
  /** A change of which nobody knows whether it happened. */
  async function unknown(): Promise<string> {
    const lost = { kind: 'unreachable', reason: 'timeout', sent: 'maybe' } as const
    bench.acts.write = () => Promise.reject(new CdnError('addDnsRecord', lost))
    const id = await waiting()
    await submit(id, APPROVE_VIEW)
    expect(await stateOf(id)).toBe('unknown')
    bench.calls.length = 0
    return id
  }

  it.each([
    ['cancel', 'cancelled', waiting],
    ['exists', 'done', unknown],
    ['absent', 'not_done', unknown],
  ] as const)(
    '%s is on record before Slack hears of the click, said in its message alone, and done once',
    async (action, state, given) => {
      const id = await given()
      const heard: unknown[] = []
      await press(id, action, 'UOLGA', {}, async () => void heard.push(await stateOf(id)))
      expect(heard).toEqual([state])
      expect(bench.said()).toEqual([])
      const [other, by] = action === 'cancel' ? (['exists', 'UOLGA'] as const) : ([action, 'UOTTO'] as const)
      await press(id, other, by)
      expect(bench.said()).toEqual([expect.stringMatching(/\nThis click did nothing more\.\n\/cdn changes show /)])
    },
  )

  const ELSEWHERE = 'A button in a message that is not the one about this change.'
  const NO_ID = 'It is a button without the id of its change.'
  it.each<[string, CardAction, Partial<BlockActions>, string]>([
    ['in no message', 'cancel', { container: null }, ELSEWHERE],
    ['in no channel', 'cancel', { channel: null }, ELSEWHERE],
    [
      'of no kind',
      'cancel',
      { actions: [{ action_id: 'change:hush' }] },
      'It is a button that no message about a change has.',
    ],
    ['without an id', 'exists', { actions: [{ action_id: 'change:exists' }] }, NO_ID],
    ['with null for it', 'approve', { actions: [{ action_id: 'change:approve', value: null }] }, NO_ID],
  ])('do nothing %s, on record', async (_, action, changes, detail) => {
    const id = await waiting()
    await press(id, action, 'UOLGA', changes)
    expect(await stateOf(id)).toBe('waiting')
    expect((await bench.record()).at(-1)).toBe(`denied: ${detail}`)
  })
})

it('a decision about what is decided says how it stands, and that of their own hand so', async () => {
  const id = await waiting()
  const why = { reason: { value: { type: 'plain_text_input', value: 'Not now.' } } }
  for (const _ of [1, 2]) expect(await submit(id, DECLINE_VIEW, 'UOTTO', why)).toContain('You have declined it.')
  expect(await submit(id, DECLINE_VIEW, 'UADA')).toContain('This click did nothing more.')
  expect(await submit(id, APPROVE_VIEW, 'UADA')).toContain('This click did nothing more.')
  expect(acks.at(-1)).toMatchObject({ view: { title: { text: 'Current state' } } })
  expect(await bench.record()).toContainEqual('denied: Declined: Not now.')
  for (const action of ['approve', 'decline'] as const) {
    await press(id, action, 'UADA')
    expect(bench.read('views.open')).toContain('This click did nothing more.')
  }
})

describe('an approval', () => {
  const typed = (value: string) => ({ reason: { value: { type: 'plain_text_input', value } } })
  it.each([
    ['a text in Approve', APPROVE_VIEW, typed('x')],
    ['the reason to go without in Approve', APPROVE_VIEW, { alone: typed('x').reason }],
    ['a text too long in Decline', DECLINE_VIEW, typed('x'.repeat(1_001))],
  ])('with %s is refused, on record', async (_, kind, state) => {
    const id = await waiting()
    expect(await submit(id, kind, 'UOTTO', state)).toContain('so it was refused. Nothing was done.')
    const [entry] = await bench.store.audit.list({ limit: 1 })
    expect(entry).toMatchObject({ event: 'denied', actor: 'UOTTO', changeId: id })
    expect(await stateOf(id)).toBe('waiting')
  })
})
