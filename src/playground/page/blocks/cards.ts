import type { Block } from '../../slack/block-rules/blocks.ts'
import { html, type Html } from '../html.ts'
import type { Scene } from '../reader.ts'
import { elementHtml } from './element.ts'
import { pictureHtml } from './picture.ts'
import { textHtml } from './text.ts'

type Card = Extract<Block, { type: 'card' }>
type ContextActions = Extract<Block, { type: 'context_actions' }>
type Video = Extract<Block, { type: 'video' }>

/** A card: a picture, a few lines and buttons. */
export function cardHtml(card: Card, scene: Scene): Html {
  const { reader } = scene
  return html`<div class="card">${card.hero_image === undefined ? '' : pictureHtml(card.hero_image)}${
    card.title === undefined ? '' : html`<strong>${textHtml(card.title, reader)}</strong>`
  }<div class="quiet">${textHtml(card.subtitle, reader)}</div><div>${textHtml(card.body, reader)}</div><small class="quiet">${textHtml(card.subtext, reader)}</small>${
    card.actions === undefined
      ? ''
      : html`<div class="actions">${card.actions.map((button) => elementHtml(button, card, scene))}</div>`
  }</div>`
}

/** Small signs under a message. They are shown, but this workspace has nobody who wants to know of them. */
export function contextActionsHtml({ elements }: ContextActions): Html {
  return html`<div class="actions">${elements.map((element) =>
    element.type === 'icon_button'
      ? html`<button type="button" class="button" disabled>${element.text.text}</button>`
      : html`<button type="button" class="button" disabled>${element.positive_button.text.text}</button><button type="button" class="button" disabled>${element.negative_button.text.text}</button>`,
  )}</div>`
}

/** A video by its title and description. */
export function videoHtml(video: Video, scene: Scene): Html {
  return html`<div class="card"><strong>${video.title.text}</strong><div>${textHtml(video.description, scene.reader)}</div>${pictureHtml(video)}</div>`
}
