import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { option, optionList, optionRules } from './options.ts'
import { actionId, buttonStyle, confirmDialog, plainText } from './text.ts'

const placeholder = plainText(LIMITS.placeholder).optional()
const typed = {
  action_id: actionId,
  placeholder,
  dispatch_action_config: z
    .strictObject({ trigger_actions_on: z.array(z.literal('on_enter_pressed')).length(1) })
    .optional(),
}
const menu = { action_id: actionId, placeholder }
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)

/** A button. */
export const button = z.strictObject({
  type: z.literal('button'),
  text: plainText(LIMITS.button.text),
  action_id: actionId,
  value: z.string().max(LIMITS.button.value).optional(),
  style: buttonStyle.optional(),
  confirm: confirmDialog.optional(),
  accessibility_label: z.string().min(1).max(LIMITS.button.accessibilityLabel).optional(),
})

/** A text field. Without `max_length` people can type more than 3,000 characters. */
export const plainTextInput = z
  .strictObject({
    type: z.literal('plain_text_input'),
    ...typed,
    initial_value: z.string().max(LIMITS.textInput).optional(),
    multiline: z.boolean().optional(),
    max_length: z.int().min(1).max(LIMITS.textInput).optional(),
  })
  .superRefine(({ initial_value: value, max_length: max = LIMITS.textInput }, context) => {
    if (value === undefined || value.length <= max) return
    context.addIssue({ code: 'custom', message: `must be less than ${max + 1} characters`, path: ['initial_value'] })
  })

/** Bounds and the first value are decimal numbers written as strings. */
export const numberInput = z
  .strictObject({
    type: z.literal('number_input'),
    ...typed,
    is_decimal_allowed: z.boolean(),
    initial_value: decimal.optional(),
    min_value: decimal.optional(),
    max_value: decimal.optional(),
  })
  .superRefine((input, context) => {
    const { initial_value: value, min_value: min, max_value: max } = input
    const complain = (message: string, field: string) => context.addIssue({ code: 'custom', message, path: [field] })
    if (min !== undefined && max !== undefined && Number(min) > Number(max)) {
      complain('must not be greater than max_value', 'min_value')
    }
    for (const field of ['initial_value', 'min_value', 'max_value'] as const) {
      if (!input.is_decimal_allowed && input[field]?.includes('.') === true) complain('must be a whole number', field)
    }
    if (value === undefined) return
    if (min !== undefined && Number(value) < Number(min)) complain('must not be less than min_value', 'initial_value')
    if (max !== undefined && Number(value) > Number(max)) complain('must not be more than max_value', 'initial_value')
  })

const checkOptions = optionList(LIMITS.checkOptions)
const menuOptions = optionList(LIMITS.selectOptions)

/** Up to ten boxes to tick. */
export const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    action_id: actionId,
    options: checkOptions,
    initial_options: checkOptions.optional(),
  })
  .superRefine(optionRules)

/** Up to ten choices, of which one is taken. */
export const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    action_id: actionId,
    options: checkOptions,
    initial_option: option.optional(),
  })
  .superRefine(optionRules)

/** A menu with a fixed list. */
export const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...menu,
    options: menuOptions,
    initial_option: option.optional(),
  })
  .superRefine(optionRules)

/** A menu with a fixed list of which several may be taken. */
export const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...menu,
    options: menuOptions,
    initial_options: menuOptions.optional(),
  })
  .superRefine(optionRules)

/** A menu whose options the app is asked for. */
export const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  ...menu,
  initial_option: option.optional(),
  min_query_length: z.int().min(0).optional(),
})
