import { describe, expect, it, test } from 'vitest'
import { MAX_CONFIG_BYTES, type ReadText, readConfigText } from '../../src/config/file-text.ts'

function value(text: string): Extract<ReadText, { ok: true }> {
  const read = readConfigText(text)
  if (read.ok) return read
  throw new Error(read.problems.join('\n'))
}
function problems(text: string): readonly string[] {
  const read = readConfigText(text)
  return read.ok ? [] : read.problems
}

describe('the text of a configuration file', () => {
  it('is plain data: maps, lists, text and numbers of YAML 1.2', () => {
    const text = "\uFEFFa: [x, 2, 'y']\nb:\n  c: yes\n  d: true\n  e:\n"
    expect(value(text).value).toEqual({ a: ['x', 2, 'y'], b: { c: 'yes', d: true, e: null } })
    expect(value('{}').value).toEqual({})
  })

  it('keeps the line of each value, and of what is not there the line of what is around it', () => {
    const { lineOf } = value('# a comment\na:\n  - x\n  - b: 1\n    c:\n\nd: [\n 5]\n')
    const paths = [['a'], ['a', 0], ['a', 1, 'b'], ['a', 1, 'c'], ['a', 1, 'none', 3], ['d', 0], ['none'], []]
    expect(paths.map((path) => lineOf(path))).toEqual([2, 3, 4, 5, 4, 8, 2, 2])
  })

  it('keeps a dangerous name as a name', () => {
    const read = value('__proto__: {a: 1}').value
    expect(Object.entries(read as object)).toEqual([['__proto__', { a: 1 }]]) // an object, as the line above has it
    expect(read).not.toHaveProperty('a')
  })

  test.each([
    ['nothing', '', 'The file holds nothing. For no rules at all, write {}.'],
    ['only comments', '# roles:\n\n', 'The file holds nothing. For no rules at all, write {}.'],
    ['an alias of nothing', 'a: *x', 'Unresolved alias (the anchor must be set before the alias): x.'],
    ['an unknown tag', 'a: !run x', 'Line 1, column 4: Unresolved tag: !run.'],
    ['a list as a name', 'a: 1\n? [b]\n: 1', 'Line 2, column 3: What stands before a colon has to be text.'],
    ['a name twice', 'a: 1\n"a": 2', 'Line 2, column 1: Map keys must be unique.'],
    ['two documents', 'a: 1\n---\nb: 2', 'Line 2, column 1: A second document begins here: keep one.'],
    ['a tab', 'a:\n\t- b', 'Line 2, column 1: Tabs are not allowed as indentation.'],
    ['no end of a quote', 'a: "b', 'Line 1, column 6: Missing closing "quote.'],
    ['what is no UTF-8', 'a: \uFFFD', 'The file is not in UTF-8.'],
    ['hidden characters', 'a: *\u202Ex', 'Unresolved alias (the anchor must be set before the alias): \\u{202E}x.'],
  ])('is refused with %s', (_, text, told) => {
    expect(problems(text)).toContain(told)
  })

  it('is at most as large as people write', () => {
    const line = '# é\n'
    const most = `a: 1\n${line.repeat(Math.floor((MAX_CONFIG_BYTES - 5) / Buffer.byteLength(line)))}`
    expect(problems(most)).toEqual([])
    expect(problems(most + line)).toEqual(['The file is larger than 256 KiB.'])
  })

  it.each(['[', '{'])('is refused where %s opens too deeply, and at once', (bracket) => {
    expect(problems(bracket.repeat(50_000))[0]).toMatch(/^Line 1, column \d+: It is nested too deeply\.$/)
  })

  it('is refused where its aliases would make much of little', () => {
    const tenOf = (name: string): string => `[${Array.from({ length: 10 }, () => `*${name}`).join(', ')}]`
    const text = `a: &a [1]\nb: &b ${tenOf('a')}\nc: &c ${tenOf('b')}\nd: &d ${tenOf('c')}`
    expect(problems(text)).toEqual(['Excessive alias count indicates a resource exhaustion attack.'])
  })

  it('names its first mistakes only', () => {
    expect(problems('a: 1\na: 1\na: 1\na: 1\na: 1')).toHaveLength(3)
  })
})
