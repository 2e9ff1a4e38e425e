import { blockJson } from './block-json.ts'
import type { Block } from './blocks.ts'
import type { Message } from './message.ts'

/** A message as JSON, or its text alone, with what else is to be said with it. */
export function messageJson(
  { text, blocks, plain }: Pick<Message, 'text'> & Partial<Message>,
  beside: Readonly<Record<string, unknown>> = {},
): string {
  let json = JSON.stringify({ text, ...beside }).slice(0, -1)
  if (blocks !== undefined) json += `,"blocks":${blocksJson(blocks)}`
  if (plain !== undefined) json += `,"plain":${blocksJson(plain)}`
  return `${json}}`
}

/** Put together piece by piece, which copies nothing before the whole is sent. */
function blocksJson(blocks: readonly Block[]): string {
  let json = '['
  for (const block of blocks) json += json === '[' ? blockJson(block) : `,${blockJson(block)}`
  return `${json}]`
}
