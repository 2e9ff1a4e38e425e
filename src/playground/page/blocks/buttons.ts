import type { Element } from '../../slack/block-rules/blocks.ts'
import { safeAddress } from '../control-sequence.ts'
import { html, type Html } from '../html.ts'
import { confirmTemplate } from './confirm.ts'
import { address, slotId, type Slot } from './slot.ts'

type Button = Extract<Element, { type: 'button' }>
type WorkflowButton = Extract<Element, { type: 'workflow_button' }>
type Overflow = Extract<Element, { type: 'overflow' }>

/** A button; one with an address is a link that tells the app as well. */
export function buttonHtml(button: Button, slot: Slot): Html {
  const label = button.accessibility_label
  const name = label === undefined ? '' : html` aria-label="${label}"`
  const style = html`button ${button.style ?? ''}`
  const to = button.url === undefined ? undefined : safeAddress(button.url)
  const id = slotId(slot)
  const shown =
    to === undefined
      ? html`<button type="button" class="${style}" id="${id}" data-act="click"${address(slot)}${name}>${button.text.text}</button>`
      : html`<a class="${style}" id="${id}" href="${to}" target="_blank" rel="noopener noreferrer" data-act="click"${address(slot)}${name}>${button.text.text}<span class="out" aria-hidden="true">↗</span></a>`
  return html`<span class="element">${shown}${confirmTemplate(button.confirm, slot)}</span>`
}

/** A button that would start a workflow; there are none in this workspace. */
export function workflowButtonHtml(button: WorkflowButton): Html {
  return html`<button type="button" class="button ${button.style ?? ''}" disabled title="This workspace has no workflows">${button.text.text}</button>`
}

/** The menu behind three dots. */
export function overflowHtml(overflow: Overflow, slot: Slot): Html {
  const id = slotId(slot)
  return html`<span class="element menu" data-menu><button type="button" class="button icon" id="${id}" aria-haspopup="menu" aria-expanded="false" aria-controls="${id}m" aria-label="More actions" data-menu-open>⋯</button><span class="menu-list" id="${id}m" role="menu" aria-labelledby="${id}" hidden>${overflow.options.map(
    ({ text, value, description }) =>
      html`<button type="button" role="menuitem" tabindex="-1" data-act="click"${address(slot)} data-entry="${value}">${text.text}${description === undefined ? '' : html`<small>${description.text}</small>`}</button>`,
  )}</span>${confirmTemplate(overflow.confirm, slot)}</span>`
}
