import type { InputBlock } from '../../slack/block-rules/blocks.ts'
import { domId } from '../dom-id.ts'
import { html, type Html } from '../html.ts'
import type { Scene } from '../reader.ts'
import { elementHtml } from './element.ts'

const GROUPED = new Set<string>(['checkboxes', 'radio_buttons'])

/** A question of a form: its label, the place for the answer, its hint, and what is wrong with the answer. */
export function inputBlockHtml(block: InputBlock, scene: Scene): Html {
  const { block_id: blockId = '', label, hint, element, optional = false, dispatch_action: dispatches = false } = block
  const complaint = scene.form?.errors[blockId]
  const id = domId(scene.key, blockId, 'input')
  const describedBy = [...(hint === undefined ? [] : [`${id}h`]), ...(complaint === undefined ? [] : [`${id}e`])]
  const input = { labelId: `${id}l`, describedBy, hasComplaint: complaint !== undefined, optional, dispatches }
  const mark = optional
    ? html`<span class="optional">(optional)</span>`
    : html`<span class="required" aria-hidden="true">*</span>`
  const target = domId(scene.key, blockId, element.action_id ?? '', '')
  const name = html`${label.text} ${mark}`
  return html`<div class="input-block${complaint === undefined ? '' : ' has-error'}" id="${id}">${
    GROUPED.has(element.type)
      ? html`<span class="label" id="${id}l">${name}</span>`
      : html`<label class="label" id="${id}l" for="${target}">${name}</label>`
  }${elementHtml(element, block, scene, input)}${
    complaint === undefined ? '' : html`<p class="error" id="${id}e" role="alert">${complaint}</p>`
  }${hint === undefined ? '' : html`<p class="hint" id="${id}h">${hint.text}</p>`}</div>`
}
