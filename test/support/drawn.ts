import type { Message } from '../../src/block-kit/message.ts'

/** What a person sees of a message, block by block: markup, small print after a `~`, and buttons in brackets. */
export function drawn({ blocks }: Pick<Message, 'blocks'>): readonly string[] {
  return blocks.flatMap((block) => {
    switch (block.type) {
      case 'header':
        return [`# ${block.text.text}`]
      case 'section':
        return [block.text, ...(block.fields ?? [])].flatMap((each) => (each === undefined ? [] : [each.text]))
      case 'context':
        return [`~ ${block.elements.map((each) => each.text).join(' | ')}`]
      case 'actions':
        return [block.elements.map((each) => ('text' in each ? `[${each.text.text}]` : '…')).join(' ')]
      default:
        return [block.type]
    }
  })
}
