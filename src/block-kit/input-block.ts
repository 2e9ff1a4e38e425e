import type { InputBlock } from './blocks.ts'
import type { InputElement, PlainText } from './elements.ts'
import { ID_CHARACTERS, LABEL_CHARACTERS, PLACEHOLDER_CHARACTERS } from './limits.ts'
import { identifier, plainText } from './plain-text.ts'

/** The action_id of every input: its block_id says which field it is. */
export const INPUT_ACTION = 'value'

/** What every input of a form has. */
export interface FieldOptions {
  /** The field's name, the key of its value in a submission. Unique within the view; never cut. */
  readonly blockId: string
  readonly label: string
  /** The field's rule in a sentence. */
  readonly hint?: string
  /** Required when not said. */
  readonly optional?: boolean
  /** Tell the bot about every change, to redraw a form that depends on this field. */
  readonly dispatch?: boolean
  /** The cursor starts here. One field of a view at most. */
  readonly focus?: boolean
}

/** The block around an element: label, hint and the field's name. */
export function inputBlock(options: FieldOptions, element: InputElement): InputBlock {
  const { blockId, label, hint, optional = false, dispatch = false, focus = false } = options
  return {
    type: 'input',
    block_id: identifier(blockId, 'block_id', ID_CHARACTERS),
    label: plainText(label, LABEL_CHARACTERS),
    element: focus ? { ...element, focus_on_load: true } : element,
    ...(hint !== undefined && { hint: plainText(hint, LABEL_CHARACTERS) }),
    optional,
    ...(dispatch && { dispatch_action: true }),
  }
}

/** The placeholder of an element, when there is one. */
export function placeholderOf(placeholder: string | undefined): { readonly placeholder?: PlainText } {
  return placeholder === undefined ? {} : { placeholder: plainText(placeholder, PLACEHOLDER_CHARACTERS) }
}

/** The same field with a sentence added to its hint. */
export function withNote<O extends FieldOptions>(options: O, note: string | false): O {
  return note === false ? options : { ...options, hint: options.hint === undefined ? note : `${note} ${options.hint}` }
}
