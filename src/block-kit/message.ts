import { type Untrusted, visible } from '../shared/untrusted.ts'
import type { Block, DataVisualizationBlock, ViewBlock } from './blocks.ts'
import { chartText } from './chart.ts'
import { MESSAGE_BLOCKS, MESSAGE_CHARACTERS, MESSAGE_CHARTS, TABLE_CHARACTERS, TWIN_BYTES } from './limits.ts'
import { renderPieces } from './mrkdwn-pieces.ts'
import { joinMd, md, type Mrkdwn, plainOf } from './mrkdwn.ts'
import { NOTHING } from './plain-text.ts'
import { bullets, context, type Fact, facts, firstLines, header, section } from './sections.ts'
import { fitTable, type Table, tableBox, tableText } from './table.ts'

/** What is sent to Slack, as a message or as an answer to a command. Everything in it is escaped and within limits. */
export interface Message {
  /** What a notification shows and a screen reader reads, so never empty. At most 4,000 bytes. */
  readonly text: string
  readonly blocks: readonly Block[]
}

const NOTE_CHARACTERS = 100

/**
 * A message from its twin, which may hold foreign text as it is, and its blocks. Longer text is cut, further blocks,
 * charts and table rows are left out, and the message says so.
 */
export function message({ text, blocks }: { readonly text: Untrusted; readonly blocks: readonly Block[] }): Message {
  return { text: twinOf(text), blocks: fitMessage(blocks) }
}

/** Part of a message: what is drawn, and the lines that stand for it in the text. */
export interface Part {
  readonly blocks: readonly Block[]
  readonly lines: readonly string[]
  /** Read after the lines of all parts. */
  readonly last?: readonly string[]
}

export function messageOf(...parts: readonly Part[]): Message {
  const lines = [...parts.flatMap((part) => part.lines), ...parts.flatMap(({ last = [] }) => last)]
  return message({ text: lines.join('\n'), blocks: parts.flatMap(({ blocks }) => blocks) })
}

export function heading(text: Untrusted): Part {
  return { blocks: [header(text)], lines: [text] }
}

/** A line of a message, or a condition that did not hold. */
type Line = Mrkdwn | false | undefined

function isSaid(line: Line): line is Mrkdwn {
  return line !== false && line !== undefined
}

export function paragraphs(...lines: readonly Line[]): Part {
  const said = lines.filter(isSaid)
  return { blocks: said.map((line) => section(line)), lines: said.map(plainOf) }
}

export function smallPrint(...lines: readonly Line[]): Part {
  const said = lines.filter(isSaid)
  return { blocks: said.map((line) => context(line)), lines: said.map(plainOf) }
}

