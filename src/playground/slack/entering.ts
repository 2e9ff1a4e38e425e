import { unreachable } from '../../shared/errors.ts'
import type { Element } from './block-rules/blocks.ts'
import type { Option } from './block-rules/options.ts'
import type { ElementValue } from './form-values.ts'

/** What a person gives for one element: text, the value or label of a choice; a list where many fit. */
export type Entry = string | readonly string[]

/**
 * The value an element has once a person entered something. `offered` are the options an external select showed.
 * Throws a plain error for what nobody could enter, such as a choice that is not there.
 */
export function enteredValue(element: Element, entry: Entry, offered: readonly Option[] = []): ElementValue {
  const { type } = element
  const one = typeof entry === 'string' ? entry : entry[0]
  const all = typeof entry === 'string' ? [entry] : entry
  const orNull = one === undefined || one === '' ? null : one
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
      return { type, value: orNull }
    case 'static_select':
    case 'radio_buttons':
      return { type, selected_option: orNull === null ? null : chosen(element.options, orNull, type) }
    case 'external_select':
      return { type, selected_option: orNull === null ? null : chosen(offered, orNull, type) }
    case 'checkboxes':
    case 'multi_static_select':
      return { type, selected_options: all.map((each) => chosen(element.options, each, type)) }
    case 'button':
      throw new Error('Nothing can be typed or chosen in a button')
    default:
      return unreachable(element)
  }
}

/** Finds a choice by its value or by the words it shows. */
function chosen(options: readonly Option[], wanted: string, type: string): Option {
  const found =
    options.find((option) => option.value === wanted) ?? options.find((option) => option.text.text === wanted)
  if (found !== undefined) return found
  const there = options.map((option) => option.value).join(', ')
  throw new Error(`The ${type} offers no ${JSON.stringify(wanted)}, only: ${there}`)
}
