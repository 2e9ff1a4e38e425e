import { listedElements, type Block } from './blocks.ts'
import type { Problem } from './problems.ts'

/** Block ids are unique in a message or view, action ids in their block. */
export function idProblems(blocks: readonly Block[]): readonly Problem[] {
  const problems: Problem[] = []
  const blockIds = new Set<string>()
  for (const [index, block] of blocks.entries()) {
    const pointer = `/${index}`
    if (block.block_id !== undefined) {
      if (blockIds.has(block.block_id)) {
        problems.push({ message: `block_id already exists: ${block.block_id}`, pointer: `${pointer}/block_id` })
      }
      blockIds.add(block.block_id)
    }
    const actionIds = new Set<string>()
    for (const { element, pointer: at } of listedElements(block)) {
      const id = element.action_id
      if (id === undefined) continue
      if (actionIds.has(id)) {
        problems.push({ message: `action_id already exists: ${id}`, pointer: `${pointer}${at}/action_id` })
      }
      actionIds.add(id)
    }
  }
  return problems
}
