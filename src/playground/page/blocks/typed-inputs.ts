import type { Element } from '../../slack/block-rules/blocks.ts'
import { richTextContent } from '../../slack/block-rules/rich-text.ts'
import type { ElementValue } from '../../slack/form-values.ts'
import { localDateTime } from '../date-words.ts'
import { html, type Html } from '../html.ts'
import { address, naming, slotId, type Slot } from './slot.ts'

type Typed = Extract<
  Element,
  { type: 'plain_text_input' | 'number_input' | 'email_text_input' | 'url_text_input' | 'rich_text_input' }
>
type Picked = Extract<Element, { type: 'datepicker' | 'timepicker' | 'datetimepicker' }>

/** A field to type into. What is wrong with its value is said by the workspace, not by the browser. */
export function typedHtml(element: Typed, slot: Slot): Html {
  const { held } = slot
  const common = html`id="${slotId(slot)}" class="field" data-typed${address(slot)}${naming(slot, 'Text')}${focus(element)}${placeholder(element)} autocomplete="off" spellcheck="false"`
  if (element.type === 'rich_text_input') return area(richTextOf(element, held), 4, common)
  const value = textOf(held)
  if (element.type === 'plain_text_input' && element.multiline === true) return area(value, 4, common)
  return html`<input type="text" inputmode="${keyboard(element)}" value="${value}" ${common}>`
}

/** A day, a time or both, in the zone of whoever looks. */
export function pickedHtml(element: Picked, slot: Slot): Html {
  const type = { datepicker: 'date', timepicker: 'time', datetimepicker: 'datetime-local' }[element.type]
  const fallback = { datepicker: 'Pick a date', timepicker: 'Pick a time', datetimepicker: 'Pick a date and time' }
  return html`<input type="${type}" class="field picker" value="${pickedValue(slot)}" id="${slotId(slot)}" data-picked${address(slot)}${naming(slot, fallback[element.type])}${focus(element)}>`
}

function area(value: string, rows: number, common: Html): Html {
  // A line break right after the tag is not part of the value, so one is given away.
  return html`<textarea rows="${rows}" ${common}>${'\n'}${value}</textarea>`
}

function keyboard(element: Exclude<Typed, { type: 'rich_text_input' }>): string {
  switch (element.type) {
    case 'number_input':
      return element.is_decimal_allowed ? 'decimal' : 'numeric'
    case 'email_text_input':
      return 'email'
    case 'url_text_input':
      return 'url'
    case 'plain_text_input':
    default:
      return 'text'
  }
}

function placeholder(element: { readonly placeholder?: { readonly text: string } | undefined }): Html | '' {
  return element.placeholder === undefined ? '' : html` placeholder="${element.placeholder.text}"`
}

function focus(element: { readonly focus_on_load?: boolean | undefined }): Html | '' {
  return element.focus_on_load === true ? html` data-focus` : ''
}

function textOf(held: ElementValue | undefined): string {
  const value = held?.['value']
  return typeof value === 'string' ? value : ''
}

/** Styles are not kept in a plain field; the words are. */
function richTextOf(element: Extract<Typed, { type: 'rich_text_input' }>, held: ElementValue | undefined): string {
  const value = held?.['rich_text_value']
  if (value === null) return ''
  return element.initial_value === undefined ? '' : richTextContent(element.initial_value)
}

function pickedValue({ held, scene }: Slot): string {
  const [value] = ['selected_date', 'selected_time', 'selected_date_time'].flatMap((name) => held?.[name] ?? [])
  if (typeof value === 'number') return localDateTime(value, scene.reader.zone)
  return typeof value === 'string' ? value : ''
}
