import type { Element } from '../../slack/block-rules/blocks.ts'
import type { ElementValue } from '../../slack/form-values.ts'
import { flag, html, type Html } from '../html.ts'
import { address, naming, slotId, type Slot } from './slot.ts'
import { textHtml } from './text.ts'

type Choices = Extract<Element, { type: 'checkboxes' | 'radio_buttons' }>

/** Boxes to tick, or choices of which one is taken. */
export function choicesHtml(element: Choices, slot: Slot): Html {
  const isOne = element.type === 'radio_buttons'
  const chosen = chosenValues(slot.held)
  const id = slotId(slot)
  const { reader } = slot.scene
  return html`<div class="choices" role="${isOne ? 'radiogroup' : 'group'}" id="${id}"${naming(slot, isOne ? 'Choose one' : 'Choose')}${address(slot)} data-choices="${isOne ? 'one' : 'many'}">${element.options.map(
    (option, index) =>
      html`<label class="choice"><input type="${isOne ? 'radio' : 'checkbox'}" id="${id}-${index}" name="${id}" value="${option.value}"${flag('checked', chosen.includes(option.value))}><span>${textHtml(option.text, reader)}${option.description === undefined ? '' : html`<small>${textHtml(option.description, reader)}</small>`}</span></label>`,
  )}</div>`
}

function chosenValues(held: ElementValue | undefined): readonly string[] {
  return chosenOptions(held).map(({ value }) => value)
}

/** An option that is chosen. */
export interface Chosen {
  readonly value: string
  readonly text: string
}

/** The options that are chosen, as far as they show: what the app or the form keeps of them. */
export function chosenOptions(held: ElementValue | undefined): readonly Chosen[] {
  const one = held?.['selected_option']
  const many = held?.['selected_options']
  const list: readonly unknown[] = Array.isArray(many) ? many : one === undefined || one === null ? [] : [one]
  return list.flatMap((option) => (isOption(option) ? [{ value: option.value, text: option.text.text }] : []))
}

interface ShownOption {
  readonly value: string
  readonly text: { readonly text: string }
}

/** A boundary: values are kept as what Slack would send, whose options always have this form. */
function isOption(value: unknown): value is ShownOption {
  if (typeof value !== 'object' || value === null || !('value' in value) || !('text' in value)) return false
  const { text } = value
  return typeof text === 'object' && text !== null && 'text' in text && typeof text.text === 'string'
}
