import { describe, expect, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { actions, button } from '../../src/block-kit/buttons.ts'
import { lineChart } from '../../src/block-kit/chart.ts'
import { message, formWith, withBlocks } from '../../src/block-kit/message.ts'
import { divider, preformatted, section } from '../../src/block-kit/sections.ts'
import { fitTable } from '../../src/block-kit/table.ts'
import { messageProblems } from '../support/slack-rules.ts'

const table = fitTable({
  caption: 'Days',
  columns: [
    { title: 'Day', kind: 'text' },
    { title: 'Used', kind: 'number' },
  ],
  rows: [['a', 1]],
}).block
const buttons = actions('row', [button({ actionId: 'go', text: 'Go' })])
const typesOf = (blocks: readonly Block[] | undefined): readonly string[] => (blocks ?? []).map(({ type }) => type)
const note = (blocks: readonly Block[]): string => JSON.stringify(blocks.at(-1))

function chart(title: string): Block {
  const drawn = lineChart({ title, series: [{ name: 'Used', points: [{ label: 'Nov 1', value: 5 }] }] })
  if (drawn === undefined) throw new TypeError('Nothing drawn')
  return drawn
}

describe('the text twin', () => {
  const twin = (text: string): string => message({ text, blocks: [] }).text

  test('is escaped, visible and never empty', () => {
    expect(twin('<!here> & \u202E')).toBe('&lt;!here&gt; &amp; \\u{202E}')
    expect(twin(' \n')).toBe('–')
  })

  test.each(['x', '&', 'ö', '😀'])('of many %s stays within 4,000 bytes and says how much was cut', (character) => {
    const text = twin(character.repeat(5_000))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000)
    expect(Buffer.byteLength(text)).toBeGreaterThan(3_900)
    const kept = text.split('…')[0]?.replaceAll('&amp;', '&') ?? ''
    expect(text.endsWith(`… (${5_000 - Array.from(kept).length} more characters, cut)`)).toBe(true)
  })

  test('is not cut sooner because of what stands behind the cut', () => {
    expect(Buffer.byteLength(twin(`${'x'.repeat(3_000)}${'&'.repeat(2_000)}`))).toBeGreaterThan(3_900)
  })

  test('is not cut at exactly 4,000 bytes', () => {
    expect(twin('x'.repeat(4_000))).toBe('x'.repeat(4_000))
  })
})

describe('blocks', () => {
  test('stay as they are at 50', () => {
    const blocks = Array.from({ length: 50 }, () => divider())
    expect(message({ text: 'x', blocks }).blocks).toEqual(blocks)
  })

  test('above 50 are left out from the end, and the last one says how many', () => {
    const { blocks } = message({ text: 'x', blocks: Array.from({ length: 60 }, () => divider()) })
    expect(blocks).toHaveLength(50)
    expect(note(blocks)).toContain('11 more parts of this message did not fit.')
  })

  test('above 10,000 characters lose their text, never their buttons', () => {
    const long = section('x'.repeat(2_500).slice(0, 2_000))
    const built = message({ text: 'x', blocks: [...Array.from({ length: 6 }, () => long), buttons] })
    expect(typesOf(built.blocks)).toEqual(['section', 'section', 'section', 'section', 'actions', 'context'])
    expect(note(built.blocks)).toContain('2 more parts')
    expect(messageProblems(built)).toEqual([])
  })

  test('hold two charts; a third becomes its numbers', () => {
    const { blocks } = message({ text: 'x', blocks: [chart('One'), chart('Two'), chart('Three')] })
    expect(typesOf(blocks)).toEqual(['data_visualization', 'data_visualization', 'section'])
    expect(blocks[2]).toMatchObject({ text: { text: '*Three*\nUsed: Nov 1 5' } })
  })

  test('hold 10,000 characters of tables; what exceeds them is left out and counted', () => {
    const rows = Array.from({ length: 20 }, () => ['y'.repeat(390)])
    const big = fitTable({ caption: 'Big', columns: [{ title: 'T', kind: 'text' }], rows }).block
    const built = message({ text: 'x', blocks: [big, big] })
    expect(typesOf(built.blocks)).toEqual(['data_table', 'context'])
    expect(messageProblems(built)).toEqual([])
  })
})

describe('the plain form', () => {
  test('exists only where something is drawn', () => {
    const words = message({ text: 'x', blocks: [section('a')] })
    expect(formWith(words, [])).toEqual(words.blocks)
  })

  test('has tables as text and charts as numbers, the rest as it is', () => {
    const plain = formWith(message({ text: 'x', blocks: [section('a'), table, chart('Used')] }), [])
    expect(typesOf(plain)).toEqual(['section', 'section', 'rich_text', 'section'])
    expect(JSON.stringify(plain?.[2])).toContain(String.raw`Day  Used\na       1`)
    expect(plain?.[3]).toMatchObject({ text: { text: '*Used*\nUsed: Nov 1 5' } })
  })

  test('of charts leaves tables, and the other way round', () => {
    const both = message({ text: 'x', blocks: [table, chart('Used')] })
    expect(typesOf(formWith(both, ['table']))).toEqual(['data_table', 'section'])
    expect(typesOf(formWith(both, ['chart']))).toEqual(['section', 'rich_text', 'data_visualization'])
    expect(formWith(both, ['chart', 'table'])).toBe(both.blocks)
  })
})

describe('withBlocks', () => {
  test('makes room for the buttons of a full message', () => {
    const full = message({ text: 'x', blocks: [preformatted('l\n'.repeat(4_000)), section('x'.repeat(1_900))] })
    const built = withBlocks(full, buttons)
    expect(typesOf(built.blocks)).toContain('actions')
    expect(messageProblems(built)).toEqual([])
  })
})
