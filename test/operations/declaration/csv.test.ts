import { describe, expect, it } from 'vitest'
import { type CsvCell, csv, csvName } from '../../../src/operations/declaration/csv.ts'

/** A file of one row. */
function file(cells: Readonly<Record<string, CsvCell>>): string {
  return csv(
    Object.keys(cells).map((name) => [name, (row: typeof cells) => row[name]]),
    [cells],
  )
}

describe('csv', () => {
  it('writes a head line, then one record a line', () => {
    const row = { day: '2026-11-20', bytes: 9_007_199_254_740_993n }
    expect(file(row)).toBe('day,bytes\n2026-11-20,9007199254740993\n')
  })

  it.each(['=1+1', '+1', '-2', '@SUM(A1)', '\uFF1D1', '\tx'])('makes the formula %j harmless', (cell) => {
    expect(file({ a: cell })).toContain(`'${cell}`)
  })

  it.each([
    [' =1+1', `' =1+1`],
    ['\u00A0=1+1', `'\u00A0=1+1`],
    ['\uFF20SUM(A1)', `'\uFF20SUM(A1)`],
    ['a;=1+1;-2', `a;'=1+1;'-2`],
    ['a;"-1', `"a;""'-1"`],
    ['a\t@x', `a\t'@x`],
    ['a\n=1+1', `"a\n'=1+1"`],
    ['";=1', `""";'=1"`],
    ['Robot/1.0 (compatible; +https://robot.example/)', 'Robot/1.0 (compatible; +https://robot.example/)'],
  ])('makes the formula in %j harmless, also where cells end at semicolons or tabs', (cell, written) => {
    expect(file({ a: cell })).toBe(`a\n${written}\n`)
  })

  it('leaves zeros and negative numbers what they are', () => {
    expect(file({ a: -5n, b: -6, c: 0, d: 0n })).toBe('a,b,c,d\n-5,-6,0,0\n')
  })

  it('quotes separators, quotes and line feeds', () => {
    expect(file({ a: 'x,"y"', b: 'two\nlines' })).toBe('a,b\n"x,""y""","two\nlines"\n')
  })

  it('cuts a cell that is longer than any line of a log', () => {
    const [cut, whole] = ['x'.repeat(8_001), 'x'.repeat(8_000)].map((a) => file({ a }).split('\n')[1])
    expect([cut, whole]).toEqual([`${'x'.repeat(7_999)}…`, 'x'.repeat(8_000)])
  })

  it('spells out characters that hide or reorder text', () => {
    expect(file({ a: 'evil\u202Egnp\r' })).toBe('a\nevil\\u{202E}gnp\\u{000D}\n')
  })

  it('writes dates in UTC and leaves missing values empty', () => {
    expect(file({ a: new Date('2026-11-20T03:10:00.5Z'), b: undefined })).toBe('a,b\n2026-11-20T03:10:00.500Z,\n')
  })
})

describe('csvName', () => {
  it('keeps letters, digits and single hyphens', () => {
    expect(csvName('Logs', 201n, '../etc  passwd', 'Übung')).toBe('logs-201-etc-passwd-bung.csv')
    expect(csvName('-a-', '!')).toBe('a.csv')
  })
})
