import { unreachable } from '../../shared/errors.ts'
import type { Block, Element } from '../slack/blocks/blocks.ts'
import { chosenOptions, initialValue, type ElementValue } from '../slack/blocks/element-values.ts'
import { domId, html, type Html } from './html.ts'
import { textHtml } from './mrkdwn.ts'
import type { Scene } from './reader.ts'

export function elementHtml(element: Element, block: Block, scene: Scene, input?: InputSlot): Html {
  const blockId = block.block_id ?? ''
  const actionId = element.action_id ?? ''
  const held = scene.form?.values[blockId]?.[actionId] ?? initialValue(element)
  const slot: Slot = { scene, blockId, actionId, held, input }
  switch (element.type) {
    case 'button':
      return buttonHtml(element, slot)
    case 'checkboxes':
    case 'multi_static_select':
    case 'radio_buttons':
      return choicesHtml(element, slot)
    case 'plain_text_input':
    case 'number_input':
      return typedHtml(element, slot)
    case 'static_select':
      return selectHtml(element, slot)
    case 'external_select':
      return searchHtml(element, slot)
    case 'overflow':
      return menuHtml(
        slotId(slot),
        'More actions',
        html`⋯`,
        element.options.map(({ value, text }) => ({
          does: html` data-act="click"${address(slot)} data-entry="${value}"`,
          words: html`${text.text}`,
        })),
      )
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
  return html`<template data-confirm><dialog class="confirm card" aria-labelledby="${id}"><h2 class="bar row" id="${id}">${confirm.title?.text ?? 'Are you sure?'}</h2><p class="modal-body">${textHtml(confirm.text, slot.scene.reader)}</p><div class="modal-foot bar row"><button type="button" class="button" value="deny">${confirm.deny?.text ?? 'Cancel'}</button><button type="button" class="button ${style}" value="confirm">${confirm.confirm?.text ?? 'Yes'}</button></div></dialog></template>`
}

/** A field to type into. What is wrong with its value is said by the workspace, not by the browser. */
function typedHtml(element: Typed, slot: Slot): Html {
  const placeholder = element.placeholder === undefined ? '' : html` placeholder="${element.placeholder.text}"`
  const common = html`id="${slotId(slot)}" class="field" data-typed${address(slot)}${placeholder} autocomplete="off" spellcheck="false"`
  const held = slot.held?.['value']
  const value = typeof held === 'string' ? held : ''
  if (element.type === 'plain_text_input' && element.multiline === true) {
    // A line break right after the tag is not part of the value, so one is given away.
    return html`<textarea rows="4" ${common}>${'\n'}${value}</textarea>`
  }
  return html`<input type="text" inputmode="${element.type === 'number_input' ? 'decimal' : 'text'}" value="${value}" ${common}>`
}

type Choices = Extract<Element, { type: 'checkboxes' | 'multi_static_select' | 'radio_buttons' }>

function choicesHtml(element: Choices, slot: Slot): Html {
  const isOne = element.type === 'radio_buttons'
  const chosen = new Set(chosenOptions(slot.held).map(({ value }) => value))
  const id = slotId(slot)
  return html`<div role="${isOne ? 'radiogroup' : 'group'}" id="${id}"${address(slot)} data-choices="${isOne ? 'one' : 'many'}">${element.options.map(
    (option, index) =>
      html`<label class="choice flex"><input type="${isOne ? 'radio' : 'checkbox'}" id="${id}-${index}" name="${id}" value="${option.value}"${chosen.has(option.value) ? html` checked` : ''}><span>${option.text.text}</span></label>`,
  )}</div>`
}

function selectHtml({ options }: Extract<Element, { type: 'static_select' }>, slot: Slot): Html {
  const [chosen] = chosenOptions(slot.held)
  const isOptional = chosen === undefined || slot.input?.optional === true
  return html`<select class="field" id="${slotId(slot)}"${address(slot)}>${isOptional ? html`<option value="">Choose an option</option>` : ''}${options.map(
    ({ value, text }) =>
      html`<option value="${value}"${value === chosen?.value ? html` selected` : ''}>${text.text}</option>`,
  )}</select>`
}

function searchHtml(element: Extract<Element, { type: 'external_select' }>, slot: Slot): Html {
  const [chosen] = chosenOptions(slot.held)
  const hint = element.placeholder?.text ?? 'Choose an option'
  return html`<input type="search" class="field" id="${slotId(slot)}" data-search list="offered"${address(slot)} placeholder="${hint}" value="${chosen?.text.text ?? ''}" autocomplete="off" spellcheck="false">`
}

/** A button with a list. `does` is what a line does, as attributes for the script. */
export function menuHtml(id: string, label: string, sign: Html, items: readonly { does: Html; words: Html }[]): Html {
  return html`<button type="button" class="icon-button" id="${id}" aria-label="${label}" popovertarget="${id}-menu">${sign}</button><div class="list card" id="${id}-menu" popover role="group" aria-label="${label}">${items.map(
    ({ does, words }, index) =>
      html`<button type="button"${index === 0 ? html` autofocus` : ''} popovertarget="${id}-menu" popovertargetaction="hide"${does}>${words}</button>`,
  )}</div>`
}

interface Slot {
  readonly scene: Scene
  readonly blockId: string
  readonly actionId: string
  /** What is entered in it now; undefined for an element that holds nothing. */
  readonly held: ElementValue | undefined
  /** Only for the element of an input block; elsewhere a choice is an action at once. */
  readonly input: InputSlot | undefined
}

interface InputSlot {
  /** What its question says of it. */
  readonly attributes: Html
  readonly optional: boolean
}

/** The id of the element on the page: the same after the app has changed what is around it. */
function slotId({ scene, blockId, actionId }: Slot): string {
  return domId(scene.key, blockId, actionId, '')
}

/** What the script needs to tell the server which element was used, and a screen reader to say what it is. */
function address({ blockId, actionId, input }: Slot): Html {
  return html` data-block="${blockId}" data-action="${actionId}"${input?.attributes}`
}
