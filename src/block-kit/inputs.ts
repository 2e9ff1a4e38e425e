import { visible } from '../shared/untrusted.ts'
import * as limits from './limits.ts'
import { beginning, identifier, plainText } from './plain-text.ts'

/** The action_id of every input: its block_id says which field it is. */
export const INPUT_ACTION = 'value'

const MAX_OPTIONS = {
  static_select: limits.SELECT_OPTIONS,
  multi_static_select: limits.SELECT_OPTIONS,
  checkboxes: limits.CHECK_OPTIONS,
  radio_buttons: limits.CHECK_OPTIONS,
} as const

export interface FieldOptions {
  /** The field's name, the key of its value in a submission. Unique within the view; never cut. */
  readonly blockId: string
  readonly label: string
  readonly hint?: string | undefined
  readonly optional?: boolean
  /** Tell the bot about every change, to redraw a form that depends on this field. */
  readonly dispatch?: boolean
}

export interface Choice {
  /** Unique among the choices of a field; never cut. */
  readonly value: string
  /** At most 75 characters, as Slack shows no more. */
  readonly label: string
}

interface TextInputOptions extends FieldOptions {
  readonly initial?: string | undefined
  readonly placeholder?: string
  readonly multiline?: boolean
  /** At most 3,000, which is also what it is when not said. */
  readonly maxLength?: number
}

interface NumberInputOptions extends FieldOptions {
  /** Anything that is no decimal number is not filled in. */
  readonly initial?: string | undefined
  readonly decimals?: boolean
  readonly min?: number | undefined
  readonly max?: number | undefined
}

interface ChoiceOptions<Initial> extends FieldOptions {
  readonly choices: readonly Choice[]
  /** Whatever is not one of the choices is ignored: Slack would refuse the view. */
  readonly initial?: Initial | undefined
}

/** One field of a form. Modals only, by our own rule. */
export type InputBlock = ReturnType<
  typeof textInput | typeof numberInput | typeof externalSelect | typeof oneOf | typeof someOf
>
export type Option = ReturnType<typeof option>

/** A line of text, or several. A prefilled text that is too long is cut, and the hint says so. */
export function textInput(options: TextInputOptions) {
  const { initial, placeholder, multiline } = options
  const maxLength = Math.min(Math.max(1, options.maxLength ?? limits.INPUT_CHARACTERS), limits.INPUT_CHARACTERS)
  const wanted = initial === undefined ? '' : prefilled(initial, multiline === true)
  const value = beginning(wanted, maxLength)
  return inputBlock(withNote(options, value !== wanted && `Only the first ${value.length} characters are filled in.`), {
    type: 'plain_text_input',
    action_id: INPUT_ACTION,
    max_length: maxLength,
    ...(multiline === true && { multiline }),
    ...(value !== '' && { initial_value: value }),
    ...placeholderOf(placeholder),
  })
}

/** A number, whole unless `decimals` is set. */
export function numberInput(options: NumberInputOptions) {
  const { initial, decimals = false, min, max } = options
  return inputBlock(options, {
    type: 'number_input',
    action_id: INPUT_ACTION,
    is_decimal_allowed: decimals,
    ...(isNumber(initial, decimals) && isWithin(initial, min, max) && { initial_value: initial }),
    ...(min !== undefined && { min_value: String(min) }),
    ...(max !== undefined && { max_value: String(max) }),
  })
}

/** A menu whose options the bot is asked for while somebody types. */
export function externalSelect(
  field: FieldOptions & { readonly initial?: Choice | undefined; readonly placeholder?: string },
) {
  return inputBlock(field, {
    type: 'external_select',
    action_id: INPUT_ACTION,
    min_query_length: 0,
    ...(field.initial !== undefined && { initial_option: option(field.initial) }),
    ...placeholderOf(field.placeholder),
  })
}

/** Of at most 100 choices in a menu, or 10 buttons; use `externalSelect` for a list that grows. */
export function oneOf(type: 'static_select' | 'radio_buttons', field: ChoiceOptions<string>) {
  const { options, noted } = offered(field, MAX_OPTIONS[type])
  const initial = options.find(({ value }) => value === field.initial)
  return inputBlock(noted, {
    type,
    action_id: INPUT_ACTION,
    options,
    ...(initial !== undefined && { initial_option: initial }),
  })
}

/** What is chosen stands in the options' own order, so that Slack finds each among them. */
export function someOf(type: 'multi_static_select' | 'checkboxes', field: ChoiceOptions<readonly string[]>) {
  const { options, noted } = offered(field, MAX_OPTIONS[type])
  const initial = options.filter(({ value }) => field.initial?.includes(value))
  return inputBlock(noted, {
    type,
    action_id: INPUT_ACTION,
    options,
    ...(initial.length > 0 && { initial_options: initial }),
  })
}

/** The first choices that Slack takes; the hint says when there are more. Throws RangeError for none. */
function offered<F extends FieldOptions & { readonly choices: readonly Choice[] }>(field: F, limit: number) {
  const { length } = field.choices
  if (length === 0) throw new RangeError(`The field ${field.blockId} has nothing to choose from`)
  return {
    options: field.choices.slice(0, limit).map(option),
    noted: withNote(field, length > limit && `Only the first ${limit} of ${length} choices are offered.`),
  }
}

/** A text as an input is filled in with it: what cannot be seen is spelled out. */
export function prefilled(text: string, multiline: boolean): string {
  const shown = visible(text, Number.POSITIVE_INFINITY)
  return multiline ? shown : shown.replaceAll('\n', ' ')
}

function isNumber(text: string | undefined, decimals: boolean): text is string {
  return text !== undefined && (decimals ? /^-?\d{1,30}(?:\.\d{1,30})?$/ : /^-?\d{1,30}$/).test(text)
}

function isWithin(text: string, min: number | undefined, max: number | undefined): boolean {
  return (min === undefined || Number(text) >= min) && (max === undefined || Number(text) <= max)
}

function inputBlock<const Element>(options: FieldOptions, element: Element) {
  const { blockId, label, hint, optional = false, dispatch = false } = options
  return {
    type: 'input',
    block_id: identifier(blockId, 'block_id', limits.ID_CHARACTERS),
    label: plainText(label, limits.LABEL_CHARACTERS),
    element,
    ...(hint !== undefined && { hint: plainText(hint, limits.LABEL_CHARACTERS) }),
    optional,
    ...(dispatch && { dispatch_action: true }),
  } as const
}

function placeholderOf(placeholder: string | undefined) {
  return placeholder !== undefined && { placeholder: plainText(placeholder, limits.PLACEHOLDER_CHARACTERS) }
}

function withNote<O extends FieldOptions>(options: O, note: string | false): O {
  return note === false ? options : { ...options, hint: options.hint === undefined ? note : `${note} ${options.hint}` }
}

/** A choice as Slack's option, for menus and for answers to a menu's question. Throws RangeError for a bad value. */
export function option({ value, label }: Choice) {
  return {
    text: plainText(label, limits.OPTION_CHARACTERS),
    value: identifier(value, 'The value of an option', limits.OPTION_VALUE_CHARACTERS),
  }
}
