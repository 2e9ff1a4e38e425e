import type { ShownView } from '../slack/shown.ts'
import { avatarHtml } from './avatar.ts'
import { blocksHtml } from './blocks/block.ts'
import { domId } from './dom-id.ts'
import { html, type Html, NOTHING } from './html.ts'
import type { Reader } from './reader.ts'
import { BOT_USER_ID } from '../slack/seed.ts'

/** The modal on top of a person's stack. Its ids stay the same while the app redraws it, so what is typed stays too. */
export function modalHtml(view: ShownView | undefined, reader: Reader): Html {
  if (view === undefined) return NOTHING
  const { id, title, submit, close } = view
  const titleId = domId(id, 'title')
  const isForm = submit !== undefined
  return html`<div class="modal-back"><div class="modal" id="${domId(id, 'modal')}" role="dialog" aria-modal="true" aria-labelledby="${titleId}" data-view="${id}" data-modal tabindex="-1"><header class="modal-head">${avatarHtml(reader.names.member(BOT_USER_ID), 28)}<h2 id="${titleId}">${title}</h2><button type="button" class="close" data-act="close" aria-label="Close">×</button></header><div class="modal-body">${blocksHtml(view.blocks, { reader, key: id, form: { values: view.values, errors: view.errors } })}</div>${
    isForm || close !== undefined
      ? html`<footer class="modal-foot"><p class="modal-note" role="alert" data-note></p><button type="button" class="button" data-act="close">${close ?? 'Cancel'}</button>${isForm ? html`<button type="button" class="button primary" data-act="submit">${submit}</button>` : ''}</footer>`
      : ''
  }</div></div>`
}

/** The app's Home tab of one person, or what is there before the app has shown any. */
export function homeHtml(view: ShownView | undefined, reader: Reader): Html {
  if (view === undefined) {
    return html`<div class="home-empty"><h2>This is the start of CDN Ops’ Home</h2><p class="quiet">The app has not published anything here.</p></div>`
  }
  return html`<div class="home" data-view="${view.id}">${blocksHtml(view.blocks, { reader, key: view.id, form: { values: view.values, errors: view.errors } })}</div>`
}
