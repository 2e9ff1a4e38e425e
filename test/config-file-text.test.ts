import { describe, expect, it, test } from 'vitest'
import { MAX_CONFIG_BYTES, type ReadText, readConfigText } from '../src/config-file-text.ts'

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
    ['an alias', 'a: &x 1\nb: *x', 'Line 2 is the alias *x: write the value out.'],
    ['a tag', 'a:\n  b: !!binary aGk=', 'Line 2 has the tag tag:yaml.org,2002:binary: take it out.'],
    ['an unknown tag', 'a: !run x', 'Line 1 is not right: Unresolved tag: !run.'],
    ['a tagged name', '!!str a: 1', 'Line 1 has something else than a plain name before its colon.'],
    ['a list as a name', 'a: 1\n? [b]\n: 1', 'Line 2 has something else than a plain name before its colon.'],
    ['a number as a name', '1: x', 'Line 1 has something else than a plain name before its colon.'],
    ['a name twice', 'a: 1\n"a": 2', 'Line 2 has a for the second time in one map.'],
    ['two documents', 'a: 1\n---\nb: 2', 'Line 2 begins a second document: keep one.'],
    ['a directive', '%YAML 1.1\n---\na: yes', 'A line begins with %, as directives of YAML do: take it out.'],
    ['a tab', 'a:\n\t- b', 'Line 2 is not right: Tabs are not allowed as indentation.'],
    ['no end of a quote', 'a: "b', 'Line 1 is not right: Missing closing "quote.'],
    ['what is no UTF-8', 'a: \uFFFD', 'The file is not in UTF-8.'],
    ['much depth', `a: ${'['.repeat(20)}${']'.repeat(20)}`, 'Line 1 is nested too deeply.'],
    ['too much depth to be read', '['.repeat(50_000), 'Line 1 is nested too deeply.'],
    [
      'nested names',
      `${'{'.repeat(500)}${'}'.repeat(500)}`,
      'Line 1 has something else than a plain name before its colon.',
    ],
    ['hidden characters', 'a: *\u202Ex', 'Line 1 is the alias *\\u{202E}x: write the value out.'],
  ])('is refused with %s', (_, text, told) => {
    expect(problems(text)).toContain(told)
  })

  it('is at most as large as people write', () => {
    const line = '# é\n'
    const most = `a: 1\n${line.repeat(Math.floor((MAX_CONFIG_BYTES - 5) / Buffer.byteLength(line)))}`
    expect(problems(most)).toEqual([])
    expect(problems(most + line)).toEqual(['The file is larger than 256 KiB.'])
  })

  it('is read at once, however many names it has', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `n${index}: 1`)
    expect(problems([...names, 'n7: 2'].join('\n'))).toEqual(['Line 20001 has n7 for the second time in one map.'])
  }, 2_000)

  it('names its first mistakes only', () => {
    expect(problems('a: *x\nb: *x\nc: *x\nd: *x\ne: *x')).toHaveLength(3)
  })
})
