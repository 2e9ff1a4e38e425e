import { unreachable } from '../../shared/errors.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Block } from './block-rules/blocks.ts'

const ID_LENGTH = 5

/** Gives every block and every element that has no id a made-up one, as Slack does, and leaves all else alone. */
export function withIds(blocks: readonly Block[], clock: Clock): readonly Block[] {
  const newId = () => clock.newId().slice(0, ID_LENGTH)
  return blocks.map((block) => filled(block, newId))
}

function filled(block: Block, newId: () => string): Block {
  // Spreading a union member and writing the same fields back keeps its type, which the compiler cannot follow.
  const named = { ...block, block_id: block.block_id ?? newId() } as Block
  switch (named.type) {
    case 'section':
      return named.accessory === undefined ? named : { ...named, accessory: withActionId(named.accessory, newId) }
    case 'input':
      return { ...named, element: withActionId(named.element, newId) }
    case 'actions':
      return { ...named, elements: named.elements.map((element) => withActionId(element, newId)) }
    case 'card':
      return named.actions === undefined
        ? named
        : { ...named, actions: named.actions.map((element) => withActionId(element, newId)) }
    case 'carousel':
      return {
        ...named,
        elements: named.elements.map((card) => ({
          ...card,
          ...(card.actions === undefined
            ? {}
            : { actions: card.actions.map((element) => withActionId(element, newId)) }),
        })),
      }
    case 'container':
      return {
        ...named,
        // A child block stays the kind of block it was.
        child_blocks: named.child_blocks.map((child) => filled(child, newId)) as typeof named.child_blocks,
      }
    case 'alert':
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
      return named
    default:
      return unreachable(named)
  }
}

/** Pictures are elements too, but nobody can act on them. */
function withActionId<T extends { readonly type: string; readonly action_id?: string | undefined } | { type: 'image' }>(
  element: T,
  newId: () => string,
): T {
  if (element.type === 'image') return element
  const given = 'action_id' in element ? element.action_id : undefined
  return { ...element, action_id: given ?? newId() }
}
