import { unreachable } from '../../../shared/errors.ts'
import type { Block, Element } from '../../slack/block-rules/blocks.ts'
import { initialValue, type ElementValue } from '../../slack/form-values.ts'
import { html, type Html } from '../html.ts'
import type { Scene } from '../reader.ts'
import { choicesHtml } from './choices.ts'
import { selectHtml } from './selects.ts'
import { type InputSlot, type Slot, address, slotId, naming } from './slot.ts'
import { textHtml } from './text.ts'
import { domId } from '../dom-id.ts'

/** Whatever a person can use in a block, holding what was entered or chosen in it. */
export function elementHtml(element: Element, block: Block, scene: Scene, input?: InputSlot): Html {
  const blockId = block.block_id ?? ''
  const actionId = element.action_id ?? ''
  const held = scene.form?.values[blockId]?.[actionId] ?? initialValue(element)
  const slot: Slot = { scene, blockId, actionId, held, input }
  switch (element.type) {
    case 'button':
      return buttonHtml(element, slot)
    case 'checkboxes':
    case 'radio_buttons':
      return choicesHtml(element, slot)
    case 'plain_text_input':
    case 'number_input':
      return typedHtml(element, slot)
    case 'static_select':
    case 'external_select':
    case 'multi_static_select':
      return selectHtml(element, slot)
    default:
      return unreachable(element)
  }
}

type Button = Extract<Element, { type: 'button' }>
type Typed = Extract<Element, { type: 'plain_text_input' | 'number_input' }>

function buttonHtml(button: Button, slot: Slot): Html {
  const label = button.accessibility_label
  const name = label === undefined ? '' : html` aria-label="${label}"`
  return html`<span class="element"><button type="button" class="button ${button.style ?? ''}" id="${slotId(slot)}" data-act="click"${address(slot)}${name}>${button.text.text}</button>${confirmTemplate(button.confirm, slot)}</span>`
}

/** The question asked before a button counts, kept as a template beside it until then. Nothing without a question. */
function confirmTemplate(confirm: Button['confirm'], slot: Slot): Html | '' {
  if (confirm === undefined) return ''
  const id = domId(slotId(slot), 'confirm')
  const style = confirm.style === 'danger' ? 'danger' : 'primary'
  return html`<template data-confirm><dialog class="confirm" aria-labelledby="${id}"><h2 id="${id}">${confirm.title?.text ?? 'Are you sure?'}</h2><p>${textHtml(confirm.text, slot.scene.reader)}</p><div class="dialog-buttons"><button type="button" class="button" value="deny">${confirm.deny?.text ?? 'Cancel'}</button><button type="button" class="button ${style}" value="confirm">${confirm.confirm?.text ?? 'Yes'}</button></div></dialog></template>`
}

/** A field to type into. What is wrong with its value is said by the workspace, not by the browser. */
function typedHtml(element: Typed, slot: Slot): Html {
  const placeholder = element.placeholder === undefined ? '' : html` placeholder="${element.placeholder.text}"`
  const common = html`id="${slotId(slot)}" class="field" data-typed${address(slot)}${naming(slot, 'Text')}${placeholder} autocomplete="off" spellcheck="false"`
  const value = textOf(slot.held)
  if (element.type === 'plain_text_input' && element.multiline === true) {
    // A line break right after the tag is not part of the value, so one is given away.
    return html`<textarea rows="4" ${common}>${'\n'}${value}</textarea>`
  }
  return html`<input type="text" inputmode="${keyboard(element)}" value="${value}" ${common}>`
}

function keyboard(element: Typed): string {
  if (element.type === 'plain_text_input') return 'text'
  return element.is_decimal_allowed ? 'decimal' : 'numeric'
}

function textOf(held: ElementValue | undefined): string {
  const value = held?.['value']
  return typeof value === 'string' ? value : ''
}
