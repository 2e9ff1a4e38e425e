import { describe, expect, it } from 'vitest'
import { BACK_ACTION, FORM_VIEW, REVIEW_ACTION, REVIEW_VIEW, writePlace } from '../../../src/slack/form/form-place.ts'
import type { ListenerOptions } from '../../../src/slack/listeners/delivery.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { actor, RECORD, reviewed } from '../../support/execution-bench.ts'
import { deliver } from '../../support/recording-app.ts'
import { click, submission, useSlackBench } from '../../support/slack-bench.ts'

const bench = useSlackBench()

const olga = actor('operator', 'UOLGA')
const TYPED = { variables: { value: { type: 'plain_text_input', value: 'TOKEN=now' } } }

const TICKED = { value: { type: 'checkboxes', selected_options: [{ value: 'true' }] } }

interface Acted {
  readonly action?: string
  readonly block?: string
  readonly kind?: string
  readonly step?: number
  readonly user?: string
  readonly state?: unknown
  readonly slack?: ListenerOptions
}

/** A click or choice in a view of the change, on its second page unless said otherwise. */
async function act(
  id: string,
  { action = BACK_ACTION, block, kind = FORM_VIEW, step = 1, user = 'UOLGA', state, slack = bench.slack }: Acted = {},
) {
  const { view } = submission(kind, writePlace({ change: id, step }), state)
  const given = click(action, undefined, { user: { id: user }, actions: [{ action_id: action, block_id: block }] })
  await deliver(slack, 'action', { ...given, view: { ...view, hash: 'h0' } })
}
const begun = async () => (await bench.changes.begin(bench.operation('record add'), RECORD, olga, 'C1')).id
const updates = () => bench.calls.filter(({ method }) => method === 'views.update').map(({ args }) => args)

