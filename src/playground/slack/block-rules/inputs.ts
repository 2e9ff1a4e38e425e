import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { checkOption, optionRules } from './options.ts'
import { richText } from './rich-text.ts'
import { actionId, confirmDialog, plainText } from './text.ts'

const focus = { action_id: actionId, focus_on_load: z.boolean().optional() }
const placeholder = plainText(LIMITS.placeholder).optional()
const dispatch_action_config = z
  .strictObject({
    trigger_actions_on: z
      .array(z.enum(['on_enter_pressed', 'on_character_entered']))
      .min(1)
      .max(2),
  })
  .optional()
const typed = { ...focus, placeholder, dispatch_action_config }
const picked = { ...focus, confirm: confirmDialog.optional() }
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)

/** A text field. Without `max_length` people can type more than 3,000 characters. */
export const plainTextInput = z
  .strictObject({
    type: z.literal('plain_text_input'),
    ...typed,
    initial_value: z.string().max(LIMITS.textInput).optional(),
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(LIMITS.textInput).optional(),
    max_length: z.int().min(1).max(LIMITS.textInput).optional(),
  })
  .superRefine((input, context) => {
    const { initial_value: value, min_length: min = 0, max_length: max = LIMITS.textInput } = input
    const complain = (message: string, field: string) => context.addIssue({ code: 'custom', message, path: [field] })
    if (input.max_length !== undefined && min > max) complain('must not be greater than max_length', 'min_length')
    if (value !== undefined && value.length > max) complain(`must be less than ${max + 1} characters`, 'initial_value')
    if (value !== undefined && value.length < min) complain(`must be more than ${min - 1} characters`, 'initial_value')
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
    if (value === undefined) return
    if (min !== undefined && Number(value) < Number(min)) complain('must not be less than min_value', 'initial_value')
    if (max !== undefined && Number(value) > Number(max)) complain('must not be more than max_value', 'initial_value')
    if (!input.is_decimal_allowed && value.includes('.')) complain('must be a whole number', 'initial_value')
  })

/** A field for an e-mail address, which the client checks. */
export const emailInput = z.strictObject({
  type: z.literal('email_text_input'),
  ...typed,
  initial_value: z.string().optional(),
})

/** A field for an address, which the client checks. */
export const urlInput = z.strictObject({
  type: z.literal('url_text_input'),
  ...typed,
  initial_value: z.string().optional(),
})

/** A field that takes files. */
export const fileInput = z.strictObject({
  type: z.literal('file_input'),
  action_id: actionId,
  filetypes: z.array(z.string().min(1)).optional(),
  max_files: z.int().min(1).max(LIMITS.fileInputFiles).optional(),
})

/** A text field with styles. */
export const richTextInput = z.strictObject({
  type: z.literal('rich_text_input'),
  ...typed,
  initial_value: richText.optional(),
  min_lines: z.int().min(1).max(100).optional(),
  max_lines: z.int().min(1).max(100).optional(),
})

const checkOptions = z.array(checkOption).min(1).max(LIMITS.checkOptions)

/** Up to ten boxes to tick. */
export const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    ...picked,
    options: checkOptions,
    initial_options: checkOptions.optional(),
  })
  .superRefine(optionRules)

/** Up to ten choices, of which one is taken. */
export const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    ...picked,
    options: checkOptions,
    initial_option: checkOption.optional(),
  })
  .superRefine(optionRules)

/** A day, written as 2026-11-20. */
export const datepicker = z.strictObject({
  type: z.literal('datepicker'),
  ...picked,
  placeholder,
  initial_date: z.iso.date().optional(),
})

/** A time of day, written as 09:30. */
export const timepicker = z.strictObject({
  type: z.literal('timepicker'),
  ...picked,
  placeholder,
  initial_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional(),
  timezone: z.string().optional(),
})

/** The value is seconds since 1970: exactly ten digits. */
export const datetimepicker = z.strictObject({
  type: z.literal('datetimepicker'),
  ...picked,
  initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
})
