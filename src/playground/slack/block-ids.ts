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
  const named = { ...block, block_id: block.block_id ?? newId() }
  switch (named.type) {
    case 'section':
      return named.accessory === undefined ? named : { ...named, accessory: withActionId(named.accessory, newId) }
    case 'input':
      return { ...named, element: withActionId(named.element, newId) }
    case 'actions':
      return { ...named, elements: named.elements.map((element) => withActionId(element, newId)) }
    case 'context':
    case 'data_table':
    case 'data_visualization':
    case 'divider':
    case 'header':
    case 'rich_text':
      return named
    default:
      return unreachable(named)
  }
}

function withActionId<T extends { readonly action_id?: string | undefined }>(element: T, newId: () => string): T {
  return { ...element, action_id: element.action_id ?? newId() }
}
