import * as z from 'zod'
import { LIMITS } from './limits.ts'
import { overflowOption } from './options.ts'
import { actionId, buttonStyle, confirmDialog, plainText } from './text.ts'

const accessibilityLabel = z.string().min(1).max(LIMITS.button.accessibilityLabel).optional()

/** A button; one with an address still tells the app that it was pressed. */
export const button = z.strictObject({
  type: z.literal('button'),
  text: plainText(LIMITS.button.text),
  action_id: actionId,
  value: z.string().max(LIMITS.button.value).optional(),
  url: z.string().min(1).max(LIMITS.button.url).optional(),
  style: buttonStyle.optional(),
  confirm: confirmDialog.optional(),
  accessibility_label: accessibilityLabel,
})

/** The menu behind three dots. */
export const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: actionId,
  options: z.array(overflowOption).min(1).max(LIMITS.overflowOptions),
  confirm: confirmDialog.optional(),
})

/** A button that starts a workflow. */
export const workflowButton = z.strictObject({
  type: z.literal('workflow_button'),
  text: plainText(LIMITS.button.text),
  action_id: actionId,
  workflow: z.strictObject({
    trigger: z.strictObject({
      url: z.string().min(1),
      customizable_input_parameters: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
    }),
  }),
  style: buttonStyle.optional(),
  accessibility_label: accessibilityLabel,
})

const feedbackButton = z.strictObject({
  text: plainText(LIMITS.button.text),
  value: z.string().min(1).max(LIMITS.button.value),
  accessibility_label: accessibilityLabel,
})

/** A pair of thumbs. */
export const feedbackButtons = z.strictObject({
  type: z.literal('feedback_buttons'),
  action_id: actionId,
  positive_button: feedbackButton,
  negative_button: feedbackButton,
})

/** A button that shows a sign. */
export const iconButton = z.strictObject({
  type: z.literal('icon_button'),
  icon: z.string().min(1),
  text: plainText(LIMITS.button.text),
  action_id: actionId,
  value: z.string().max(LIMITS.button.value).optional(),
  confirm: confirmDialog.optional(),
  accessibility_label: accessibilityLabel,
  visible_to_user_ids: z.array(z.string()).optional(),
})
