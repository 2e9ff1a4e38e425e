import * as limits from './limits.ts'
import { type Choice, option } from './inputs.ts'
import { identifier, oneLine, plainText } from './plain-text.ts'

export type Button = ReturnType<typeof button>

interface ButtonOptions {
  /** Unique within its block. */
  readonly actionId: string
  readonly text: string
  /** An opaque id; everything else is looked up at the click. */
  readonly value?: string
  readonly style?: 'primary' | 'danger'
  readonly confirm?: Readonly<Record<'title' | 'text' | 'confirm' | 'deny', string>>
  readonly accessibilityLabel?: string
}

/** A button. Long words are cut; throws RangeError for an id or value that Slack would refuse. */
export function button({ actionId, text, value, style, confirm, accessibilityLabel }: ButtonOptions) {
  return {
    type: 'button',
    action_id: identifier(actionId, 'action_id', limits.ID_CHARACTERS),
    text: plainText(text, limits.BUTTON_CHARACTERS),
    ...(value !== undefined && { value: identifier(value, 'The value of a button', limits.BUTTON_VALUE_CHARACTERS) }),
    ...(style !== undefined && { style }),
    ...(confirm !== undefined && {
      confirm: {
        title: plainText(confirm.title, limits.CONFIRM_TITLE_CHARACTERS),
        text: plainText(confirm.text, limits.CONFIRM_TEXT_CHARACTERS),
        confirm: plainText(confirm.confirm, limits.CONFIRM_BUTTON_CHARACTERS),
        deny: plainText(confirm.deny, limits.CONFIRM_BUTTON_CHARACTERS),
      },
    }),
    ...(accessibilityLabel !== undefined && {
      accessibility_label: oneLine(accessibilityLabel, limits.ACCESSIBILITY_LABEL_CHARACTERS),
    }),
  } as const
}

/**
 * A menu of things to do, behind three dots: each choice is an action at once. Throws RangeError for more choices than Slack
 * takes, for none, and for a value that it would refuse.
 */
export function overflow({ actionId, choices }: { readonly actionId: string; readonly choices: readonly Choice[] }) {
  if (choices.length === 0 || choices.length > limits.OVERFLOW_OPTIONS)
    throw new RangeError(`A menu of actions must have 1 to ${limits.OVERFLOW_OPTIONS} choices, not ${choices.length}`)
  return {
    type: 'overflow',
    action_id: identifier(actionId, 'action_id', limits.ID_CHARACTERS),
    options: choices.map(option),
  } as const
}

export function actions(blockId: string, elements: readonly (Button | ReturnType<typeof overflow>)[]) {
  if (elements.length === 0 || elements.length > limits.ACTIONS_ELEMENTS) {
    throw new RangeError(`A row of actions must have 1 to ${limits.ACTIONS_ELEMENTS} elements, not ${elements.length}`)
  }
  return { type: 'actions', block_id: identifier(blockId, 'block_id', limits.ID_CHARACTERS), elements } as const
}