describe('a click in a form', () => {
  it('on Back shows the page before, and keeps what was entered on this one', async () => {
    const id = await begun()
    await act(id, { state: TYPED })
    expect(bench.shown('views.update')).toContain('Step 1 of 2')
    expect((await bench.store.changes.get(id))?.values).toEqual({ ...RECORD, variables: 'TOKEN=now' })
    expect(updates()).toMatchObject([{ view_id: 'V1', hash: 'h0' }])
  })

  it('on Back of the first page stays there', async () => {
    await act(await begun(), { step: 0 })
    expect(bench.shown('views.update')).toContain('Step 1 of 2')
  })

  it('on a choice draws the same page anew', async () => {
    await act(await begun(), { action: 'value', block: 'billed' })
    expect(bench.shown('views.update')).toContain('Step 2 of 2')
  })

  it('on Back of a review shows the first page; the review cannot be confirmed with other values then', async () => {
    const { change } = await reviewed(bench, RECORD, olga)
    await act(change.id, { kind: REVIEW_VIEW, step: 2 })
    expect(bench.shown('views.update')).toContain('Step 1 of 2')
    await act(change.id, { action: 'value', block: 'billed', state: { billed: TICKED } })
    await expect(bench.changes.submit(change.id, olga)).rejects.toMatchObject({ code: 'expired' })
  })

  it('on the way to the review skips the pages between, with what was entered', async () => {
    const id = await begun()
    await act(id, {
      action: REVIEW_ACTION,
      step: 0,
      state: { value: { value: { type: 'plain_text_input', value: '192.0.2.99' } } },
    })
    expect(bench.shown('views.update')).toMatch(/"callback_id":"review"[\s\S]*192\.0\.2\.99/)
    expect((await bench.store.changes.get(id))?.values).toMatchObject({ value: '192.0.2.99' })
  })

  it('on the way to the review stays where something is missing, and says what', async () => {
    const { id } = await bench.changes.begin(bench.operation('record add'), { zone: 'shop' }, olga, 'C1')
    await act(id, { action: REVIEW_ACTION, step: 0 })
    expect(bench.read('views.update')).toMatch(
      /^═══ Record ═══\n:warning: \*Please look at this first\*\n• Value is needed\.\nStep 1/,
    )
  })

  const NOTHING = 'It is a click on nothing that this page has.'
  it.each<[string, Acted, string]>([
    ['on the way to the review from the last page', { action: REVIEW_ACTION, step: 1 }, NOTHING],
    ['on a button that no form has', { action: 'form_forward' }, NOTHING],
    ['on a field that redraws nothing', { action: 'value', block: 'variables' }, NOTHING],
    ['on a field of another page', { action: 'value', block: 'value' }, NOTHING],
    ['on a field of no name', { action: 'value' }, NOTHING],
    ['on anything but Back in a review', { kind: REVIEW_VIEW, step: 2, action: 'value', block: 'billed' }, NOTHING],
    ['on a page that there is not', { step: 7 }, 'It has values that this page of the form does not have.'],
    ['with what no page has', { state: { hush: TICKED } }, 'It has values that this page of the form does not have.'],
  ])('%s is refused, on record, and keeps nothing', async (_, odd, detail) => {
    const id = await begun()
    await act(id, odd)
    expect(bench.read('views.update')).toMatch(/^═══ Nothing was done ═══\n.* so it was refused\. Nothing was done\.\n/)
    expect((await bench.store.changes.get(id))?.values).toEqual(RECORD)
    const entry = { event: 'denied', actor: 'UOLGA', operation: 'record add', changeId: id, detail }
    expect(await bench.store.audit.list({ limit: 1 })).toMatchObject([entry])
  })

  it('in a view without anything to click is refused, on record', async () => {
    await act(await begun(), { kind: 'notice' })
    expect((await bench.record()).at(-1)).toBe('denied: It is a click in a view that has nothing to click.')
  })

  it('that holds a key keeps nothing of it', async () => {
    const id = await begun()
    const slack = { ...bench.slack, holdsSecret: (text: string) => text === 'own' }
    await act(id, { slack, step: 0, state: { value: { value: { type: 'plain_text_input', value: 'own' } } } })
    expect(bench.shown('views.update')).toContain('looks like a key or a password')
    expect((await bench.store.changes.get(id))?.values).toEqual(RECORD)
    expect(await bench.store.audit.list({ limit: 1 })).toMatchObject([{ operation: 'record add', changeId: id }])
  })

  it('in the form of somebody else is refused, on record', async () => {
    const id = await begun()
    for (const end of [async () => undefined, () => bench.changes.close(id, 'UOLGA')]) {
      await end()
      await act(id, { user: 'UADA' })
      expect(bench.shown('views.update')).toContain('so it was refused. Nothing was done.')
      expect((await bench.record()).at(-1)).toBe('denied: The view names a change of somebody else.')
    }
  })
})

