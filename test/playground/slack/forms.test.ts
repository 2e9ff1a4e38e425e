import { describe, expect, it } from 'vitest'
import { TROUBLE_CONNECTING } from '../../../src/playground/slack/interactions.ts'
import { OPS, VERA } from '../../../src/playground/slack/state/seed.ts'
import {
  actions,
  button,
  chars,
  input,
  modal,
  option,
  plain,
  section,
  select,
  textInput,
  type Piece,
} from './sample-blocks.ts'
import { scene, type Received, type Scene, type Script } from './scripted-app.ts'

/** An input block with an id, a text input if not said otherwise. */
const field = (block_id: string, element: Piece = textInput(), over: Piece = {}): Piece =>
  input(element, { block_id, ...over })

/** A scene in which Vera has a modal open; the script answers whatever she does in it. */
async function openForm(blocks: readonly Piece[], script: Script = () => ({}), over: Piece = {}): Promise<Scene> {
  const on = scene((payload, type, extra) => (type === 'slash_commands' ? {} : script(payload, type, extra)))
  await on.person(VERA).command(OPS, '/cdn')
  on.call('views.open', { trigger_id: on.received[0]?.['trigger_id'], view: modal(blocks, over) })
  return on
}

/** The view as the app received it last. */
const lastView = (on: Scene): Received => on.received.at(-1)?.['view'] as Received

const optional = { optional: true }

describe('A submission', () => {
  it('carries every value by block and action, null where nothing was entered', async () => {
    const boxes = { type: 'checkboxes', action_id: 'b', options: [option('1'), option('2')] }
    const on = await openForm([
      field('text'),
      field('empty', textInput(), optional),
      field('boxes', boxes),
      field('none', boxes, optional),
      field('menu', select({ initial_option: option('a') })),
      field('number', { type: 'number_input', action_id: 'n', is_decimal_allowed: false }),
      field('many', { ...select({ action_id: 'm' }), type: 'multi_static_select' }, optional),
      { ...actions(button()), block_id: 'row' },
    ])
    expect(await on.person(VERA).submit({ text: 'hello', boxes: ['2', '1'], number: '7' })).toEqual({ ok: true })
    expect(on.received.at(-1)).toMatchObject({
      type: 'view_submission',
      user: { id: VERA },
      trigger_id: expect.any(String),
    })
    expect(lastView(on)['state']).toEqual({
      values: {
        text: { value: { type: 'plain_text_input', value: 'hello' } },
        empty: { value: { type: 'plain_text_input', value: null } },
        boxes: { b: { type: 'checkboxes', selected_options: [option('2'), option('1')] } },
        none: { b: { type: 'checkboxes', selected_options: [] } },
        menu: { pick: { type: 'static_select', selected_option: option('a') } },
        number: { n: { type: 'number_input', value: '7' } },
        many: { m: { type: 'multi_static_select', selected_options: [] } },
      },
    })
    expect(on.person(VERA).view()).toBeUndefined()
  })

  it.each([
    ['nothing where something must be', textInput(), '', 'Please complete this required field.'],
    ['too much', textInput({ max_length: 3 }), 'abcd', 'Please enter no more than 3 characters.'],
    [
      'letters for a number',
      { type: 'number_input', action_id: 'n', is_decimal_allowed: true },
      'x',
      'Please enter a valid number.',
    ],
    [
      'a fraction for a whole number',
      { type: 'number_input', action_id: 'n', is_decimal_allowed: false },
      '1.5',
      'Please enter a whole number.',
    ],
    [
      'a number too large',
      { type: 'number_input', action_id: 'n', is_decimal_allowed: false, max_value: '3' },
      '4',
      'Please enter a number of at most 3.',
    ],
    [
      'a number too small',
      { type: 'number_input', action_id: 'n', is_decimal_allowed: false, min_value: '3' },
      '2',
      'Please enter a number of at least 3.',
    ],
  ])('is held back by the client for %s', async (_what, element, entry, complaint) => {
    const on = await openForm([field('it', element)])
    expect(await on.person(VERA).submit({ it: entry })).toEqual({
      ok: false,
      shown: complaint,
      errors: { it: complaint },
    })
    expect(on.person(VERA).view()?.errors).toEqual({ it: complaint })
    expect(on.received).toHaveLength(1)
  })

  it('shows another view in its place, or on top of it, up to three', async () => {
    const next = { view: modal([field('more')], { title: plain('Next') }) }
    let answer: Received = { response_action: 'update', ...next }
    const on = await openForm([field('zone')], () => answer)
    await on.person(VERA).submit({ zone: 'shop' })
    expect(on.parts.views.stack(VERA)).toHaveLength(1)
    expect(on.person(VERA).view()?.title).toBe('Next')
    answer = { response_action: 'push', ...next }
    await on.person(VERA).submit({ more: '1' })
    expect(on.parts.views.stack(VERA)).toHaveLength(2)
    expect(await on.person(VERA).submit({ more: '2' })).toEqual({ ok: true })
    expect(await on.person(VERA).submit({ more: '3' })).toEqual({ ok: false, shown: TROUBLE_CONNECTING })
    expect(on.parts.views.stack(VERA)).toHaveLength(3)
  })

  it.each<[string, Received]>([
    ['complaints under a block that is no input', { response_action: 'errors', errors: { words: 'x' } }],
    ['complaints under nothing', { response_action: 'errors', errors: {} }],
    ['an empty complaint', { response_action: 'errors', errors: { zone: '' } }],
    ['a view with a title too long', { response_action: 'update', view: modal([], { title: plain(chars(25)) }) }],
    ['a Home view', { response_action: 'push', view: { type: 'home', blocks: [] } }],
    ['no view', { response_action: 'update' }],
    ['an action the bot never takes', { response_action: 'clear' }],
    ['a message', { text: 'thanks' }],
  ])('answered with %s shows trouble and leaves the form', async (_what, answer) => {
    const on = await openForm([field('zone'), { ...section('s'), block_id: 'words' }], () => answer)
    expect(await on.person(VERA).submit({ zone: 'shop' })).toEqual({ ok: false, shown: TROUBLE_CONNECTING })
    expect(on.person(VERA).view()?.title).toBe('Title')
  })
})

describe('Closing a modal', () => {
  it('is told to an app that asked, with no value of an input', async () => {
    const on = await openForm([field('zone'), { ...actions(button()), block_id: 'row' }], undefined, {
      notify_on_close: true,
    })
    await on.person(VERA).choose('zone', 'shop')
    await on.person(VERA).closeView()
    expect(on.received.at(-1)).toMatchObject({ type: 'view_closed', is_cleared: false })
    expect(lastView(on)['state']).toEqual({ values: {} })
    expect(on.person(VERA).view()).toBeUndefined()
  })
})

describe('An external select', () => {
  it.each<[string, Received | 'silence']>([
    ['nothing', {}],
    ['too many', { options: Array.from({ length: 101 }, (_, i) => option(`${i}`)) }],
    ['groups of options', { option_groups: [] }],
  ])('shows a problem when the app answers %s', async (_what, answer) => {
    const on = await openForm(
      [field('zone', { type: 'external_select', action_id: 'zone', min_query_length: 0 })],
      () => answer,
    )
    expect(await on.person(VERA).suggest('zone', 'zone')).toMatchObject({ ok: false })
    expect(on.received.at(-1)).toMatchObject({ type: 'block_suggestion' })
  })
})
