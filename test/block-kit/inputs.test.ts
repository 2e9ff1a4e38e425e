import { describe, expect, test } from 'vitest'
import { externalSelect, numberInput, textInput, oneOf, someOf } from '../../src/block-kit/inputs.ts'

const field = { blockId: 'name', label: 'Name' }
const choices = (length: number): { value: string; label: string }[] =>
  Array.from({ length }, (_, index) => ({ value: `v${index}`, label: `Text ${index}` }))

describe('every input', () => {
  test('has its label, hint and place as given', () => {
    expect(textInput({ ...field, hint: 'A rule.', optional: true, dispatch: true })).toEqual({
      type: 'input',
      block_id: 'name',
      label: { type: 'plain_text', text: 'Name', emoji: false },
      hint: { type: 'plain_text', text: 'A rule.', emoji: false },
      optional: true,
      dispatch_action: true,
      element: { type: 'plain_text_input', action_id: 'value', max_length: 3_000 },
    })
  })

  test('is required unless said otherwise', () => {
    expect(textInput(field)).toEqual({
      type: 'input',
      block_id: 'name',
      label: { type: 'plain_text', text: 'Name', emoji: false },
      optional: false,
      element: { type: 'plain_text_input', action_id: 'value', max_length: 3_000 },
    })
  })
})

describe('a text input', () => {
  test('shows what was typed, hidden characters spelled out', () => {
    expect(textInput({ ...field, initial: 'a\u200Bb\nc' })).toMatchObject({
      element: { initial_value: 'a\\u{200B}b c' },
    })
    expect(textInput({ ...field, initial: 'a\nb', multiline: true })).toMatchObject({
      element: { initial_value: 'a\nb', multiline: true },
    })
  })

  test('cuts what does not fit and says so', () => {
    expect(textInput({ ...field, hint: 'Rule.', initial: `123😀`, maxLength: 4 })).toMatchObject({
      hint: { text: 'Only the first 3 characters are filled in. Rule.' },
      element: { initial_value: '123', max_length: 4 },
    })
    expect(textInput({ ...field, initial: 'ab', maxLength: 0 })).toMatchObject({
      hint: { text: 'Only the first 1 characters are filled in.' },
      element: { initial_value: 'a', max_length: 1 },
    })
    expect(textInput({ ...field, maxLength: 3_001 })).toMatchObject({ element: { max_length: 3_000 } })
  })
})

describe('a number input', () => {
  test('takes bounds, and a value as digits', () => {
    const bounds = { min: 0, max: Number.MAX_SAFE_INTEGER }
    for (const initial of ['0', '300', '9007199254740991'])
      expect(numberInput({ ...field, initial, ...bounds }).element).toEqual({
        type: 'number_input',
        action_id: 'value',
        is_decimal_allowed: false,
        initial_value: initial,
        min_value: '0',
        max_value: '9007199254740991',
      })
  })

  test.each(['12', '-12', '0.25', '12.5'])('fills in %s where it takes decimals', (initial) => {
    expect(numberInput({ ...field, initial, decimals: true }).element).toMatchObject({ initial_value: initial })
  })

  test.each(['a1.5', '1.', '1.5x', '.5'])('does not fill in %s, though it takes decimals', (initial) => {
    expect(numberInput({ ...field, initial, decimals: true }).element).not.toHaveProperty('initial_value')
  })

  test.each(['abc', '', '1.5', '-1', '11', '1e1'])('does not fill in %j', (initial) => {
    expect(numberInput({ ...field, initial, min: 0, max: 10 }).element).not.toHaveProperty('initial_value')
  })

  test('takes decimals when told', () => {
    const element = { type: 'number_input', action_id: 'value', is_decimal_allowed: true, initial_value: '-1.5' }
    const given = { ...field, initial: '-1.5', decimals: true }
    expect(numberInput({ ...given, min: -2 }).element).toEqual({ ...element, min_value: '-2' })
    expect(numberInput({ ...given, max: 2 }).element).toEqual({ ...element, max_value: '2' })
    for (const bound of [{ min: -1 }, { max: -2 }])
      expect(numberInput({ ...given, ...bound }).element).not.toHaveProperty('initial_value')
  })
})

describe('choices', () => {
  test('are chosen by value, unknown values ignored', () => {
    const options = choices(3).map(({ value, label }) => {
      return { value, text: { type: 'plain_text', text: label, emoji: false } }
    })
    const given = { ...field, choices: choices(3) }
    for (const type of ['static_select', 'radio_buttons'] as const) {
      const element = { type, action_id: 'value', options }
      expect(oneOf(type, { ...given, initial: 'v1' }).element).toEqual({ ...element, initial_option: options[1] })
      expect(oneOf(type, { ...given, initial: 'v9' }).element).toEqual(element)
    }
    for (const type of ['multi_static_select', 'checkboxes'] as const) {
      const element = { type, action_id: 'value', options }
      const initial_options = [options[0], options[2]]
      expect(someOf(type, { ...given, initial: ['v2', 'v0', 'x'] }).element).toEqual({ ...element, initial_options })
      expect(someOf(type, { ...given, initial: [] }).element).toEqual(element)
    }
  })

  test('above what Slack offers are left out, and the hint says so', () => {
    const long = oneOf('static_select', { ...field, hint: 'Rule.', choices: choices(101) })
    expect(long).toMatchObject({ hint: { text: 'Only the first 100 of 101 choices are offered. Rule.' } })
    expect(someOf('checkboxes', { ...field, choices: choices(10) })).not.toHaveProperty('hint')
  })

  test('are one at least', () => {
    expect(() => oneOf('static_select', { ...field, choices: [] })).toThrow('name')
  })

  test('from outside are asked for when the menu opens', () => {
    const element = { type: 'external_select', action_id: 'value', min_query_length: 0 }
    const initial = { value: '7', label: 'shop (7)' }
    const initial_option = { value: '7', text: { type: 'plain_text', text: 'shop (7)', emoji: false } }
    const placeholder = { type: 'plain_text', text: 'Zone', emoji: false }
    expect(externalSelect({ ...field, initial }).element).toEqual({ ...element, initial_option })
    expect(externalSelect({ ...field, placeholder: 'Zone' }).element).toEqual({ ...element, placeholder })
  })
})
