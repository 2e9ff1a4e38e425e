import { unreachable } from '../../../shared/errors.ts'
import type { Block, Element } from './blocks.ts'

interface Placed<T> {
  /** A JSON pointer from the list of blocks, such as `/0/child_blocks/2`. */
  readonly pointer: string
  readonly block: T
}

/** The blocks of a list and those inside its containers, each with its place. */
export function withChildren(blocks: readonly Block[]): readonly Placed<Block>[] {
  return blocks.flatMap((block, index) => {
    const pointer = `/${index}`
    const children = block.type === 'container' ? block.child_blocks : []
    return [
      { block, pointer },
      ...children.map((child, at) => ({ block: child, pointer: `${pointer}/child_blocks/${at}` })),
    ]
  })
}

/** The elements of a block that a person can act on, each with its place inside the block. */
export function listedElements(block: Block): readonly { readonly element: Element; readonly pointer: string }[] {
  switch (block.type) {
    case 'section':
      return block.accessory === undefined ? [] : [{ element: block.accessory, pointer: '/accessory' }]
    case 'input':
      return [{ element: block.element, pointer: '/element' }]
    case 'actions':
      return block.elements.map((element, index) => ({ element, pointer: `/elements/${index}` }))
    case 'card':
      return (block.actions ?? []).map((element, index) => ({ element, pointer: `/actions/${index}` }))
    case 'carousel':
      return block.elements.flatMap((card, index) =>
        (card.actions ?? []).map((element, at) => ({ element, pointer: `/elements/${index}/actions/${at}` })),
      )
    case 'alert':
    case 'container':
    case 'context':
    case 'context_actions':
    case 'data_table':
    case 'data_visualization':
    case 'divider':
    case 'file':
    case 'header':
    case 'image':
    case 'markdown':
    case 'rich_text':
    case 'table':
    case 'video':
      return []
    default:
      return unreachable(block)
  }
}
