import { hidesSomething, isEveryday } from '../shared/untrusted.ts'
import { charactersOf, tableCharactersOf } from './block-characters.ts'
import { blockJson } from './block-json.ts'
import { blocksProblems, elementsOf } from './block-rules.ts'
import type { Block, ModalView, View, ViewBlock } from './blocks.ts'
import {
  ID_CHARACTERS,
  MESSAGE_BLOCKS,
  MESSAGE_CHARACTERS,
  MESSAGE_CHARTS,
  PRIVATE_METADATA_CHARACTERS,
  TABLE_CHARACTERS,
  TWIN_BYTES,
  VIEW_BLOCKS,
  VIEW_BYTES,
  VIEW_FOCUSED_ELEMENTS,
  VIEW_TITLE_CHARACTERS,
} from './limits.ts'
import { isWithoutMarkup, markupProblems, plainWordsProblems } from './markup-rules.ts'
import type { Message } from './message.ts'
import { optionalTextProblems, textProblems, unless, type Problem } from './problems.ts'

/** Everything Slack would refuse of a message, in both of its forms; nothing when it may be sent. */
export function messageProblems({ text, blocks, plain }: Message): readonly Problem[] {
  return [
    ...textProblems(text, '/text', TWIN_BYTES),
    ...unless(Buffer.byteLength(text) <= TWIN_BYTES, '/text', `Must have at most ${TWIN_BYTES} bytes.`),
    ...plainWordsProblems(text, '/text'),
    ...formProblems(blocks),
    ...formProblems(plain ?? []).map(({ pointer, sentence }) => ({ pointer: `/plain${pointer}`, sentence })),
    ...(hidesSomething(text) || ![...blocks, ...(plain ?? [])].every((block) => isSurelyClean(blockJson(block)))
      ? strayProblems({ text, blocks, plain })
      : []),
  ]
}

/** Everything Slack would refuse of a modal or a Home page; nothing when it may be sent. */
export function viewProblems(view: View): readonly Problem[] {
  const json = JSON.stringify(view)
  const bytes = Buffer.byteLength(json)
  const focused = view.blocks.flatMap(elementsOf).filter((element) => 'focus_on_load' in element)
  return [
    ...blocksProblems(view.blocks, view.type, VIEW_BLOCKS),
    ...unless(bytes <= VIEW_BYTES, '', `Must have at most ${VIEW_BYTES} bytes, not ${bytes}.`),
    ...unless(focused.length <= VIEW_FOCUSED_ELEMENTS, '/blocks', 'Only one element may have the focus.'),
    ...(view.type === 'modal' ? modalProblems(view) : []),
    ...drawingProblems(view.blocks),
    ...(isSurelyClean(json) ? [] : strayProblems(view)),
  ]
}

function formProblems(blocks: readonly Block[]): readonly Problem[] {
  if (blocks.length === 0) return []
  const characters = blocks.reduce((sum, block) => sum + charactersOf(block), 0)
  return [
    ...blocksProblems(blocks, 'message', MESSAGE_BLOCKS),
    ...unless(
      characters <= MESSAGE_CHARACTERS,
      '/blocks',
      `Must have at most ${MESSAGE_CHARACTERS} characters in all, not ${characters}.`,
    ),
    ...drawingProblems(blocks),
  ]
}

function drawingProblems(blocks: readonly ViewBlock[]): readonly Problem[] {
  const charts = blocks.filter(({ type }) => type === 'data_visualization').length
  const characters = blocks.reduce((sum, block) => sum + tableCharactersOf(block), 0)
  return [
    ...unless(charts <= MESSAGE_CHARTS, '/blocks', `Must have at most ${MESSAGE_CHARTS} charts, not ${charts}.`),
    ...unless(
      characters <= TABLE_CHARACTERS,
      '/blocks',
      `Data tables must have at most ${TABLE_CHARACTERS} characters together, not ${characters}.`,
    ),
  ]
}

function modalProblems(view: ModalView): readonly Problem[] {
  const hasInputs = view.blocks.some(({ type }) => type === 'input')
  return [
    ...textProblems(view.callback_id, '/callback_id', ID_CHARACTERS),
    ...textProblems(view.title.text, '/title/text', VIEW_TITLE_CHARACTERS),
    ...optionalTextProblems(view.submit?.text, '/submit/text', VIEW_TITLE_CHARACTERS),
    ...optionalTextProblems(view.close?.text, '/close/text', VIEW_TITLE_CHARACTERS),
    ...optionalTextProblems(view.private_metadata, '/private_metadata', PRIVATE_METADATA_CHARACTERS),
    ...optionalTextProblems(view.external_id, '/external_id', ID_CHARACTERS),
    ...unless(!hasInputs || view.submit !== undefined, '/submit', 'A modal with inputs needs a submit button.'),
  ]
}

/** Whether there is surely nothing that `strayProblems` would name. What is not sure is looked at string by string. */
function isSurelyClean(json: string): boolean {
  return isEveryday(json) && !ESCAPED.test(json) && isWithoutMarkup(json)
}

/** What JSON writes with a backslash besides quotes, backslashes, line feeds and tabs: characters that cannot be seen. */
const ESCAPED = /\\[^nt"\\]/

/** What came around the builders: what `visible()` would spell out, and markup that is not ours. */
function strayProblems(value: unknown, pointer = ''): readonly Problem[] {
  if (typeof value === 'string') {
    return unless(!hidesSomething(value), pointer, 'Must not hold a hidden character.')
  }
  if (typeof value !== 'object' || value === null) return []
  const markup = 'type' in value && value.type === 'mrkdwn' && 'text' in value ? String(value.text) : ''
  return [
    ...markupProblems(markup, `${pointer}/text`),
    ...Object.entries(value).flatMap(([key, part]) => strayProblems(part, `${pointer}/${key}`)),
  ]
}
