import * as z from 'zod'
import { unreachable } from '../../../shared/errors.ts'
import { dataVisualization } from './charts.ts'
import {
  button,
  checkboxes,
  externalSelect,
  multiStaticSelect,
  numberInput,
  plainTextInput,
  radioButtons,
  staticSelect,
} from './elements.ts'
import { LIMITS } from './limits.ts'
import { dataTable } from './tables.ts'
import { anyText, blockId, plainText } from './text.ts'

const actionElement = z.discriminatedUnion('type', [button, staticSelect, externalSelect])
const inputElement = z.discriminatedUnion('type', [
  plainTextInput,
  numberInput,
  staticSelect,
  multiStaticSelect,
  externalSelect,
  checkboxes,
  radioButtons,
])

/** What may stand in an input block. */
export type InputElement = z.infer<typeof inputElement>
/** Whatever a person can act on. */
export type Element = z.infer<typeof actionElement> | InputElement

const section = z
  .strictObject({
    type: z.literal('section'),
    block_id: blockId,
    text: anyText(LIMITS.section.text).optional(),
    fields: z.array(anyText(LIMITS.section.field)).min(1).max(LIMITS.section.fields).optional(),
    accessory: actionElement.optional(),
    expand: z.boolean().optional(),
  })
  .refine((block) => block.text !== undefined || block.fields !== undefined, { error: 'missing required field: text' })

const actions = z.strictObject({
  type: z.literal('actions'),
  block_id: blockId,
  elements: z.array(actionElement).min(1).max(LIMITS.actionsElements),
})

const input = z.strictObject({
  type: z.literal('input'),
  block_id: blockId,
  label: plainText(LIMITS.input.label),
  hint: plainText(LIMITS.input.hint).optional(),
  element: inputElement,
  dispatch_action: z.boolean().optional(),
  optional: z.boolean().optional(),
})

const header = z.strictObject({ type: z.literal('header'), block_id: blockId, text: plainText(LIMITS.header) })

const context = z.strictObject({
  type: z.literal('context'),
  block_id: blockId,
  elements: z.array(anyText(LIMITS.text)).min(1).max(LIMITS.contextElements),
})

const divider = z.strictObject({ type: z.literal('divider'), block_id: blockId })

const run = z.strictObject({ type: z.literal('text'), text: z.string().min(1) })

// Unions of one: an unknown type is then refused by its name.
const preformatted = z.strictObject({
  type: z.literal('rich_text_preformatted'),
  elements: z.array(z.discriminatedUnion('type', [run])),
})

const richText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: blockId,
  elements: z.array(z.discriminatedUnion('type', [preformatted])).min(1),
})

/**
 * Every block this emulator knows, wherever it may stand: those that the bot sends, and no other of Slack's.
 * `surfaces.ts` says where each may stand.
 */
export const block = z.discriminatedUnion('type', [
  actions,
  context,
  dataTable,
  dataVisualization,
  divider,
  header,
  input,
  richText,
  section,
])

/** A block that was checked. */
export type Block = z.infer<typeof block>
/** The names of the blocks. */
export type BlockType = Block['type']
/** The block that forms are made of. */
export type InputBlock = z.infer<typeof input>
/** Text in a fixed-width box. */
export type RichText = z.infer<typeof richText>

/** The elements of a block that a person can act on, each with its place inside the block. */
export function listedElements(given: Block): readonly { readonly element: Element; readonly pointer: string }[] {
  switch (given.type) {
    case 'section':
      return given.accessory === undefined ? [] : [{ element: given.accessory, pointer: '/accessory' }]
    case 'input':
      return [{ element: given.element, pointer: '/element' }]
    case 'actions':
      return given.elements.map((element, index) => ({ element, pointer: `/elements/${index}` }))
    case 'context':
    case 'data_table':
    case 'data_visualization':
    case 'divider':
    case 'header':
    case 'rich_text':
      return []
    default:
      return unreachable(given)
  }
}

/** The text of a box as it stands there. */
export function richTextContent({ elements }: RichText): string {
  return elements.map((part) => part.elements.map(({ text }) => text).join('')).join('\n')
}
