import { unreachable } from '../../../shared/errors.ts'
import type { Block } from '../../slack/block-rules/blocks.ts'
import { chartHtml } from '../chart/chart.ts'
import { html, type Html } from '../html.ts'
import { mrkdwn } from '../mrkdwn.ts'
import type { Scene } from '../reader.ts'
import { richTextHtml } from '../rich-text.ts'
import { cardHtml, contextActionsHtml, videoHtml } from './cards.ts'
import { dataTableHtml } from './data-table.ts'
import { elementHtml } from './element.ts'
import { inputBlockHtml } from './input-block.ts'
import { pictureHtml } from './picture.ts'
import { plainTableHtml } from './plain-table.ts'
import { textHtml } from './text.ts'

type Of<Type extends Block['type']> = Extract<Block, { type: Type }>

/** Blocks as they are shown in a message, a modal or on Home. */
export function blocksHtml(blocks: readonly Block[], scene: Scene): Html {
  return html`<div class="blocks">${blocks.map((block) => blockHtml(block, scene))}</div>`
}

function blockHtml(block: Block, scene: Scene): Html {
  const { reader, key } = scene
  switch (block.type) {
    case 'section':
      return sectionHtml(block, scene)
    case 'header':
      return html`<h2 class="header-block">${textHtml(block.text, reader)}</h2>`
    case 'divider':
      return html`<hr>`
    case 'context':
      return contextHtml(block, scene)
    case 'actions':
      return html`<div class="actions">${block.elements.map((element) => elementHtml(element, block, scene))}</div>`
    case 'input':
      return inputBlockHtml(block, scene)
    case 'image':
      return html`<figure class="image"><figcaption>${textHtml(block.title, reader)}</figcaption>${pictureHtml(block)}</figure>`
    case 'rich_text':
      return richTextHtml(block, reader)
    case 'markdown':
      return html`<div class="section">${mrkdwn(block.text, reader)}</div>`
    case 'table':
      return plainTableHtml(block, reader)
    case 'data_table':
      return dataTableHtml(block, key, reader)
    case 'data_visualization':
      return chartHtml(block, key)
    case 'alert':
      return html`<div class="alert alert-${block.level ?? 'default'}" role="note">${textHtml(block.text, reader)}</div>`
    case 'container':
      return containerHtml(block, scene)
    case 'card':
      return cardHtml(block, scene)
    case 'carousel':
      return html`<div class="carousel" tabindex="0" role="group" aria-label="Cards">${block.elements.map((card) => cardHtml(card, scene))}</div>`
    case 'context_actions':
      return contextActionsHtml(block)
    case 'file':
      return html`<div class="quiet">📄 ${block.external_id}</div>`
    case 'video':
      return videoHtml(block, scene)
    default:
      return unreachable(block)
  }
}

function sectionHtml(block: Of<'section'>, scene: Scene): Html {
  const { text, fields = [], accessory } = block
  const { reader } = scene
  return html`<div class="section">${text === undefined && fields.length === 0 ? '' : html`<div class="section-text">${textHtml(text, reader)}${fields.length === 0 ? '' : html`<div class="fields">${fields.map((field) => html`<div>${textHtml(field, reader)}</div>`)}</div>`}</div>`}${accessory === undefined ? '' : html`<div class="accessory">${elementHtml(accessory, block, scene)}</div>`}</div>`
}

function contextHtml({ elements }: Of<'context'>, { reader }: Scene): Html {
  return html`<div class="context">${elements.map((element) =>
    element.type === 'image' ? pictureHtml(element) : html`<span>${textHtml(element, reader)}</span>`,
  )}</div>`
}

function containerHtml(block: Of<'container'>, scene: Scene): Html {
  const title =
    block.rich_text_title === undefined
      ? textHtml(block.title, scene.reader)
      : richTextHtml(block.rich_text_title, scene.reader)
  const head = html`<strong>${title}</strong><div class="quiet">${textHtml(block.subtitle, scene.reader)}</div>`
  const inner = blocksHtml(block.child_blocks, scene)
  if (block.is_collapsible !== true) return html`<section class="container">${head}${inner}</section>`
  const open = block.default_collapsed === true ? '' : html` open`
  return html`<details class="container"${open}><summary>${head}</summary>${inner}</details>`
}
