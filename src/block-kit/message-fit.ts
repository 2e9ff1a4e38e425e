import { charactersOf, tableCharactersOf } from './block-characters.ts'
import type { Block } from './blocks.ts'
import { MESSAGE_BLOCKS, MESSAGE_CHARACTERS, MESSAGE_CHARTS, TABLE_CHARACTERS } from './limits.ts'
import { md } from './mrkdwn.ts'
import { plainForm } from './plain-form.ts'
import { context } from './sections.ts'

/** Room for the block that says what was left out. */
const NOTE_CHARACTERS = 100

/**
 * Blocks within what one message takes: 50 blocks, 10,000 characters, 20,000 characters of tables, two charts. Charts
 * after the second become their numbers. The first blocks that fit are kept, rows of buttons before all others,
 * and a last line says how many parts are missing.
 */
export function fitMessage(blocks: readonly Block[]): readonly Block[] {
  if (fitsAsItIs(blocks)) return blocks
  const drawn = firstCharts(blocks)
  const kept = keepFitting(drawn, MESSAGE_BLOCKS, MESSAGE_CHARACTERS)
  if (kept.length === drawn.length) return drawn
  const room = keepFitting(drawn, MESSAGE_BLOCKS - 1, MESSAGE_CHARACTERS - NOTE_CHARACTERS)
  const missing = drawn.length - room.length
  return [...room, context(md`${missing} more ${missing === 1 ? 'part' : 'parts'} of this message did not fit.`)]
}

function fitsAsItIs(blocks: readonly Block[]): boolean {
  let [charts, characters, tableCharacters] = [0, 0, 0]
  for (const block of blocks) {
    if (block.type === 'data_visualization') charts += 1
    characters += charactersOf(block)
    tableCharacters += tableCharactersOf(block)
  }
  return (
    blocks.length <= MESSAGE_BLOCKS &&
    charts <= MESSAGE_CHARTS &&
    characters <= MESSAGE_CHARACTERS &&
    tableCharacters <= TABLE_CHARACTERS
  )
}

function firstCharts(blocks: readonly Block[]): readonly Block[] {
  let charts = 0
  return blocks.flatMap((block) => {
    if (block.type !== 'data_visualization') return [block]
    charts += 1
    return charts <= MESSAGE_CHARTS ? [block] : plainForm([block])
  })
}

function keepFitting(blocks: readonly Block[], maxBlocks: number, maxCharacters: number): readonly Block[] {
  const kept = new Set<number>()
  let characters = maxCharacters
  let tableCharacters = TABLE_CHARACTERS
  // Buttons go first: a message that lost them could no longer be answered.
  const places = blocks.map((block, place) => ({ block, place }))
  for (const { block, place } of [...places.filter(isActions), ...places.filter((entry) => !isActions(entry))]) {
    const [own, ofTables] = [charactersOf(block), tableCharactersOf(block)]
    if (kept.size >= maxBlocks || own > characters || ofTables > tableCharacters) continue
    characters -= own
    tableCharacters -= ofTables
    kept.add(place)
  }
  return blocks.filter((_, place) => kept.has(place))
}

function isActions({ block }: { readonly block: Block }): boolean {
  return block.type === 'actions'
}
