import { unreachable } from '../../../shared/errors.ts'
import type { Element } from '../block-rules/blocks.ts'
import type { Option } from '../block-rules/options.ts'
import { richText, richTextContent } from '../block-rules/rich-text.ts'
import { initialValue, type ElementValue } from '../form-values.ts'
import { channelName, personName, readableMrkdwn } from './mrkdwn-text.ts'

/** One element on one line: buttons as `[Save]`, what is entered in the others, every choice of a list of boxes. */
export function elementText(element: Element, value: ElementValue | undefined = initialValue(element)): string {
  switch (element.type) {
    case 'button':
    case 'workflow_button':
      return `[${element.text.text}]`
    case 'overflow':
      return `[⋯ ${element.options.map(optionText).join(' | ')}]`
    case 'image':
      return `(image: ${element.alt_text})`
    case 'checkboxes':
      return element.options.map((option) => `${isChosen(value, option) ? '☑' : '☐'} ${optionText(option)}`).join('  ')
    case 'radio_buttons':
      return element.options.map((option) => `${isChosen(value, option) ? '◉' : '○'} ${optionText(option)}`).join('  ')
    case 'static_select':
    case 'multi_static_select':
    case 'external_select':
    case 'multi_external_select':
    case 'users_select':
    case 'multi_users_select':
    case 'conversations_select':
    case 'multi_conversations_select':
    case 'channels_select':
    case 'multi_channels_select':
      return `[${enteredText(value) || (element.placeholder?.text ?? '')} ▾]`
    case 'datepicker':
    case 'timepicker':
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'rich_text_input':
      return `[${enteredText(value) || (element.placeholder?.text ?? '')}]`
    case 'datetimepicker':
    case 'file_input':
      return `[${enteredText(value)}]`
    default:
      return unreachable(element)
  }
}

/** A choice with its description. */
function optionText(option: Option): string {
  const text = readableMrkdwn(option.text.text)
  return option.description === undefined ? text : `${text} – ${readableMrkdwn(option.description.text)}`
}

function isChosen(value: ElementValue | undefined, option: Option): boolean {
  return chosenOptions(value).some((chosen) => chosen.value === option.value)
}

function chosenOptions(value: ElementValue | undefined): readonly Option[] {
  const held = value?.['selected_options'] ?? value?.['selected_option']
  // Values are made by the emulator from checked options, so these fields hold options and nothing else.
  if (Array.isArray(held)) return held as readonly Option[]
  return held === null || held === undefined ? [] : [held as Option]
}

/** What a field holds, in words; empty when it holds nothing. */
function enteredText(value: ElementValue | undefined): string {
  const options = chosenOptions(value)
  if (options.length > 0) return options.map((option) => option.text.text).join(', ')
  return Object.entries(value ?? {})
    .filter(([name, held]) => name !== 'type' && held !== null && held !== undefined)
    .flatMap(([name, held]) =>
      Array.isArray(held) ? held.map((each) => [name, each] as const) : [[name, held] as const],
    )
    .map(([name, held]) => heldText(name, held))
    .join(', ')
}

function heldText(name: string, held: unknown): string {
  const rich = richText.safeParse(held)
  if (rich.success) return richTextContent(rich.data)
  const text = String(held)
  if (name.startsWith('selected_user')) return personName(text)
  return name.startsWith('selected_c') ? channelName(text) : text
}
