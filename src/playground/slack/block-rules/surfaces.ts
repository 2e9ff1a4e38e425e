import { listedElements, withChildren } from './block-tree.ts'
import type { Block, BlockType, Element } from './blocks.ts'
import type { Problem } from './problems.ts'

/** Where blocks are shown. */
export type Surface = 'message' | 'modal' | 'home'

/** Blocks that are not allowed everywhere (docs.slack.dev/reference/block-kit/blocks, 2026-09-14). */
const BLOCK_SURFACES: Partial<Record<BlockType, readonly Surface[]>> = {
  alert: ['modal'],
  container: ['message', 'home'],
  data_table: ['message', 'home'],
  data_visualization: ['message', 'home'],
  table: ['message', 'home'],
  markdown: ['message'],
  context_actions: ['message'],
  file: ['message'],
  carousel: ['message'],
}

/** Elements that are not allowed everywhere (docs.slack.dev/reference/block-kit/block-elements, 2026-09-14). */
const ELEMENT_SURFACES: Partial<Record<Element['type'], readonly Surface[]>> = {
  number_input: ['modal'],
  email_text_input: ['modal'],
  url_text_input: ['modal'],
  file_input: ['modal'],
  datetimepicker: ['modal', 'message'],
  rich_text_input: ['modal', 'home'],
  workflow_button: ['message'],
}

/** Says which blocks and elements may not stand on this surface. Pointers are relative to the list of blocks. */
export function surfaceProblems(blocks: readonly Block[], surface: Surface): readonly Problem[] {
  return withChildren(blocks).flatMap(({ block, pointer }) => {
    if (BLOCK_SURFACES[block.type]?.includes(surface) === false) {
      return [{ message: `unsupported type: ${block.type}`, pointer: `${pointer}/type` }]
    }
    return listedElements(block)
      .filter(({ element }) => ELEMENT_SURFACES[element.type]?.includes(surface) === false)
      .map(({ element, pointer: at }) => ({
        message: `unsupported type: ${element.type}`,
        pointer: `${pointer}${at}/type`,
      }))
  })
}
