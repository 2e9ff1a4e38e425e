import { unreachable } from '../shared/errors.ts'
import { blockJson } from './block-json.ts'
import type { Block, ViewBlock } from './blocks.ts'
import type { ActionElement, Option } from './elements.ts'

/** How much of a message's 10,000 characters a block takes. Cells of data tables have a budget of their own. */
export function charactersOf(block: Block): number {
  switch (block.type) {
    case 'section':
      return (
        sum([block.text, ...(block.fields ?? [])]) + (block.accessory === undefined ? 0 : ofElement(block.accessory))
      )
    case 'header':
      return block.text.text.length
    case 'context':
      return sum(block.elements)
    case 'divider':
      return 0
    case 'actions':
      return block.elements.reduce((total, element) => total + ofElement(element), 0)
    case 'rich_text':
      return block.elements.reduce((total, { elements }) => total + sum(elements), 0)
    case 'data_table':
      return 0
    case 'data_visualization':
      // Slack does not say how it counts a chart: as JSON it is surely no less than its text.
      return blockJson(block).length
    default:
      return unreachable(block)
  }
}

/** How much of the 20,000 characters for tables a block takes: all its cells and its caption. */
export function tableCharactersOf(block: ViewBlock): number {
  if (block.type !== 'data_table') return 0
  return block.caption.length + block.rows.reduce((total, row) => total + sum(row), 0)
}

function ofElement(element: ActionElement): number {
  switch (element.type) {
    case 'button':
      return element.text.text.length
    case 'static_select':
      return sum([element.placeholder]) + element.options.reduce((total, option) => total + ofOption(option), 0)
    case 'external_select':
      return sum([element.placeholder])
    default:
      return unreachable(element)
  }
}

function ofOption({ text, description }: Option): number {
  return sum([text, description])
}

function sum(texts: readonly ({ readonly text: string } | undefined)[]): number {
  let characters = 0
  for (const part of texts) characters += part?.text.length ?? 0
  return characters
}
