import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CardAction } from '../../src/execution/change-card.ts'
import { DEFAULT_POLICY } from '../../src/execution/policy.ts'
import { onChangeButton } from '../../src/slack/approval-listener.ts'
import { APPROVE_VIEW, DECLINE_VIEW, writePlace } from '../../src/slack/form/form-place.ts'
import type { BlockActions } from '../../src/slack/payloads.ts'
import { acknowledging } from '../../src/slack/reception.ts'
import type { ViewAck } from '../../src/slack/result-view.ts'
import { onViewSubmission } from '../../src/slack/view-listener.ts'
import { actor, RECORD, reviewed } from '../support/execution-bench.ts'
import { acknowledged, click, createSlackBench, type SlackBench, submission } from '../support/slack-bench.ts'

let bench: SlackBench
let acks: ViewAck[]
beforeEach(async () => {
  bench = await createSlackBench()
  acks = []
})
afterEach(() => bench.close())

const DAY_MS = 86_400_000
const olga = actor('operator', 'UOLGA')
const ack = async (answer: ViewAck): Promise<void> => void acks.push(answer)
const stateOf = async (id: string) => (await bench.store.changes.get(id))?.state
const opened = () => bench.calls.filter(({ method }) => method === 'views.open').length

/** A change of Olga's that waits for somebody else, with its message in the operations channel. */
async function waiting(values = { ...RECORD, billed: 'on' }): Promise<string> {
  const { change } = await reviewed(bench, values, olga)
  await bench.desk.submit(change.id, olga)
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
  await onChangeButton(payload, acknowledged, bench.reception)
  return payload
}

