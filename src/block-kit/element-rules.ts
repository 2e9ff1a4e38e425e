import { unreachable } from '../shared/errors.ts'
import type { Button, ConfirmationDialog, InputElement, NumberInput, Option, PlainTextInput } from './elements.ts'
import {
  ACCESSIBILITY_LABEL_CHARACTERS,
  BUTTON_CHARACTERS,
  BUTTON_VALUE_CHARACTERS,
  CHECK_OPTIONS,
  CONFIRM_BUTTON_CHARACTERS,
  CONFIRM_TEXT_CHARACTERS,
  CONFIRM_TITLE_CHARACTERS,
  ID_CHARACTERS,
  INPUT_CHARACTERS,
  OPTION_CHARACTERS,
  OPTION_VALUE_CHARACTERS,
  PLACEHOLDER_CHARACTERS,
  SELECT_OPTIONS,
  URL_CHARACTERS,
} from './limits.ts'
import { countProblems, optionalTextProblems, repeated, textProblems, unless, type Problem } from './problems.ts'

/** Which elements each kind of block takes, of those the bot sends. Where a kind is missing, the block takes none. */
const PARENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  section: new Set(['button', 'static_select', 'external_select']),
  actions: new Set(['button', 'static_select', 'external_select']),
  input: new Set([
    'plain_text_input',
    'number_input',
    'static_select',
    'multi_static_select',
    'external_select',
    'checkboxes',
    'radio_buttons',
  ]),
}

export type AnyElement = Button | InputElement

/** What Slack would refuse of an element standing in a block of the given type. */
export function elementProblems(element: AnyElement, parent: string, pointer: string): readonly Problem[] {
  return [
    ...unless(
      PARENTS[parent]?.has(element.type) === true,
      pointer,
      `A block of type ${parent} takes no element of type ${element.type}.`,
    ),
    ...textProblems(element.action_id, `${pointer}/action_id`, ID_CHARACTERS),
    ...('placeholder' in element
      ? optionalTextProblems(element.placeholder?.text, `${pointer}/placeholder/text`, PLACEHOLDER_CHARACTERS)
      : []),
    ...ownProblems(element, pointer),
  ]
}

function ownProblems(element: AnyElement, pointer: string): readonly Problem[] {
  switch (element.type) {
    case 'button':
      return buttonProblems(element, pointer)
    case 'plain_text_input':
      return textInputProblems(element, pointer)
    case 'number_input':
      return numberInputProblems(element, pointer)
    case 'static_select':
      return optionsProblems(element.options, initialOf(element.initial_option), pointer, SELECT_OPTIONS)
    case 'multi_static_select':
      return [
        ...optionsProblems(element.options, element.initial_options ?? [], pointer, SELECT_OPTIONS),
        ...unless(
          (element.initial_options?.length ?? 0) <= (element.max_selected_items ?? SELECT_OPTIONS),
          `${pointer}/initial_options`,
          'Must not choose more options than may be chosen.',
        ),
        ...unless((element.max_selected_items ?? 1) >= 1, `${pointer}/max_selected_items`, 'Must be at least 1.'),
      ]
    case 'external_select':
      return initialOf(element.initial_option).flatMap((option) => optionProblems(option, `${pointer}/initial_option`))
    case 'checkboxes':
      return optionsProblems(element.options, element.initial_options ?? [], pointer, CHECK_OPTIONS)
    case 'radio_buttons':
      return optionsProblems(element.options, initialOf(element.initial_option), pointer, CHECK_OPTIONS)
    default:
      return unreachable(element)
  }
}

function buttonProblems(button: Button, pointer: string): readonly Problem[] {
  return [
    ...textProblems(button.text.text, `${pointer}/text/text`, BUTTON_CHARACTERS),
    ...optionalTextProblems(button.value, `${pointer}/value`, BUTTON_VALUE_CHARACTERS),
    ...optionalTextProblems(button.url, `${pointer}/url`, URL_CHARACTERS),
    ...optionalTextProblems(
      button.accessibility_label,
      `${pointer}/accessibility_label`,
      ACCESSIBILITY_LABEL_CHARACTERS,
    ),
    ...(button.confirm === undefined ? [] : confirmProblems(button.confirm, `${pointer}/confirm`)),
  ]
}

function confirmProblems(dialog: ConfirmationDialog, pointer: string): readonly Problem[] {
  return [
    ...textProblems(dialog.title.text, `${pointer}/title/text`, CONFIRM_TITLE_CHARACTERS),
    ...textProblems(dialog.text.text, `${pointer}/text/text`, CONFIRM_TEXT_CHARACTERS),
    ...textProblems(dialog.confirm.text, `${pointer}/confirm/text`, CONFIRM_BUTTON_CHARACTERS),
    ...textProblems(dialog.deny.text, `${pointer}/deny/text`, CONFIRM_BUTTON_CHARACTERS),
  ]
}

function textInputProblems(element: PlainTextInput, pointer: string): readonly Problem[] {
  const { min_length: least = 0, max_length: most, initial_value: value } = element
  return [
    ...unless(
      most >= 1 && most <= INPUT_CHARACTERS,
      `${pointer}/max_length`,
      `Must be set, to 1 to ${INPUT_CHARACTERS}.`,
    ),
    ...unless(least >= 0 && least <= most, `${pointer}/min_length`, 'Must be between 0 and max_length.'),
    ...unless(
      value === undefined || (value.length >= least && value.length <= most),
      `${pointer}/initial_value`,
      `Must have ${least} to ${most} characters.`,
    ),
  ]
}

function numberInputProblems(element: NumberInput, pointer: string): readonly Problem[] {
  const pattern = element.is_decimal_allowed ? /^-?\d+(?:\.\d+)?$/ : /^-?\d+$/
  const named = ['initial_value', 'min_value', 'max_value'] as const
  const { initial_value: initial, min_value: least, max_value: most } = element
  const within =
    initial === undefined ||
    ((least === undefined || Number(initial) >= Number(least)) &&
      (most === undefined || Number(initial) <= Number(most)))
  return [
    ...named.flatMap((name) => unless(pattern.test(element[name] ?? '0'), `${pointer}/${name}`, 'Must be a number.')),
    ...unless(within, `${pointer}/initial_value`, 'Must be between min_value and max_value.'),
  ]
}

function optionsProblems(
  options: readonly Option[],
  initial: readonly Option[],
  pointer: string,
  limit: number,
): readonly Problem[] {
  const known = new Set(options.map((option) => JSON.stringify(option)))
  const twice = repeated(options.map(({ value }) => value))
  return [
    ...countProblems(options.length, `${pointer}/options`, 1, limit),
    ...options.flatMap((option, index) => optionProblems(option, `${pointer}/options/${index}`)),
    ...unless(twice.size === 0, `${pointer}/options`, 'Must not hold a value twice.'),
    ...unless(
      initial.every((option) => known.has(JSON.stringify(option))),
      pointer,
      'An initial option must equal one of the options.',
    ),
  ]
}

function optionProblems({ text, value, description }: Option, pointer: string): readonly Problem[] {
  return [
    ...textProblems(text.text, `${pointer}/text/text`, OPTION_CHARACTERS),
    ...textProblems(value, `${pointer}/value`, OPTION_VALUE_CHARACTERS),
    ...optionalTextProblems(description?.text, `${pointer}/description/text`, OPTION_CHARACTERS),
  ]
}

function initialOf(option: Option | undefined): readonly Option[] {
  return option === undefined ? [] : [option]
}
