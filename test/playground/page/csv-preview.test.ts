import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvPreview } from '../../../src/playground/page/message-list.ts'

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

describe('the preview of a file', () => {
  it('reads quotes, commas and line breaks in cells', () => {
    expect(csvPreview('\uFEFFa,b\r\n"1,000","say ""hi""\nthere"\r\n,\r\n').rows).toEqual([
      ['a', 'b'],
      ['1,000', 'say "hi"\nthere'],
      ['', ''],
    ])
  })

  it('reads back any cells that were written with quotes', () => {
    const cells = fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 2, maxLength: 8 }), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(cells, (rows) => {
        expect(csvPreview(rows.map((row) => row.map(quoted).join(',')).join('\r\n')).rows).toEqual(rows)
      }),
    )
  })

  it('says when there is more than it shows', () => {
    expect(csvPreview('a\n'.repeat(6)).isCut).toBe(false)
    expect(csvPreview('a\n'.repeat(7))).toMatchObject({ isCut: true, rows: Array.from({ length: 6 }, () => ['a']) })
    expect(csvPreview(`${'a,'.repeat(8)}a`).isCut).toBe(true)
  })

  it('shortens long cells and ends with what is no table', () => {
    expect(csvPreview('x'.repeat(100)).rows).toEqual([[`${'x'.repeat(59)}…`]])
    expect(csvPreview('').rows).toEqual([])
    expect(csvPreview('"never closed').rows.length).toBeLessThanOrEqual(1)
    expect(csvPreview('a"b,c').rows.length).toBeLessThanOrEqual(1)
  })
})
