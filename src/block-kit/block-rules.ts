import { unreachable } from '../shared/errors.ts'
import type { InputBlock, SectionBlock, ViewBlock } from './blocks.ts'
import { chartProblems, dataTableProblems } from './drawing-rules.ts'
import { elementProblems, type AnyElement } from './element-rules.ts'
import {
  ACTIONS_ELEMENTS,
  CONTEXT_ELEMENTS,
  FIELD_CHARACTERS,
  HEADER_CHARACTERS,
  ID_CHARACTERS,
  LABEL_CHARACTERS,
  MESSAGE_CHARACTERS,
  SECTION_FIELDS,
  TEXT_CHARACTERS,
} from './limits.ts'
import { countProblems, optionalTextProblems, repeated, textProblems, unless, type Problem } from './problems.ts'

/** Where blocks are shown. */
export type Surface = 'message' | 'modal' | 'home'

/** Every kind of block the bot sends and where Slack, or our own rule for inputs, allows it. */
const SURFACES: Readonly<Record<string, readonly Surface[]>> = {
  section: ['message', 'modal', 'home'],
  header: ['message', 'modal', 'home'],
  context: ['message', 'modal', 'home'],
  divider: ['message', 'modal', 'home'],
  actions: ['message', 'modal', 'home'],
  rich_text: ['message', 'modal', 'home'],
  data_table: ['message', 'home'],
  data_visualization: ['message', 'home'],
  input: ['modal'],
}

/** What Slack would refuse of these blocks on this surface, one by one and together. */
export function blocksProblems(blocks: readonly ViewBlock[], surface: Surface, limit: number): readonly Problem[] {
  const ids = blocks.map(({ block_id: id }) => id).filter((id) => id !== undefined)
  return [
    ...countProblems(blocks.length, '/blocks', 1, limit),
    ...unless(repeated(ids).size === 0, '/blocks', 'Must not hold a block_id twice.'),
    ...blocks.flatMap((block, index) => blockProblems(block, surface, `/blocks/${index}`)),
  ]
}

/** The elements of a block that a person can use. */
export function elementsOf(block: ViewBlock): readonly AnyElement[] {
  if (block.type === 'actions') return block.elements
  if (block.type === 'input') return [block.element]
  return block.type === 'section' && block.accessory !== undefined ? [block.accessory] : []
}

function blockProblems(block: ViewBlock, surface: Surface, pointer: string): readonly Problem[] {
  return [
    ...unless(
      SURFACES[block.type]?.includes(surface) === true,
      pointer,
      `A block of type ${block.type} has no place in a ${surface}.`,
    ),
    ...optionalTextProblems(block.block_id, `${pointer}/block_id`, ID_CHARACTERS),
    ...ownProblems(block, pointer),
  ]
}

function ownProblems(block: ViewBlock, pointer: string): readonly Problem[] {
  switch (block.type) {
    case 'section':
      return sectionProblems(block, pointer)
    case 'header':
      return textProblems(block.text.text, `${pointer}/text/text`, HEADER_CHARACTERS)
    case 'context':
      return [
        ...countProblems(block.elements.length, `${pointer}/elements`, 1, CONTEXT_ELEMENTS),
        ...block.elements.flatMap(({ text }, index) =>
          textProblems(text, `${pointer}/elements/${index}/text`, TEXT_CHARACTERS),
        ),
      ]
    case 'divider':
      return []
    case 'actions':
      return [
        ...countProblems(block.elements.length, `${pointer}/elements`, 1, ACTIONS_ELEMENTS),
        ...unless(
          repeated(block.elements.map((element) => element.action_id)).size === 0,
          `${pointer}/elements`,
          'Must not hold an action_id twice.',
        ),
        ...block.elements.flatMap((element, index) =>
          elementProblems(element, 'actions', `${pointer}/elements/${index}`),
        ),
      ]
    case 'rich_text':
      return block.elements.flatMap(({ elements }, box) =>
        elements.flatMap(({ text }, run) =>
          textProblems(text, `${pointer}/elements/${box}/elements/${run}/text`, MESSAGE_CHARACTERS),
        ),
      )
    case 'data_table':
      return dataTableProblems(block, pointer)
    case 'data_visualization':
      return chartProblems(block, pointer)
    case 'input':
      return inputProblems(block, pointer)
    default:
      return unreachable(block)
  }
}

function sectionProblems({ text, fields, accessory }: SectionBlock, pointer: string): readonly Problem[] {
  return [
    ...unless(text !== undefined || fields !== undefined, pointer, 'A section needs text or fields.'),
    ...optionalTextProblems(text?.text, `${pointer}/text/text`, TEXT_CHARACTERS),
    ...(fields === undefined ? [] : countProblems(fields.length, `${pointer}/fields`, 1, SECTION_FIELDS)),
    ...(fields ?? []).flatMap((field, index) =>
      textProblems(field.text, `${pointer}/fields/${index}/text`, FIELD_CHARACTERS),
    ),
    ...(accessory === undefined ? [] : elementProblems(accessory, 'section', `${pointer}/accessory`)),
  ]
}

function inputProblems({ label, hint, element }: InputBlock, pointer: string): readonly Problem[] {
  return [
    ...textProblems(label.text, `${pointer}/label/text`, LABEL_CHARACTERS),
    ...optionalTextProblems(hint?.text, `${pointer}/hint/text`, LABEL_CHARACTERS),
    ...elementProblems(element, 'input', `${pointer}/element`),
  ]
}