/** Labels and values; a row without a value is left out. */
export function factList(rows: readonly Fact[]): Part {
  const lines = rows.flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${plainOf(md`${value}`)}`]))
  return { blocks: facts(rows), lines }
}

/** A list with bullets; an empty one is nothing, title included. The title is one of ours, never foreign text. */
export function titledList(title: string, items: readonly Mrkdwn[], most = items.length): Part {
  if (items.length === 0) return { blocks: [], lines: [] }
  const shown = firstLines(items, most)
  return {
    blocks: [section(md`*${title}*`), bullets(shown)],
    lines: [`${title}:`, ...shown.map((item) => `- ${plainOf(item)}`)],
  }
}

/** A table, and how many of its rows found room in it. Of the text it takes the first `maxRows`. */
export function tablePart(table: Table, maxRows?: number): Part & Pick<ReturnType<typeof fitTable>, 'kept' | 'total'> {
  const { block, kept, total } = fitTable(table)
  return { blocks: [block], lines: [tableText(table, maxRows)], kept, total }
}

export function chartPart(chart: DataVisualizationBlock | undefined): Part {
  return chart === undefined ? { blocks: [], lines: [] } : { blocks: [chart], lines: [chartText(chart)] }
}

/** What is long, and says less than what stands around it. */
export function readLast({ blocks, lines }: Part): Part {
  return { blocks, lines: [], last: lines }
}

interface WordsBelow {
  readonly list?: readonly Line[]
  readonly small?: readonly Line[]
}

/** A message of words alone: paragraphs, a list with bullets, small print. */
export function wordsMessage(lead: readonly Mrkdwn[], { list = [], small = [] }: WordsBelow = {}): Message {
  const items = list.filter(isSaid)
  const bulleted = { blocks: items.length === 0 ? [] : [bullets(items)], lines: items.map(plainOf) }
  return messageOf(paragraphs(...lead), bulleted, smallPrint(...small))
}

/** Blocks that a workspace may refuse, and that no form takes. */
const DRAWINGS = { chart: 'data_visualization', table: 'data_table' } as const
export type Drawing = keyof typeof DRAWINGS
const ALL_DRAWINGS: readonly Drawing[] = ['chart', 'table']

export function drawingOf(block: ViewBlock | undefined): Drawing | undefined {
  return ALL_DRAWINGS.find((drawing) => DRAWINGS[drawing] === block?.type)
}

export function drawingsIn({ blocks }: Message): readonly Drawing[] {
  return ALL_DRAWINGS.filter((drawing) => blocks.some((block) => drawingOf(block) === drawing))
}

/** The blocks of a message with only these drawings; the others in words. */
export function formWith({ blocks }: Message, drawings: readonly Drawing[]): readonly Block[] {
  const others = ALL_DRAWINGS.filter((drawing) => !drawings.includes(drawing))
  const isRefused = blocks.some((block) => others.some((drawing) => drawing === drawingOf(block)))
  return isRefused ? fitMessage(plainForm(blocks, others)) : blocks
}

export function withBlocks({ text, blocks }: Message, ...more: readonly Block[]): Message {
  return { text, blocks: fitMessage([...blocks, ...more]) }
}

/** What is sent of a message, with a last line that other parts make room for. */
export function withFooter<Form extends { readonly text: string; readonly blocks?: readonly Block[] }>(
  form: Form,
  footer: Mrkdwn,
): Form {
  const text = `${form.text}\n${plainOf(footer)}`
  const block = context(footer)
  const [most, characters] = [MESSAGE_BLOCKS - 1, MESSAGE_CHARACTERS - charactersOf(block)]
  return {
    ...form,
    ...(Buffer.byteLength(text) <= TWIN_BYTES && { text }),
    // Without blocks Slack shows the text, which it would not beside a block.
    ...(form.blocks !== undefined && { blocks: [...keepFitting(form.blocks, most, characters), block] }),
  }
}

/** Words as Slack shows them, whatever stands in them: visible, escaped, never empty, at most 4,000 bytes; cut with …. */
export function twinOf(text: Untrusted): string {
  const shown = visible(text, Number.POSITIVE_INFINITY).trim()
  const pieces = [{ kind: 'foreign', text: shown === '' ? NOTHING : shown }] as const
  let limit = TWIN_BYTES
  let twin = renderPieces(pieces, limit)
  // What takes several bytes makes it too long: so much less is rendered then.
  for (let bytes = Buffer.byteLength(twin); bytes > TWIN_BYTES; bytes = Buffer.byteLength(twin)) {
    limit = Math.floor((limit * TWIN_BYTES) / bytes) - 1
    twin = renderPieces(pieces, limit)
  }
  return twin
}

/**
 * Blocks within what one message takes: 50 blocks, 10,000 characters, 10,000 characters of tables, two charts. The first
 * blocks that fit are kept, rows of buttons before all others, and a last line says how many parts are missing.
 */
function fitMessage(blocks: readonly Block[]): readonly Block[] {
  const kept = keepFitting(blocks, MESSAGE_BLOCKS, MESSAGE_CHARACTERS)
  if (kept.length === blocks.length) return blocks
  const room = keepFitting(blocks, MESSAGE_BLOCKS - 1, MESSAGE_CHARACTERS - NOTE_CHARACTERS)
  const missing = blocks.length - room.length
  return [...room, context(md`${missing} more ${missing === 1 ? 'part' : 'parts'} of this message did not fit.`)]
}

function keepFitting(blocks: readonly Block[], maxBlocks: number, maxCharacters: number): readonly Block[] {
  const kept = new Set<number>()
  let characters = maxCharacters
  let tableCharacters = TABLE_CHARACTERS
  let charts = MESSAGE_CHARTS
  // Buttons go first: a message that lost them could no longer be answered.
  const rank = ({ type }: Block): number => (type === 'actions' ? 0 : 1)
  for (const [place, block] of [...blocks.entries()].toSorted(([, one], [, other]) => rank(one) - rank(other))) {
    const [own, ofTables, chart] = [charactersOf(block), tableCharactersOf(block), drawingOf(block) === 'chart' ? 1 : 0]
    if (kept.size >= maxBlocks || own > characters || ofTables > tableCharacters || chart > charts) continue
    characters -= own
    tableCharacters -= ofTables
    charts -= chart
    kept.add(place)
  }
  return blocks.filter((_, place) => kept.has(place))
}

/** The same blocks with every data table as fixed-width text and every chart as its numbers, or only one of both. */
export function plainForm<B extends ViewBlock>(blocks: readonly B[], drawings = ALL_DRAWINGS): readonly (B | Block)[] {
  return blocks.flatMap((block): readonly (B | Block)[] => {
    if (block.type === 'data_table' && drawings.includes('table'))
      return [section(md`*${block.caption}*`), tableBox(block)]
    if (block.type === 'data_visualization' && drawings.includes('chart'))
      return [section(joinMd([md`*${block.title}*`, chartText(block)], '\n'))]
    return [block]
  })
}

/** How much of a message's 10,000 characters a block takes. Cells of data tables have a budget of their own. */
function charactersOf(block: Block): number {
  if (block.type === 'data_table') return 0
  // Slack does not say how it counts a chart: as JSON it is surely no less than its text.
  return block.type === 'data_visualization' ? JSON.stringify(block).length : textCharacters(block)
}

/** How much of the 10,000 characters for tables a block takes: all its cells and its caption. */
function tableCharactersOf(block: Block): number {
  if (block.type !== 'data_table') return 0
  return block.rows.flat().reduce((sum, { text }) => sum + text.length, block.caption.length)
}

/** The length of every `text` that stands somewhere in it. */
function textCharacters(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0
  let sum = 'text' in part && typeof part.text === 'string' ? part.text.length : 0
  for (const key in part) sum += textCharacters(part[key as keyof typeof part])
  return sum
}
