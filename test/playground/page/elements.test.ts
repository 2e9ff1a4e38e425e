import { describe, expect, it } from 'vitest'
import { blocksHtml } from '../../../src/playground/page/blocks.ts'
import type { FormValues } from '../../../src/playground/slack/form-values.ts'
import { actions, button, input, option, plain, section, select, textInput } from '../slack/sample-blocks.ts'
import { blocksOf, harmIn, HOSTILE, reader, scene, shapeOf, tagsOf, textOf } from './page-markup.ts'

const shown = (element: Readonly<Record<string, unknown>>, values: FormValues = {}) =>
  blocksHtml(blocksOf(input(element, { block_id: 'b' })), { reader, key: 'V1', form: { values, errors: {} } })
const used = (element: Readonly<Record<string, unknown>>) =>
  blocksHtml(blocksOf({ ...actions(element), block_id: 'b' }), scene)
const tag = (markup: ReturnType<typeof shown>, name: string) => tagsOf(markup).find((each) => each.name === name)
const held = (value: Readonly<Record<string, unknown>> & { readonly type: string }): FormValues => ({ b: { a: value } })

describe('buttons', () => {
  it('say what is pressed, and stand out as the app says', () => {
    expect(tag(used(button({ style: 'danger', accessibility_label: 'Go there' })), 'button')?.attributes).toMatchObject(
      {
        class: 'button danger',
        'data-act': 'click',
        'data-block': 'b',
        'data-action': 'go',
        'aria-label': 'Go there',
      },
    )
  })
})

describe('menus', () => {
  it('hold every option, marked where chosen', () => {
    const options = [option('a'), option('b', { description: plain('the second') })]
    const markup = shown(
      select({ action_id: 'a', options }),
      held({ type: 'static_select', selected_option: options[1] }),
    )
    const offers = tagsOf(markup).filter(({ attributes }) => attributes['role'] === 'option')
    expect(offers.map(({ attributes }) => [attributes['data-value'], attributes['aria-selected']])).toEqual([
      ['a', 'false'],
      ['b', 'true'],
    ])
    expect(tag(markup, 'input')?.attributes).toMatchObject({ role: 'combobox', value: 'b', 'data-shown': 'b' })
  })

  it('leave external options to the app', () => {
    const markup = shown({ type: 'external_select', action_id: 'a', initial_option: option('chosen') })
    expect(tagsOf(markup).flatMap(({ attributes }) => attributes['data-combo'] ?? [])).toEqual(['external'])
    expect(tagsOf(markup).some(({ attributes }) => attributes['role'] === 'option')).toBe(false)
    expect(tag(markup, 'input')?.attributes['value']).toBe('chosen')
  })

  it('show what is chosen as chips where many may be', () => {
    const chosen = [option('a'), option('b')]
    const markup = shown(
      { ...select({ action_id: 'a', options: chosen }), type: 'multi_static_select' },
      held({ type: 'multi_static_select', selected_options: chosen }),
    )
    expect(tagsOf(markup).flatMap(({ attributes }) => attributes['data-chip'] ?? [])).toEqual(['a', 'b'])
  })
})

describe('fields', () => {
  it('hold what was typed', () => {
    expect(
      tag(shown(textInput({ action_id: 'a' }), held({ type: 'plain_text_input', value: 'half "typed' })), 'input')
        ?.attributes['value'],
    ).toBe('half "typed')
    const area = shown(
      textInput({ action_id: 'a', multiline: true }),
      held({ type: 'plain_text_input', value: '\nfirst line is empty' }),
    )
    expect(area.toString()).toContain('>\n\nfirst line is empty</textarea>')
  })

  it.each([
    ['number_input', { is_decimal_allowed: true }, 'decimal'],
    ['number_input', { is_decimal_allowed: false }, 'numeric'],
  ])('bring the keyboard that fits %s %o', (type, over, keyboard) => {
    expect(tag(shown({ type, action_id: 'a', ...over }), 'input')?.attributes['inputmode']).toBe(keyboard)
  })

  it.each(HOSTILE)('hold %s without harm', (_name, text) => {
    const value = held({ type: 'plain_text_input', value: text })
    for (const multiline of [true, false]) {
      const markup = shown(textInput({ action_id: 'a', multiline }), value)
      expect(shapeOf(markup)).toEqual(shapeOf(shown(textInput({ action_id: 'a', multiline }))))
      expect(harmIn(markup)).toEqual([])
    }
  })
})

describe('an input block', () => {
  const whole = (over: object, errors: Readonly<Record<string, string>> = {}) =>
    blocksHtml(blocksOf(input(textInput(), { block_id: 'b', ...over })), {
      reader,
      key: 'V1',
      form: { values: {}, errors },
    })

  it('says whether it must be answered', () => {
    expect(textOf(whole({}))).toContain('*')
    expect(tag(whole({}), 'input')?.attributes['aria-required']).toBe('true')
    expect(textOf(whole({ optional: true }))).toContain('(optional)')
    expect(tag(whole({ optional: true }), 'input')?.attributes['aria-required']).toBeUndefined()
  })

  it('ties label, hint and complaint to the field', () => {
    const markup = whole({ hint: plain('Like so') }, { b: 'Not like that' })
    const { attributes } = tag(markup, 'input')!
    const ids = new Set(tagsOf(markup).map((each) => each.attributes['id']))
    const named = [attributes['aria-labelledby'], ...(attributes['aria-describedby'] ?? '').split(' ')]
    expect(named).toHaveLength(3)
    for (const id of named) expect(ids).toContain(id)
    expect(attributes['aria-invalid']).toBe('true')
    expect(tag(markup, 'label')?.attributes['for']).toBe(attributes['id'])
  })

  it('keeps its ids when the app redraws the form around it', () => {
    const ids = (blocks: readonly unknown[]) =>
      tagsOf(blocksHtml(blocksOf(...blocks), { reader, key: 'V1' }))
        .filter(({ name }) => name === 'input')
        .map(({ attributes }) => attributes['id'])
    const kept = input(textInput({ action_id: 'a' }), { block_id: 'b' })
    expect(ids([section('new'), kept, input(textInput())])[0]).toBe(ids([kept])[0])
  })
})
