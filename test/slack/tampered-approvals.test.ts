import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onChangeButton } from '../../src/slack/approval-listener.ts'
import { APPROVE_VIEW, DECLINE_VIEW, writePlace } from '../../src/slack/form/form-place.ts'
import type { BlockActions } from '../../src/slack/payloads.ts'
import { onViewSubmission } from '../../src/slack/view-listener.ts'
import { actor, RECORD, reviewed } from '../support/execution-bench.ts'
import { acknowledged, click, createSlackBench, type SlackBench, submission } from '../support/slack-bench.ts'

let bench: SlackBench
let id: string
let message: { readonly channel: { readonly id: string }; readonly container: { readonly message_ts: string } }

/** A change of Olga's that waits for somebody else. */
beforeEach(async () => {
  bench = await createSlackBench()
  const olga = actor('operator', 'UOLGA')
  const { change } = await reviewed(bench, { ...RECORD, billed: 'on' }, olga)
  await bench.desk.submit(change.id, olga)
  const place = await bench.announcer.announce(change.id)
  id = change.id
  message = { channel: { id: 'COPS' }, container: { message_ts: place?.ts ?? '' } }
  bench.acts.write = () => expect.unreachable('Nothing may be sent')
})
afterEach(() => bench.close())

const lastEntry = async () => (await bench.store.audit.list({ limit: 1 }))[0]
const stateNow = async () => (await bench.store.changes.get(id))?.state

async function press(action: string, value: string | null | undefined, changes: Partial<BlockActions>): Promise<void> {
  const actions = [{ action_id: action, value }]
  const payload = { ...click(action, id, { user: { id: 'UOTTO' }, ...message }), actions, ...changes }
  await onChangeButton(payload, acknowledged, bench.reception)
}

async function submit(kind: string, metadata: string, user: string, state: unknown = {}): Promise<string> {
  const answers: unknown[] = []
  const ack = async (answer: unknown): Promise<void> => void answers.push(answer)
  await onViewSubmission(submission(kind, metadata, state, user), ack, bench.reception)
  return JSON.stringify(answers)
}

describe('a button that does not belong to the message about the change', () => {
  it.each([
    ['a message posted by somebody else', { container: { message_ts: '9.9' } }],
    ['another channel', { channel: { id: 'C1' } }],
    ['no channel', { channel: null }],
    ['no message', { container: undefined }],
  ])('does nothing, on record: %s', async (_, place) => {
    for (const action of ['change:approve', 'change:decline', 'change:cancel', 'change:exists'])
      await press(action, id, { user: { id: 'UADA' }, ...place })
    expect(bench.calls.map(({ method }) => method)).not.toContain('views.open')
    expect(await stateNow()).toBe('waiting')
    expect(bench.said()).toHaveLength(4)
    for (const text of bench.said()) expect(text).toContain('does not belong to the message about the change')
    expect(await lastEntry()).toMatchObject({ event: 'denied', actor: 'UADA', changeId: id, operation: 'record add' })
  })

  it.each([
    ['an action that no message has', 'change:force', 'c1'],
    ['no id', 'change:cancel', undefined],
    ['an id of null', 'change:approve', null],
  ])('does nothing, on record: %s', async (_, action, value) => {
    await press(action, value, {})
    expect(bench.said()).toEqual([expect.stringMatching(/so it was refused\. Nothing was done\./)])
    expect(await lastEntry()).toMatchObject({ event: 'denied', actor: 'UOTTO' })
  })

  it('does nothing with the id of a form, or of nothing', async () => {
    const draft = await bench.desk.begin(bench.operation('record add'), RECORD, actor('operator', 'UOLGA'), 'C1')
    for (const value of [draft.id, 'nowhere']) {
      await press('change:approve', value, {})
      expect(bench.said().at(-1)).toMatch(/^This change is not known any more\. Nothing was done\./)
    }
  })
})

describe('an approval that was not asked of this person', () => {
  const place = () => writePlace({ change: id, step: 0 })

  it.each([
    ['of who asked', 'UOLGA', 'You asked for this yourself'],
    ['of somebody whose role does not count', 'UVERA', 'Nothing was done.'],
    ['of somebody without a role', 'UNOBODY', 'Nothing was done.'],
  ])('%s is refused, on record, for Approve and Decline', async (_, user, told) => {
    for (const kind of [APPROVE_VIEW, DECLINE_VIEW]) {
      expect(await submit(kind, place(), user)).toContain(told)
      expect(await lastEntry()).toMatchObject({ event: 'denied', actor: user, changeId: id })
    }
    expect(await stateNow()).toBe('waiting')
    expect(await bench.store.approvals.of(id)).toEqual([])
  })

  it.each([
    ['a text in Approve', APPROVE_VIEW, { reason: { value: { type: 'plain_text_input', value: 'x' } } }],
    ['a field of the form in Decline', DECLINE_VIEW, { value: { value: { type: 'plain_text_input', value: 'x' } } }],
    ['a text too long', DECLINE_VIEW, { reason: { value: { type: 'plain_text_input', value: 'x'.repeat(1_001) } } }],
    ['an action too many', DECLINE_VIEW, { reason: { a: { type: 'plain_text_input' }, value: { type: 'x' } } }],
  ])('with %s is refused, on record', async (_, kind, state) => {
    expect(await submit(kind, place(), 'UOTTO', state)).toContain('so it was refused. Nothing was done.')
    expect(await lastEntry()).toMatchObject({ event: 'denied', actor: 'UOTTO', changeId: id })
    expect(await stateNow()).toBe('waiting')
  })

  it('of a guest since the prompt was opened is refused', async () => {
    bench.script.profile = { is_restricted: true }
    await submit(APPROVE_VIEW, place(), 'UOTTO')
    expect(await stateNow()).toBe('waiting')
    expect(await lastEntry()).toMatchObject({ event: 'denied', actor: 'UOTTO' })
  })

  it('of a draft or of nothing does nothing', async () => {
    const draft = await bench.desk.begin(bench.operation('record add'), RECORD, actor('operator', 'UOLGA'), 'C1')
    for (const change of [draft.id, 'nowhere']) {
      const said = await submit(APPROVE_VIEW, writePlace({ change, step: 0 }), 'UOTTO')
      expect(said).toContain('This change is not known any more. Nothing was done.')
    }
  })
})

describe('settling', () => {
  it('of what is known already, or by somebody without the role, does nothing', async () => {
    await press('change:exists', id, {})
    expect(await stateNow()).toBe('waiting')
    await press('change:absent', id, { user: { id: 'UVERA' } })
    expect(bench.said().at(-1)).toContain('needs the role operator')
    expect(await lastEntry()).toMatchObject({ event: 'denied', actor: 'UVERA' })
  })
})
