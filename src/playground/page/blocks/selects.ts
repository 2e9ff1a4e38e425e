import type { Element } from '../../slack/block-rules/blocks.ts'
import { html, type Html } from '../html.ts'
import type { Option } from '../../slack/block-rules/options.ts'
import { chosenOptions, type Chosen } from './choices.ts'
import { address, naming, slotId, type Slot } from './slot.ts'

/** Every menu that one types into to find a choice. */
type Select = Extract<Element, { type: `${string}_select` }>

/**
 * A menu with a field to search in it. Fixed options are all there from the start; those that the app has to be asked
 * for are fetched when it is opened or typed into.
 */
export function selectHtml(element: Select, slot: Slot): Html {
  const id = slotId(slot)
  const isMany = element.type === 'multi_static_select'
  const isExternal = element.type === 'external_select'
  const chosen = chosenOptions(slot.held)
  const shown = isMany ? '' : (chosen[0]?.text ?? '')
  const hint = element.placeholder?.text ?? (isMany ? 'Choose options' : 'Choose an option')
  const clearable = !isMany && slot.input?.optional === true && chosen.length > 0
  return html`<div class="combo${isMany ? ' combo-many' : ''}" data-combo="${isExternal ? 'external' : 'fixed'}" data-many="${isMany ? 'yes' : 'no'}" id="${id}c"${address(slot)}>${chips(isMany ? chosen : [])}<input type="text" role="combobox" class="field" id="${id}" aria-expanded="false" aria-controls="${id}l" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="${hint}" value="${shown}" data-shown="${shown}"${naming(slot, hint)}>${
    clearable ? html`<button type="button" class="combo-clear" data-clear aria-label="Clear the choice">×</button>` : ''
  }<span class="combo-arrow" aria-hidden="true"></span><ul role="listbox" class="combo-list" id="${id}l" aria-label="${hint}" hidden>${element.type === 'external_select' ? '' : optionsHtml(element.options, id, chosen)}</ul></div>`
}

function chips(chosen: readonly Chosen[]): Html {
  return html`${chosen.map(
    ({ value, text }) =>
      html`<span class="chip" data-chip="${value}">${text}<button type="button" data-unchoose="${value}" aria-label="Remove ${text}">×</button></span>`,
  )}`
}

function optionsHtml(options: readonly Option[], id: string, chosen: readonly Chosen[]): Html {
  const isChosen = (value: string): boolean => chosen.some((one) => one.value === value)
  return html`${options.map(
    ({ value, text, description }, index) =>
      html`<li role="option" id="${id}-${index}" data-value="${value}" aria-selected="${isChosen(value) ? 'true' : 'false'}">${text.text}${description === undefined ? '' : html`<small>${description.text}</small>`}</li>`,
  )}`
}
