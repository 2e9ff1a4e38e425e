import { listedElements, withChildren } from './block-tree.ts'
import type { Block } from './blocks.ts'
import type { Problem } from './problems.ts'

/** Block ids are unique in a message or view, action ids in their block, and one element takes the focus. */
export function idProblems(blocks: readonly Block[]): readonly Problem[] {
  const problems: Problem[] = []
  const blockIds = new Set<string>()
  let focused = 0
  for (const { block, pointer } of withChildren(blocks)) {
    if (block.block_id !== undefined) {
      if (blockIds.has(block.block_id)) {
        problems.push({ message: `block_id already exists: ${block.block_id}`, pointer: `${pointer}/block_id` })
      }
      blockIds.add(block.block_id)
    }
    const actionIds = new Set<string>()
    for (const { element, pointer: at } of listedElements(block)) {
      if ('focus_on_load' in element && element.focus_on_load === true) focused += 1
      const id = 'action_id' in element ? element.action_id : undefined
      if (id === undefined) continue
      if (actionIds.has(id)) {
        problems.push({ message: `action_id already exists: ${id}`, pointer: `${pointer}${at}/action_id` })
      }
      actionIds.add(id)
    }
  }
  if (focused > 1) problems.push({ message: 'no more than 1 element may have focus_on_load', pointer: '' })
  return problems
}
