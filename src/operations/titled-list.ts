import type { Block } from '../block-kit/blocks.ts'
import { md, type Mrkdwn, plainOf } from '../block-kit/mrkdwn.ts'
import { bullets, section } from '../block-kit/sections.ts'

/** A list under a title, as blocks and as lines of the text twin; an empty list is nothing, title included. */
export interface TitledList {
  readonly blocks: readonly Block[]
  readonly lines: readonly string[]
}

/** The list with a bullet for each item; its title is one of ours, never foreign text. */
export function titledList(title: string, items: readonly Mrkdwn[]): TitledList {
  if (items.length === 0) return { blocks: [], lines: [] }
  return {
    blocks: [section(md`*${title}*`), bullets(items)],
    lines: [`${title}:`, ...items.map((item) => `- ${plainOf(item)}`)],
  }
}
