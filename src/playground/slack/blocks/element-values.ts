import { unreachable } from '../../../shared/errors.ts'
import { listedElements, type Block, type Element, type Option } from './blocks.ts'

/** The value of one element as Slack writes it in `state.values`: its type and one field that depends on the type. */
export type ElementValue = Readonly<Record<string, unknown>> & { readonly type: string }

export type FormValues = Readonly<Record<string, Readonly<Record<string, ElementValue>>>>

export interface Placed {
  readonly block: Block
  readonly blockId: string
  readonly actionId: string
  readonly element: Element
}

/** Every element a person can act on. Blocks must have their ids. */
export function placedElements(blocks: readonly Block[]): readonly Placed[] {
  return blocks.flatMap((block) =>
    listedElements(block).flatMap(({ element }) =>
      block.block_id === undefined || element.action_id === undefined
        ? []
        : [{ block, blockId: block.block_id, actionId: element.action_id, element }],
    ),
  )
}

/**
 * What a form holds when it is shown: its initial values, or where an element of the same block id, action id and
 * type was there before, what the person had entered.
 */
export function shownValues(blocks: readonly Block[], before: FormValues = {}): FormValues {
  const values: Record<string, Record<string, ElementValue>> = {}
  for (const { blockId, actionId, element } of placedElements(blocks)) {
    const initial = initialValue(element)
    if (initial === undefined) continue
    const kept = before[blockId]?.[actionId]
    const block = (values[blockId] ??= {})
    block[actionId] = kept?.type === element.type ? kept : initial
  }
  return values
}

/** The value of an untouched element, or undefined for one that holds no value, such as a button. */
export function initialValue(element: Element): ElementValue | undefined {
  const { type } = element
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
      return { type, value: element.initial_value ?? null }
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: element.initial_option ?? null }
    case 'checkboxes':
    case 'multi_static_select':
      return { type, selected_options: element.initial_options ?? [] }
    case 'button':
    case 'overflow':
      return undefined
    default:
      return unreachable(element)
  }
}

/** The options that are chosen in an element, as far as it has any. */
export function chosenOptions(value: ElementValue | undefined): readonly Option[] {
  const held = value?.['selected_options'] ?? value?.['selected_option']
  // Values are made by the emulator from checked options, so these fields hold options and nothing else.
  if (Array.isArray(held)) return held as readonly Option[]
  return held === null || held === undefined ? [] : [held as Option]
}

export function isEmpty(value: ElementValue): boolean {
  const { type: _type, ...held } = value
  return Object.values(held).every((each) => each === null || each === '' || (Array.isArray(each) && each.length === 0))
}

export type Entry = string | readonly string[]

/**
 * The value an element has once a person entered something. `offered` are the options an external select showed.
 * Throws a plain error for what nobody could enter, such as a choice that is not there.
 */
export function enteredValue(element: Element, entry: Entry, offered: readonly Option[]): ElementValue {
  const { type } = element
  const all = typeof entry === 'string' ? [entry] : entry
  const [one = ''] = all
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
      return { type, value: one === '' ? null : one }
    case 'static_select':
    case 'radio_buttons':
    case 'overflow':
      return { type, selected_option: one === '' ? null : chosen(element.options, one, type) }
    case 'external_select':
      return { type, selected_option: one === '' ? null : chosen(offered, one, type) }
    case 'checkboxes':
    case 'multi_static_select':
      return { type, selected_options: all.map((each) => chosen(element.options, each, type)) }
    case 'button':
      throw new Error('Nothing can be typed or chosen in a button')
    default:
      return unreachable(element)
  }
}

function chosen(options: readonly Option[], wanted: string, type: string): Option {
  const found =
    options.find((option) => option.value === wanted) ?? options.find((option) => option.text.text === wanted)
  if (found !== undefined) return found
  const there = options.map((option) => option.value).join(', ')
  throw new Error(`The ${type} offers no ${JSON.stringify(wanted)}, only: ${there}`)
}
