import { listedElements, type Block, type BlockType, type Element } from './blocks.ts'
import type { Problem } from './problems.ts'

/** Where blocks are shown. */
export type Surface = 'message' | 'modal' | 'home'

/** Blocks that are not allowed everywhere (docs.slack.dev/reference/block-kit/blocks, 2026-09-14). */
const BLOCK_SURFACES: Partial<Record<BlockType, readonly Surface[]>> = {
  data_table: ['message', 'home'],
  data_visualization: ['message', 'home'],
}

/** Elements that are not allowed everywhere (docs.slack.dev/reference/block-kit/block-elements, 2026-09-14). */
const ELEMENT_SURFACES: Partial<Record<Element['type'], readonly Surface[]>> = {
  number_input: ['modal'],
}

/** Says which blocks and elements may not stand on this surface. Pointers are relative to the list of blocks. */
export function surfaceProblems(blocks: readonly Block[], surface: Surface): readonly Problem[] {
  return blocks.flatMap((block, index) => {
    const pointer = `/${index}`
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