async function submit(id: string, kind: string, user = 'UOTTO', state: unknown = {}): Promise<string> {
  await onViewSubmission(submission(kind, writePlace({ change: id, step: 0 }), state, user), ack, bench.reception)
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

  it('shows a user group whose approval it takes under its name', async () => {
    bench.people.list({ ...actor('operator', 'UOTTO'), groups: ['S0LAW'] })
    bench.rules.policy = { ...bench.rules.policy, quorum: { count: 1, roles: ['admin'], groups: ['S0LAW'] } }
    await press(await waiting(), 'approve', 'UADA')
    expect(bench.shown('views.open')).toContain('one admin or member of the user group <!subteam^S0LAW>')
  })

  it('warns when the same was asked for, however long ago it was while nobody has settled it', async () => {
    bench.acts.write = () => Promise.reject(new TypeError('no answer'))
    await submit(await waiting(), APPROVE_VIEW)
    bench.clock.turn(3 * DAY_MS)
    await press(await waiting(), 'approve')
    const shown = bench.shown('views.open')
    expect(shown).toContain('The same was asked for already')
    expect(shown).toContain('*unknown*')
    expect(shown).not.toContain('within a day')
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

  it('opens once however often Slack delivers the click', async () => {
    const payload = await press(await waiting(), 'approve')
    await onChangeButton(payload, acknowledged, bench.reception)
    expect(opened()).toBe(1)
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

  it('says that it takes more than one, and that one person counts once', async () => {
    bench.rules.policy = { ...bench.rules.policy, quorum: { count: 2, roles: ['operator', 'admin'], groups: [] } }
    const id = await waiting()
    expect(await submit(id, APPROVE_VIEW)).toContain(
      'Your approval is on record. It goes on once it has all approvals it takes.',
    )
    expect(await submit(id, APPROVE_VIEW)).toContain('You have approved this before; it counts once.')
    await press(id, 'approve', 'UADA')
    expect(bench.shown('views.open')).toContain('Approved by <@UOTTO>')
    await submit(id, APPROVE_VIEW, 'UADA')
    expect(await stateOf(id)).toBe('done')
  })

  it('does one effect for two people at once, and answers both', async () => {
    const id = await waiting()
    let calls = 0
    bench.acts.write = async () => {
      calls += 1
      return 'stored'
    }
    await Promise.all(['UOTTO', 'UADA'].map((user) => submit(id, APPROVE_VIEW, user)))
    expect(calls).toBe(1)
    expect(acks).toHaveLength(2)
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

describe('Decline', () => {
  it('ends it, with the reason in its message and for who asked', async () => {
    const id = await waiting()
    await press(id, 'decline')
    expect(bench.shown('views.open')).toContain('Why not?')
    const why = { reason: { value: { type: 'plain_text_input', value: 'Not on a Friday' } } }
    expect(await submit(id, DECLINE_VIEW, 'UOTTO', why)).toContain('You have declined it.')
    expect(await stateOf(id)).toBe('denied')
    await expect.poll(() => bench.board.in('COPS')).toEqual([expect.stringContaining('Declined: Not on a Friday')])
  })
})

describe('a click that nobody needs any more', () => {
  it.each(['approve', 'decline'] as const)('on %s shows how it stands', async (action) => {
    const id = await waiting()
    await bench.approvals.cancel(id, olga)
    await press(id, action)
    expect(bench.shown('views.open')).toMatch(/Cancelled: nothing was sent.*This click did nothing more/)
  })

  it.each([APPROVE_VIEW, DECLINE_VIEW])('that submits %s shows how it stands', async (kind) => {
    const id = await waiting()
    await bench.approvals.cancel(id, olga)
    expect(await submit(id, kind)).toMatch(/Cancelled: nothing was sent.*This click did nothing more/)
  })

  it('on Cancel says what became of it, to the one who clicked', async () => {
    const id = await waiting()
    await submit(id, APPROVE_VIEW)
    await press(id, 'cancel', 'UOLGA')
    expect(bench.said()).toEqual([expect.stringMatching(/^Done\..*This click did nothing more\./)])
  })
})

describe('a click or submission that Slack delivers again', () => {
  it('to Cancel says that it is done, as long as it was the same person', async () => {
    const id = await waiting()
    for (const _ of ['first', 'again']) await press(id, 'cancel', 'UOLGA')
    expect(bench.said()).toEqual([expect.stringMatching(/^Cancelled: nothing was sent.*It is done as you asked\./)])
  })

  it.each(['exists', 'absent'] as const)(
    'to %s says that it is done, and nothing of the kind otherwise',
    async (action) => {
      bench.acts.write = () => Promise.reject(new TypeError('no answer'))
      const id = await waiting()
      await submit(id, APPROVE_VIEW)
      for (const _ of ['first', 'again']) await press(id, action)
      await press(id, action === 'exists' ? 'absent' : 'exists')
      await press(id, action, 'UADA')
      const did = 'This click did nothing more.'
      expect(
        bench.said().map((said) => said.match(/It is done as you asked\.|This click did nothing more\./)?.[0]),
      ).toEqual(['It is done as you asked.', did, did])
    },
  )

  it('to decline says who declined it', async () => {
    const id = await waiting()
    await submit(id, DECLINE_VIEW)
    expect(await submit(id, DECLINE_VIEW)).toContain('You have declined it.')
    expect(await submit(id, DECLINE_VIEW, 'UADA')).toContain('This click did nothing more.')
  })
})

describe('Cancel, It exists, It does not exist', () => {
  it('are on record before Slack hears of the click', async () => {
    const id = await waiting()
    const seen: unknown[] = []
    const payload = click('change:cancel', id, { user: { id: 'UOLGA' }, channel: { id: 'COPS' } })
    const container = { message_ts: bench.board.posted.at(-1)?.ts }
    const heard = async (): Promise<void> => void seen.push(await stateOf(id))
    await acknowledging(bench.clock, heard, (acknowledge) =>
      onChangeButton({ ...payload, container }, acknowledge, bench.reception),
    )
    expect(seen).toEqual(['cancelled'])
  })

  it.each([
    ['exists', 'done'],
    ['absent', 'not_done'],
  ] as const)('%s settles what nobody knows', async (action, state) => {
    bench.acts.write = () => Promise.reject(new TypeError('no answer'))
    const id = await waiting()
    await submit(id, APPROVE_VIEW)
    expect(await stateOf(id)).toBe('unknown')
    await press(id, action)
    expect(await stateOf(id)).toBe(state)
  })
})
