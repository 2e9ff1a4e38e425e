import { unreachable } from '../../shared/errors.ts'
import type { InputElement } from './block-rules/blocks.ts'
import { isEmpty, placedElements, type ElementValue } from './form-values.ts'
import type { StoredView } from './views.ts'
import { REQUIRED } from './words.ts'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** What the client itself objects to before it sends a form, by block id. Nothing is sent while there is any. */
export function clientComplaints(view: StoredView): Readonly<Record<string, string>> {
  const complaints: Record<string, string> = {}
  for (const { block, blockId, actionId } of placedElements(view.definition.blocks)) {
    if (block.type !== 'input') continue
    const value = view.values[blockId]?.[actionId]
    if (value === undefined) continue
    const complaint = isEmpty(value) ? emptyComplaint(block.optional) : valueComplaint(block.element, value)
    if (complaint !== undefined) complaints[blockId] = complaint
  }
  return complaints
}

function emptyComplaint(optional: boolean | undefined): string | undefined {
  return optional === true ? undefined : REQUIRED
}

function valueComplaint(element: InputElement, held: ElementValue): string | undefined {
  const text = typeof held['value'] === 'string' ? held['value'] : ''
  switch (element.type) {
    case 'plain_text_input':
      if (text.length < (element.min_length ?? 0)) return `Please enter at least ${element.min_length} characters.`
      if (element.max_length !== undefined && text.length > element.max_length) {
        return `Please enter no more than ${element.max_length} characters.`
      }
      return undefined
    case 'number_input':
      return numberComplaint(element, text)
    case 'email_text_input':
      return EMAIL.test(text) ? undefined : 'Please enter a valid email address.'
    case 'url_text_input':
      return URL.canParse(text) ? undefined : 'Please enter a valid URL.'
    case 'multi_static_select':
    case 'multi_external_select':
    case 'multi_users_select':
    case 'multi_channels_select':
    case 'multi_conversations_select':
      return tooMany(element.max_selected_items, held)
    case 'channels_select':
    case 'checkboxes':
    case 'conversations_select':
    case 'datepicker':
    case 'datetimepicker':
    case 'external_select':
    case 'file_input':
    case 'radio_buttons':
    case 'rich_text_input':
    case 'static_select':
    case 'timepicker':
    case 'users_select':
      return undefined
    default:
      return unreachable(element)
  }
}

function numberComplaint(element: Extract<InputElement, { type: 'number_input' }>, text: string): string | undefined {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) return 'Please enter a valid number.'
  if (!element.is_decimal_allowed && !/^-?\d+$/.test(text)) return 'Please enter a whole number.'
  const { min_value: min, max_value: max } = element
  if (min !== undefined && number < Number(min)) return `Please enter a number of at least ${min}.`
  if (max !== undefined && number > Number(max)) return `Please enter a number of at most ${max}.`
  return undefined
}

function tooMany(max: number | undefined, held: ElementValue): string | undefined {
  const count = Object.values(held).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0)
  return max !== undefined && count > max ? `Please choose no more than ${max}.` : undefined
}
