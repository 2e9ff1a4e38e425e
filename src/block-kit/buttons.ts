import type { ActionElement, Block, Button, ConfirmationDialog, Overflow } from './blocks.ts'
import {
  ACCESSIBILITY_LABEL_CHARACTERS,
  ACTIONS_ELEMENTS,
  BUTTON_CHARACTERS,
  BUTTON_VALUE_CHARACTERS,
  CONFIRM_BUTTON_CHARACTERS,
  CONFIRM_TEXT_CHARACTERS,
  CONFIRM_TITLE_CHARACTERS,
  ID_CHARACTERS,
  OVERFLOW_OPTIONS,
} from './limits.ts'
import { type Choice, option } from './inputs.ts'
import { identifier, oneLine, plainText } from './plain-text.ts'

export interface Confirmation {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly deny: string
}

export interface ButtonOptions {
  /** Unique within its block. */
  readonly actionId: string
  readonly text: string
  /** An opaque id; everything else is looked up at the click. */
  readonly value?: string
  readonly style?: 'primary' | 'danger'
  readonly confirm?: Confirmation
  readonly accessibilityLabel?: string
}

/** A button. Long words are cut; throws RangeError for an id or value that Slack would refuse. */
export function button({ actionId, text, value, style, confirm, accessibilityLabel }: ButtonOptions): Button {
  return {
    type: 'button',
    action_id: identifier(actionId, 'action_id', ID_CHARACTERS),
    text: plainText(text, BUTTON_CHARACTERS),
    ...(value !== undefined && { value: identifier(value, 'The value of a button', BUTTON_VALUE_CHARACTERS) }),
    ...(style !== undefined && { style }),
    ...(confirm !== undefined && { confirm: confirmationDialog(confirm) }),
    ...(accessibilityLabel !== undefined && {
      accessibility_label: oneLine(accessibilityLabel, ACCESSIBILITY_LABEL_CHARACTERS),
    }),
  }
}

/** Throws RangeError for more choices than Slack takes, for none, and for a value that it would refuse. */
export function overflow(menu: { readonly actionId: string; readonly choices: readonly Choice[] }): Overflow {
  const { actionId, choices } = menu
  if (choices.length === 0 || choices.length > OVERFLOW_OPTIONS)
    throw new RangeError(`A menu of actions must have 1 to ${OVERFLOW_OPTIONS} choices, not ${choices.length}`)
  return {
    type: 'overflow',
    action_id: identifier(actionId, 'action_id', ID_CHARACTERS),
    options: choices.map(option),
  }
}

export function actions(blockId: string, elements: readonly ActionElement[]): Block {
  if (elements.length === 0 || elements.length > ACTIONS_ELEMENTS) {
    throw new RangeError(`A row of actions must have 1 to ${ACTIONS_ELEMENTS} elements, not ${elements.length}`)
  }
  return { type: 'actions', block_id: identifier(blockId, 'block_id', ID_CHARACTERS), elements }
}

function confirmationDialog({ title, text, confirm, deny }: Confirmation): ConfirmationDialog {
  return {
    title: plainText(title, CONFIRM_TITLE_CHARACTERS),
    text: plainText(text, CONFIRM_TEXT_CHARACTERS),
    confirm: plainText(confirm, CONFIRM_BUTTON_CHARACTERS),
    deny: plainText(deny, CONFIRM_BUTTON_CHARACTERS),
  }
}
