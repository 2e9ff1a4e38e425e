import { unreachable } from '../../../shared/errors.ts'
import { listedElements } from '../block-rules/block-tree.ts'
import type { Block, InputBlock } from '../block-rules/blocks.ts'
import { richTextContent } from '../block-rules/rich-text.ts'
import type { TextObject } from '../block-rules/text.ts'
import type { FormValues } from '../form-values.ts'
import type { ShownMessage, ShownView } from '../shown.ts'
import { chartText } from './chart-text.ts'
import { elementText } from './element-text.ts'
import { readableMrkdwn } from './mrkdwn-text.ts'
import { tableText } from './table-text.ts'

const RULE = '─'.repeat(40)
const INDENT = '  '

/** What a form holds and what is said under its inputs, for blocks that are part of a view. */
export interface FormContent {
  readonly values: FormValues
  readonly errors: Readonly<Record<string, string>>
}

/** Blocks as plain text a person can read in a terminal, one block after another. */
export function renderText(blocks: readonly Block[], form?: FormContent): string {
  return blocks.map((block) => blockText(block, form)).join('\n')
}

/** A message as plain text: its blocks, or its text where it has none, and what it is if it is not an ordinary one. */
export function renderMessage(message: ShownMessage): string {
  const body = message.blocks.length > 0 ? renderText(message.blocks) : readableMrkdwn(message.text)
  return [
    ...(message.ephemeral ? ['(only visible to you)'] : []),
    ...(body === '' ? [] : [`${body}${message.edited ? ' (edited)' : ''}`]),
    ...message.files.map((id) => `(file: ${id})`),
  ].join('\n')
}

/** A modal or Home as plain text: title, blocks with what is entered and complained about, and its buttons. */
export function renderView(view: ShownView): string {
  const buttons = [view.close, view.submit].filter((label) => label !== undefined).map((label) => `[${label}]`)
  return [
    ...(view.title === '' ? [] : [`═══ ${view.title} ═══`]),
    renderText(view.blocks, view),
    ...(buttons.length === 0 ? [] : [buttons.join(' ')]),
  ].join('\n')
}

function blockText(block: Block, form: FormContent | undefined): string {
  switch (block.type) {
    case 'header':
      return `# ${block.text.text}`
    case 'divider':
      return RULE
    case 'section':
      return lines([shown(block.text), ...(block.fields ?? []).map(shown), elementsText(block, form)])
    case 'context':
      return block.elements
        .map((element) => (element.type === 'image' ? `(image: ${element.alt_text})` : shown(element)))
        .join(INDENT)
    case 'actions':
      return elementsText(block, form)
    case 'input':
      return inputText(block, form)
    case 'image':
      return lines([shown(block.title), `(image: ${block.alt_text})`])
    case 'rich_text':
      return richTextContent(block)
    case 'markdown':
      return block.text
    case 'table':
      return tableText(block.rows)
    case 'data_table':
      return lines([block.caption, tableText(block.rows)])
    case 'data_visualization':
      return chartText(block.title, block.chart)
    case 'alert':
      return `(${block.level ?? 'default'}) ${shown(block.text)}`
    case 'container':
      return lines([containerTitle(block), indented(renderText(block.child_blocks, form))])
    case 'card':
      return cardText(block, form)
    case 'carousel':
      return block.elements.map((card) => indented(cardText(card, form))).join('\n')
    case 'context_actions':
      return block.elements.map(contextActionText).join(' ')
    case 'file':
      return `(file: ${block.external_id})`
    case 'video':
      return lines([block.title.text, shown(block.description), `(video: ${block.alt_text})`])
    default:
      return unreachable(block)
  }
}

/** Label, entry, hint and complaint; a star marks what must be filled in. */
function inputText(block: InputBlock, form: FormContent | undefined): string {
  const label = `${block.label.text}${block.optional === true ? ' (optional)' : ' *'}`
  const complaint = block.block_id === undefined ? undefined : form?.errors[block.block_id]
  return lines([
    `${label}: ${elementsText(block, form)}`,
    block.hint === undefined ? '' : `${INDENT}${block.hint.text}`,
    complaint === undefined ? '' : `${INDENT}✗ ${complaint}`,
  ])
}

function elementsText(block: Block, form: FormContent | undefined): string {
  return listedElements(block)
    .map(({ element }) => {
      const actionId = 'action_id' in element ? element.action_id : undefined
      return elementText(element, form?.values[block.block_id ?? '']?.[actionId ?? ''])
    })
    .join(' ')
}

function containerTitle(block: Extract<Block, { type: 'container' }>): string {
  const title = block.rich_text_title === undefined ? shown(block.title) : richTextContent(block.rich_text_title)
  return lines([`▾ ${title}`, shown(block.subtitle)])
}

function cardText(card: Extract<Block, { type: 'card' }>, form: FormContent | undefined): string {
  const picture = card.hero_image === undefined ? '' : `(image: ${card.hero_image.alt_text})`
  const words = [card.title, card.subtitle, card.body, card.subtext].map(shown)
  return lines([picture, ...words, elementsText(card, form)])
}

type ContextAction = Extract<Block, { type: 'context_actions' }>['elements'][number]

function contextActionText(element: ContextAction): string {
  if (element.type === 'icon_button') return `[${element.text.text}]`
  return `[${element.positive_button.text.text}] [${element.negative_button.text.text}]`
}

function shown(text: TextObject | undefined): string {
  if (text === undefined) return ''
  return text.type === 'mrkdwn' ? readableMrkdwn(text.text) : text.text
}

function lines(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, INDENT)
}
