import type * as z from 'zod'
import type { confirmDialog } from '../../slack/block-rules/text.ts'
import { domId } from '../dom-id.ts'
import { html, type Html } from '../html.ts'
import { slotId, type Slot } from './slot.ts'
import { textHtml } from './text.ts'

type ConfirmDialog = z.infer<typeof confirmDialog>

/** The question asked before an element counts, kept as a template beside it until then. Nothing without a question. */
export function confirmTemplate(confirm: ConfirmDialog | undefined, slot: Slot): Html | '' {
  if (confirm === undefined) return ''
  const id = domId(slotId(slot), 'confirm')
  const style = confirm.style === 'danger' ? 'danger' : 'primary'
  return html`<template data-confirm><dialog class="confirm" aria-labelledby="${id}"><h2 id="${id}">${confirm.title?.text ?? 'Are you sure?'}</h2><p>${textHtml(confirm.text, slot.scene.reader)}</p><div class="dialog-buttons"><button type="button" class="button" value="deny">${confirm.deny?.text ?? 'Cancel'}</button><button type="button" class="button ${style}" value="confirm">${confirm.confirm?.text ?? 'Yes'}</button></div></dialog></template>`
}
