import { formView } from '../../../src/slack/form/form-view.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { UserError } from '../../../src/shared/errors.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { View } from '../../../src/block-kit/view.ts'
import { FORM_VIEW, REVIEW_VIEW, writePlace } from '../../../src/slack/form/form-place.ts'
import { actor, RECORD, reviewed } from '../../support/execution-bench.ts'
import { plainAnswer } from '../../support/ledger-operations.ts'
import { deliver } from '../../support/recording-app.ts'
import { createSlackBench, submission, useSlackBench } from '../../support/slack-bench.ts'
import { readText } from '../../support/read-text.ts'
import { submittedState } from '../../support/submitted-state.ts'

const bench = useSlackBench()
let acks: unknown[]
beforeEach(() => {
  acks = []
})

const olga = actor('operator', 'UOLGA')
const ack = async (answer: unknown): Promise<void> => void acks.push(answer)
const submit = (page: ReturnType<typeof submission>) => deliver(bench.slack, 'view_submission', page, ack)
const review = (id: string) => submission(REVIEW_VIEW, writePlace({ change: id, step: 2 }))
const ackText = () => JSON.stringify(acks)

async function reviewing(values = RECORD): Promise<string> {
  return (await reviewed(bench, values, olga)).change.id
}

describe('a page of a form', () => {
  async function form(values = {}, by = olga, name = 'record add') {
    const operation = bench.operation(name)
    const change = await bench.changes.begin(operation, values, by, 'C1')
    const zones = await bench.inputs.zones()
    const view = formView({ operation, step: 0, values, change, zones })
    return { change, view, metadata: view.private_metadata ?? '', state: submittedState(view) }
  }

  it('names its own mistakes at the inputs and keeps the page', async () => {
    const { metadata, state } = await form({ zone: '301' })
    await submit(submission(FORM_VIEW, metadata, state))
    expect(acks).toEqual([{ response_action: 'errors', errors: { value: 'Value is needed.' } }])
  })

  it('is drawn again with what no input of it can carry, and goes on without what no page shows', async () => {
    const hidden = [{ title: 'Record', fields: () => ['zone', 'value'] }]
    const [ofHidden, ofAll] = [
      { field: 'billed', problem: 'Hidden.' },
      { field: undefined, problem: 'It does not fit.' },
    ]
    const parse = (values: RawValues) => ({ ok: false, issues: 'billed' in values ? [ofHidden] : [ofAll] })
    Object.assign(bench.operation('record add'), { form: hidden, parse })
    const { change, metadata, state } = await form({ zone: '301', value: 'odd', billed: 'on' })
    const entered = { value: { value: { type: 'plain_text_input', value: 'new' } } }
    await submit(submission(FORM_VIEW, metadata, { ...state, ...entered }))
    expect(readText((acks[0] as { view: View }).view)).toMatch(
      /^═══ Record ═══\n:warning: \*Please look at this first\*\n• It does not fit\.\nZone/,
    )
    expect((await bench.store.changes.get(change.id))?.values).toEqual({ zone: '301', value: 'new' })
  })

  it('leads page by page to the review, which is what gets bound', async () => {
    const { change, metadata, state } = await form({ zone: '301', value: '192.0.2.10' })
    await submit(submission(FORM_VIEW, metadata, state))
    const second = writePlace({ change: change.id, step: 1 })
    await submit(submission(FORM_VIEW, second))
    expect(acks).toMatchObject([{ view: { callback_id: FORM_VIEW } }, { view: { callback_id: REVIEW_VIEW } }])
    expect(await bench.store.changes.get(change.id)).toMatchObject({ sentence: 'Add 192.0.2.10 to zone 301' })
    await submit(review(change.id))
    expect(bench.board.in('C1')).toEqual(['It was stored.'])
  })

  it('never goes on without what is wrong, though it may be left out', async () => {
    const parse = ({ value }: RawValues) => {
      const issues = value === 'odd' ? [{ field: 'value', problem: 'It is odd.' }] : []
      return { ok: issues.length === 0, issues }
    }
    Object.assign(bench.operation('record add'), { parse })
    const { metadata, state } = await form({ zone: '301', value: 'odd' })
    await submit(submission(FORM_VIEW, metadata, state))
    expect(acks).toEqual([{ response_action: 'errors', errors: { value: 'It is odd.' } }])
  })

  it('of a read closes at once and is answered afterwards, once for two deliveries', async () => {
    await bench.close()
    const form = [{ title: 'Lines', fields: () => ['page'] }]
    Object.assign(bench, await createSlackBench({ operations: (given) => given.map((each) => ({ ...each, form })) }))
    const withForm = bench.operation('lines list')
    const change = await bench.changes.begin(withForm, {}, olga, 'C1')
    const seen: unknown[] = []
    bench.acts.read = async ({ once }) => {
      seen.push([acks.length, once])
      return plainAnswer('Three lines.')
    }
    const page = submission(FORM_VIEW, writePlace({ change: change.id, step: 0 }))
    for (const _ of [1, 2]) await submit(page)
    expect(seen).toEqual([[1, undefined]])
    expect(acks).toEqual([undefined, undefined])
    expect(bench.said()).toEqual(['Three lines.'])
  })

  it('of a write to the bot is written down before Slack hears of it, once for two deliveries', async () => {
    const { metadata, state } = await form({ kind: 'dns' }, olga, 'name add')
    const seen: unknown[] = []
    bench.acts.read = async ({ once }) => {
      seen.push([acks.length, once?.key])
      return plainAnswer('Three lines.')
    }
    for (const _ of [1, 2]) await submit(submission(FORM_VIEW, metadata, state))
    expect(seen).toEqual([
      [0, expect.stringMatching(/^form:/)],
      [1, expect.stringMatching(/^form:/)],
    ])
  })

  it('of a write to the bot closes when the store hangs, which takes back what comes later', async () => {
    const { metadata, state } = await form({ kind: 'dns' }, olga, 'name add')
    const begun = Promise.withResolvers<number | undefined>()
    const slow = Promise.withResolvers<never>()
    bench.acts.read = ({ once }) => {
      begun.resolve(once?.notAfterMs)
      return slow.promise
    }
    const submitted = submit(submission(FORM_VIEW, metadata, state))
    const notAfterMs = await begun.promise
    bench.clock.turn(1_800)
    await expect.poll(() => acks).toEqual([undefined])
    expect(bench.clock.monotonicMs()).toBe(notAfterMs)
    slow.reject(new UserError('busy', 'Too slow. Nothing was done.'))
    await submitted
    expect(bench.said().at(-1)).toBe('Too slow. Nothing was done.')
  })

  it('of a write to the bot is written down in time or not at all, counted from when it came', async () => {
    const { metadata, state } = await form({ kind: 'dns' }, olga, 'name add')
    const patienceEndsMs = bench.clock.monotonicMs() + 2_000
    bench.script.before = ({ method }) => {
      if (method === 'users.info') bench.clock.turn(1_500)
    }
    const until: unknown[] = []
    bench.acts.read = async ({ once }) => {
      until.push(once?.notAfterMs)
      return plainAnswer('Three lines.')
    }
    await submit(submission(FORM_VIEW, metadata, state))
    expect(until).toEqual([patienceEndsMs - 200])
  })

  it('does not say that nothing was done where it is not known', async () => {
    const { metadata, state } = await form({ zone: '301', value: 'x' })
    bench.store.changes.saveDraft = () => Promise.reject(new StoreError('unanswered'))
    await submit(submission(FORM_VIEW, metadata, state))
    expect(readText((acks[0] as { view: View }).view)).toMatch(
      /^═══ Not known ═══\n.*it is not known whether this was written down/,
    )
  })

  it('that has waited too long is kept, and a button leads back to it', async () => {
    const { change, metadata } = await form({ zone: '301', value: 'x' })
    const entered = { value: { value: { type: 'plain_text_input', value: '192.0.2.99' } } }
    bench.clock.turn(11 * 60_000)
    const key = { value: { value: { type: 'plain_text_input', value: 'ghp_'.padEnd(40, 'a1B2c3') } } }
    await submit(submission(FORM_VIEW, metadata, key))
    expect(ackText()).toContain('looks like a key or a password')
    await submit(submission(FORM_VIEW, metadata, entered))
    expect((await bench.store.changes.get(change.id))?.values).toEqual({ zone: '301', value: '192.0.2.99' })
    await submit(review(change.id))
    for (const kind of ['approve', 'decline']) {
      await submit(submission(kind, metadata))
      expect(JSON.stringify(acks.at(-1))).not.toContain('change:again')
    }
    const [, page, reviewed] = acks.map((answer) => readText((answer as { view: View }).view))
    for (const shown of [page, reviewed])
      expect(shown).toMatch(/^═══ Nothing was done ═══[^]*\[Back to the form\]\n\[Done\]$/)
  })

  it('of what takes an approval leads to a review that says whose', async () => {
    const { change } = await form({ zone: '301', value: 'x', billed: 'on' })
    await submit(submission(FORM_VIEW, writePlace({ change: change.id, step: 1 })))
    expect(acks).toMatchObject([{ view: { callback_id: REVIEW_VIEW, submit: { text: 'Ask for approval' } } }])
    expect(ackText()).toMatch(/costs money\. Who: \w+ operator or admin/)
  })

  it('of what nobody could approve says so in its place, on record', async () => {
    const { change } = await form({ zone: '301', value: 'x', billed: 'on' })
    bench.rules.policy = { ...bench.rules.policy, quorum: { count: 9, roles: ['admin'], groups: [] } }
    await submit(submission(FORM_VIEW, writePlace({ change: change.id, step: 1 })))
    expect(ackText()).toContain('besides you there are not enough people')
    expect(ackText()).toContain('Whoever runs CDN Ops can change who may approve, and where.')
    expect(await bench.record()).toContainEqual(expect.stringMatching(/^denied: /))
  })

  it.each([
    ['its place is not ours', FORM_VIEW, '{"change":7}'],
    ['its place is no JSON', FORM_VIEW, 'hush'],
    ['its kind is unknown', 'notice', writePlace({ change: 'c1', step: 0 })],
    ['its kind is only inherited', 'toString', writePlace({ change: 'c1', step: 0 })],
  ])('is refused, on record, when %s', async (_, callbackId, metadata) => {
    await submit(submission(callbackId, metadata))
    expect(ackText()).toContain('so it was refused. Nothing was done.')
    expect((await bench.record()).at(-1)).toMatch(/^denied: (It is a view|The view does)/)
    expect(ackText()).not.toContain('hush')
  })

  it('of somebody else is refused, on record', async () => {
    const { change, metadata, state } = await form({ zone: '301' })
    await submit(submission(FORM_VIEW, metadata, state, 'UOTTO'))
    expect(ackText()).toContain('so it was refused. Nothing was done.')
    const [denied] = await bench.store.audit.list({ limit: 1 })
    expect(denied).toMatchObject({ event: 'denied', actor: 'UOTTO', operation: 'record add', changeId: change.id })
  })

  it('that was answered before says how it stands', async () => {
    const { change, metadata, state } = await form({ zone: '301' })
    await bench.changes.close(change.id, 'UOLGA')
    await submit(submission(FORM_VIEW, metadata, state))
    expect(ackText()).toContain('it is cancelled. Nothing more was done.')
  })

  it.each([['text'], [{ block: null }], [{ block: { action: { type: 7 } } }], [[[]]]])(
    'with an odd state ends as a notice, never as silence: %j',
    async (state) => {
      const { metadata } = await form()
      await submit(submission(FORM_VIEW, metadata, state))
      expect(acks).toHaveLength(1)
      expect(ackText()).toContain('so it was refused. Nothing was done.')
    },
  )
})

describe('closing a view', () => {
  const closed = (id: string, user = 'UOLGA', metadata = writePlace({ change: id, step: 2 })) =>
    deliver(bench.slack, 'view_closed', submission(REVIEW_VIEW, metadata, {}, user))

  it('ends the draft and erases its secret values, without asking Slack', async () => {
    const id = await reviewing()
    await closed(id, 'UOTTO')
    await closed(id, 'UOLGA', 'hush')
    expect(await bench.store.changes.get(id)).toMatchObject({ state: 'draft' })
    await closed(id)
    expect(await bench.store.changes.get(id)).toMatchObject({ state: 'cancelled', values: { variables: '••••' } })
    expect(bench.calls).toEqual([])
  })

  it('that cannot be put on record is logged, and the form still ends with its time', async () => {
    const id = await reviewing()
    await bench.store.close()
    await closed(id)
    expect(bench.log.map(({ sentence }) => sentence)).toEqual(['a closed form could not be ended'])
  })
})