describe('the way back to a form', () => {
  const again = (id: string, changes: Parameters<typeof click>[2] = {}) =>
    deliver(
      bench.slack,
      'action',
      click('change:again', id, { user: { id: 'UOLGA' }, channel: { id: 'C9' }, ...changes }),
    )
  const draft = async (requestedBy = 'UOLGA') =>
    (await bench.store.changes.list({ states: ['draft'], limit: 9 })).find(
      (change) => change.requestedBy === requestedBy,
    )
  const GONE = 'This form is not known any more. Nothing was done. Type the command again.'

  it('opens a draft of its own, filled in as it was, without what was secret', async () => {
    const id = await begun()
    await bench.changes.close(id, 'UOLGA')
    await again(id)
    expect(bench.read('views.open')).toMatch(
      /Step 1 of 2\nZone \*: \[shop, shop \(301\) ▾\]\nValue \*: \[192\.0\.2\.10\]/,
    )
    const { variables: _, ...values } = RECORD
    expect(await draft()).toMatchObject({ values, channelId: 'C1' })
  })

  it('from a form that waits takes its place, with all that was entered', async () => {
    const id = await begun()
    await again(id)
    expect((await bench.store.changes.get(id))?.state).toBe('cancelled')
    expect(await draft()).toMatchObject({ values: RECORD, channelId: 'C1' })
  })

  it('from what somebody else asked for is one’s own, where one is', async () => {
    const id = await begun()
    await again(id, { user: { id: 'UADA' } })
    expect(bench.said()).toEqual([GONE])
    await bench.changes.close(id, 'UOLGA')
    await again(id, { user: { id: 'UADA' } })
    expect(await draft('UADA')).toMatchObject({ channelId: 'C9' })
    await again(id, { user: { id: 'UVERA' } })
    expect(bench.read('views.open')).toMatch(
      /^═══ Nothing was done ═══\n:no_entry: Only operators and admins can use record add/,
    )
  })

  it('is once, and in a view in its place', async () => {
    const id = await begun()
    await bench.changes.close(id, 'UOLGA')
    const view = { id: 'V7', callback_id: 'notice', private_metadata: '' }
    for (const _ of [1, 2]) await again(id, { view, trigger_id: 'one' })
    await again('c0', { view })
    expect(updates().map((args) => args['view_id'])).toEqual(['V7', 'V7'])
    expect(bench.read('views.update')).toBe(
      '═══ Too late ═══\nThis form has expired or was answered already. Nothing was done by this click.\nStart again with `/cdn help`\n[Close]',
    )
    await again('c0')
    expect(bench.said()).toEqual([GONE])
  })

  it.each([
    ['not_found', []],
    ['no_answer', [expect.stringContaining('Slack may not have shown the form (no_answer).')]],
  ])('in a view that Slack does not update is no bug: %s', async (code, told) => {
    const id = await begun()
    await bench.changes.close(id, 'UOLGA')
    bench.script.before = ({ method }) => {
      if (method === 'views.update') throw new SlackError(method, code)
    }
    await again(id, {
      channel: null,
      response_url: undefined,
      view: { id: 'V7', callback_id: 'notice', private_metadata: '' },
    })
    expect(bench.said()).toEqual(told)
    expect(bench.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  it.each([
    ['no longer exists', 'lines old', 'This belongs to an operation that no longer exists. See the help.'],
    ['has no form any more', 'lines list', 'lines list has no form. Type it instead.'],
  ])('is none where its operation %s', async (_, operation, told) => {
    const { id } = await bench.changes.begin({ ...bench.operation('lines list'), name: operation }, {}, olga, 'C1')
    await again(id)
    expect(bench.said()).toEqual([told])
  })
})

describe('a click that comes too late or fails', () => {
  it.each([
    ['a newer choice has redrawn the form', 'hash_conflict'],
    ['the form was closed', 'not_found'],
    ['Slack is slow, and may have redrawn it', 'no_answer'],
  ])('is let be when %s', async (_, code) => {
    bench.script.before = ({ method }) => {
      if (method === 'views.update') throw new SlackError('views.update', code)
    }
    await act(await begun())
    expect(updates()).toHaveLength(1)
    expect(bench.log).toEqual([])
  })

  it('is told so in place of the form when that has expired or was answered', async () => {
    const [old, answered] = [await begun(), (await bench.confirmed(RECORD, olga)).id]
    bench.clock.turn(9 * 60_000)
    const fresh = await begun()
    await act(answered)
    bench.clock.turn(60_000)
    await act(old)
    await act(fresh)
    const shown = updates().map((args) => /Back to the form|Step 1 of 2/.exec(JSON.stringify(args['view']))?.[0])
    expect(shown).toEqual(['Back to the form', 'Back to the form', 'Step 1 of 2'])
  })

  it.each([
    ['Slack does not say who it is', 'users.info', 'no_answer', 'Slack could not tell who you are'],
    ['Slack refuses the form', 'views.update', 'invalid_arguments', 'Something went wrong inside CDN Ops'],
  ])('is told so in place of the form when %s', async (_, refused, code, told) => {
    let left = 1
    bench.script.before = ({ method }) => {
      if (method === refused && left-- > 0) throw new SlackError(method, code)
    }
    await act(await begun())
    expect(bench.shown('views.update')).toContain(told)
  })
})
