import { visible } from '../shared/untrusted.ts'
import type { InputBlock } from './blocks.ts'
import type { DispatchActionConfig } from './elements.ts'
import { inputBlock, INPUT_ACTION, placeholderOf, withNote, type FieldOptions } from './input-block.ts'
import { CHECK_OPTIONS, INPUT_CHARACTERS, SELECT_OPTIONS } from './limits.ts'
import { chosen, option, type Choice } from './options.ts'
import { beginning } from './plain-text.ts'

export interface TextInputOptions extends FieldOptions {
  readonly initial?: string
  readonly placeholder?: string
  readonly multiline?: boolean
  readonly minLength?: number
  /** At most 3,000, which is also what it is when not said. */
  readonly maxLength?: number
}

export interface NumberInputOptions extends FieldOptions {
  /** Anything that is no decimal number is not filled in. */
  readonly initial?: string
  readonly placeholder?: string
  readonly decimals?: boolean
  /** Bounds as digits, so that int64 fits. */
  readonly min?: string
  readonly max?: string
}

export interface ChoiceOptions extends FieldOptions {
  readonly choices: readonly Choice[]
  /** Ignored when it is not one of the choices: Slack would refuse the view. */
  readonly initial?: string
  readonly placeholder?: string
}

export interface MultiChoiceOptions extends FieldOptions {
  readonly choices: readonly Choice[]
  readonly initial?: readonly string[]
  readonly placeholder?: string
  readonly maxSelected?: number
}

export interface ExternalSelectOptions extends FieldOptions {
  readonly initial?: Choice
  readonly placeholder?: string
  /** Characters typed before the bot is asked; 0 asks when the menu opens, and is what it is when not said. */
  readonly minQueryLength?: number
}

/** A line of text, or several. A prefilled text that is too long is cut, and the hint says so. */
export function textInput(options: TextInputOptions): InputBlock {
  const { initial, placeholder, multiline, minLength } = options
  const maxLength = Math.min(Math.max(1, options.maxLength ?? INPUT_CHARACTERS), INPUT_CHARACTERS)
  const wanted = initial === undefined ? '' : prefilled(initial, multiline === true)
  const value = beginning(wanted, maxLength)
  const minimum = minLength === undefined ? undefined : Math.min(Math.max(0, minLength), maxLength)
  // A prefilled text below the minimum would make Slack refuse the whole view.
  const filled = value !== '' && value.length >= (minimum ?? 0)
  return inputBlock(withNote(options, value !== wanted && `Only the first ${value.length} characters are filled in.`), {
    type: 'plain_text_input',
    action_id: INPUT_ACTION,
    max_length: maxLength,
    ...(minimum !== undefined && { min_length: minimum }),
    ...(multiline === true && { multiline }),
    ...(filled && { initial_value: value }),
    ...placeholderOf(placeholder),
    ...onEnter(options),
  })
}

/** A number, whole unless `decimals` is set. */
export function numberInput(options: NumberInputOptions): InputBlock {
  const { initial, placeholder, decimals = false, min, max } = options
  return inputBlock(options, {
    type: 'number_input',
    action_id: INPUT_ACTION,
    is_decimal_allowed: decimals,
    ...(isNumber(initial, decimals) && isWithin(initial, min, max) && { initial_value: initial }),
    ...(min !== undefined && { min_value: min }),
    ...(max !== undefined && { max_value: max }),
    ...placeholderOf(placeholder),
    ...onEnter(options),
  })
}

/** A menu of at most 100 choices; use `externalSelect` for a list that grows. */
export function select(field: ChoiceOptions): InputBlock {
  const { options, noted } = offered(field, SELECT_OPTIONS)
  const initial = chosen(options, field.initial === undefined ? [] : [field.initial])[0]
  return inputBlock(noted, {
    type: 'static_select',
    action_id: INPUT_ACTION,
    options,
    ...(initial !== undefined && { initial_option: initial }),
    ...placeholderOf(field.placeholder),
  })
}

/** A menu of at most 100 choices of which several may be taken. */
export function multiSelect(field: MultiChoiceOptions): InputBlock {
  const { options, noted } = offered(field, SELECT_OPTIONS)
  const most = field.maxSelected === undefined ? undefined : Math.max(1, field.maxSelected)
  const initial = chosen(options, field.initial ?? []).slice(0, most)
  return inputBlock(noted, {
    type: 'multi_static_select',
    action_id: INPUT_ACTION,
    options,
    ...(initial.length > 0 && { initial_options: initial }),
    ...(most !== undefined && { max_selected_items: most }),
    ...placeholderOf(field.placeholder),
  })
}

/** A menu that asks the bot for its options while somebody types. */
export function externalSelect(field: ExternalSelectOptions): InputBlock {
  return inputBlock(field, {
    type: 'external_select',
    action_id: INPUT_ACTION,
    min_query_length: Math.max(0, field.minQueryLength ?? 0),
    ...(field.initial !== undefined && { initial_option: option(field.initial) }),
    ...placeholderOf(field.placeholder),
  })
}

/** At most ten boxes to tick. */
export function checkboxes(field: Omit<MultiChoiceOptions, 'placeholder' | 'maxSelected'>): InputBlock {
  const { options, noted } = offered(field, CHECK_OPTIONS)
  const initial = chosen(options, field.initial ?? [])
  return inputBlock(noted, {
    type: 'checkboxes',
    action_id: INPUT_ACTION,
    options,
    ...(initial.length > 0 && { initial_options: initial }),
  })
}

/** At most ten choices of which one is taken. */
export function radios(field: Omit<ChoiceOptions, 'placeholder'>): InputBlock {
  const { options, noted } = offered(field, CHECK_OPTIONS)
  const initial = chosen(options, field.initial === undefined ? [] : [field.initial])[0]
  return inputBlock(noted, {
    type: 'radio_buttons',
    action_id: INPUT_ACTION,
    options,
    ...(initial !== undefined && { initial_option: initial }),
  })
}

/** The first choices that Slack takes, each value once; the hint says when there are more. Throws RangeError for none. */
function offered<F extends FieldOptions & { readonly choices: readonly Choice[] }>(field: F, limit: number) {
  const distinct = [...new Map(field.choices.map((choice) => [choice.value, choice])).values()]
  if (distinct.length === 0) throw new RangeError(`The field ${field.blockId} has nothing to choose from`)
  const rest = distinct.length - limit
  return {
    options: distinct.slice(0, limit).map(option),
    noted: withNote(field, rest > 0 && `Only the first ${limit} of ${distinct.length} choices are offered.`),
  }
}

function onEnter({ dispatch }: FieldOptions): { readonly dispatch_action_config?: DispatchActionConfig } {
  return dispatch === true ? { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } } : {}
}

function prefilled(text: string, multiline: boolean): string {
  const shown = visible(text, Number.POSITIVE_INFINITY)
  return multiline ? shown : shown.replaceAll('\n', ' ')
}

function isNumber(text: string | undefined, decimals: boolean): text is string {
  return text !== undefined && (decimals ? /^-?\d{1,30}(?:\.\d{1,30})?$/ : /^-?\d{1,30}$/).test(text)
}

function isWithin(text: string, min: string | undefined, max: string | undefined): boolean {
  return (min === undefined || Number(text) >= Number(min)) && (max === undefined || Number(text) <= Number(max))
}
