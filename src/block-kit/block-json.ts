import type { Block } from './blocks.ts'

const MADE = new WeakMap<Block, string>()

/**
 * A block as JSON. It is measured, looked through, kept for a button and sent as that, so it is made once: nothing changes a
 * block that there is.
 */
export function blockJson(block: Block): string {
  const made = MADE.get(block)
  if (made !== undefined) return made
  const json = JSON.stringify(block)
  MADE.set(block, json)
  return json
}
