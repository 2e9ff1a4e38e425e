import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actions, button } from '../../../src/block-kit/buttons.ts'
import { message, withBlocks } from '../../../src/block-kit/message.ts'
import { code, md, mention } from '../../../src/block-kit/mrkdwn.ts'
import { bullets, facts, header, preformatted, section } from '../../../src/block-kit/sections.ts'
import { fitTable } from '../../../src/block-kit/table.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import { csv, csvName } from '../../../src/operations/declaration/csv.ts'
import { NAUGHTY_STRINGS } from '../../fixtures/naughty-strings.ts'
import { outgoingProblems } from '../../support/outgoing-walker.ts'
import { anyText, expectForAll } from './fuzzing.ts'

const KNOWN = { ids: new Set(['U0OLGA0001']), hosts: new Set<string>() }
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false }
/** Each of the ways in which text from outside is shown. */
const SHOWN = [
  (text: string) => section(md`*${text}* by ${mention('U0OLGA0001')} in ${code(text)}`),
  (text: string) => header(text),
  (text: string) => preformatted(text),
  (text: string) => facts([[text, text]])[0] ?? header(text),
  (text: string) => bullets([text, md`_${text}_`]),
  (text: string) => fitTable({ caption: text, columns: [{ title: text, kind: 'text' }], rows: [[text]] }).block,
  (text: string) =>
    actions('row', [button({ actionId: 'a', text, confirm: { title: text, text, confirm: text, deny: text } })]),
] as const
const FENCES = /`/g
const MAX_LENGTH = 50_000
const MOST_RUNS = 100_000
const RUNS = 20_000

function expectHarmless(text: string, show: (text: string) => ReturnType<(typeof SHOWN)[number]>): void {
  const built = withBlocks(message({ text, blocks: [] }), show(text))
  const problems = outgoingProblems([{ method: 'chat.postMessage', args: { ...QUIET, ...built } }], KNOWN)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

test('whatever is shown in whatever way, the walker finds nothing', () => {
  expectForAll(fc.tuple(anyText, fc.constantFrom(...SHOWN)), MOST_RUNS, ([text, show]) => expectHarmless(text, show))
})

test('no text of any length up to 50,000 makes a message that Slack refuses', () => {
  for (let length = 0; length <= MAX_LENGTH; length = Math.ceil(length * 1.15) + 1) {
    for (const part of ['&', '🙂', 'a ', '\uD83D', '<!channel>', '*', '```']) {
      const text = part.repeat(length / part.length + 1).slice(0, length)
      const built = message({ text, blocks: SHOWN.map((show) => show(text)) })
      expect(messageProblems(built)).toEqual([])
      expect(JSON.stringify(built).isWellFormed()).toBe(true)
    }
  }
})

test('nothing opens or closes code but our own marks', () => {
  expectForAll(anyText, RUNS, (text) => {
    const { text: shown } = section(md`${text} ${code('x')}`)
    expect(shown?.text.match(FENCES)?.length ?? 0).toBe(shown?.text.endsWith('…') === true ? 0 : 2)
  })
})

test('no cell of a file is a formula to a spreadsheet, however that splits, and none is lost', () => {
  expectForAll(fc.array(anyText, { minLength: 1, maxLength: 3 }), RUNS, (cells) => {
    const file = csv([['a', () => 'first'], ...cells.map((cell) => ['a', () => cell] as const)], ['row'])
    const asWritten = cellsOf(file, ',')
    expect(asWritten.filter((cell) => /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^\t/.test(cell))).toEqual([])
    const otherwise = [...cellsOf(file, ';'), ...cellsOf(file, '\t')]
    expect(otherwise.filter((cell) => /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell))).toEqual([])
    expect(asWritten).toHaveLength(2 * (cells.length + 1))
  })
})

test('the name of a file is one for every system', () => {
  for (const text of NAUGHTY_STRINGS) expect(csvName('logs', text)).toMatch(/^[a-z0-9-]{1,400}\.csv$/)
})

/** Cells as a program of others reads them: quotes count at the beginning of a cell alone. */
function cellsOf(file: string, separator: string): readonly string[] {
  const cells: string[] = []
  let at = 0
  while (at < file.length) {
    let cell = ''
    if (file[at] === '"') {
      at += 1
      while (at < file.length && !(file[at] === '"' && file[at + 1] !== '"')) {
        if (file[at] === '"') at += 1
        cell += file[at] ?? ''
        at += 1
      }
      at += 1
    }
    while (at < file.length && file[at] !== separator && file[at] !== '\n') {
      cell += file[at] ?? ''
      at += 1
    }
    cells.push(cell)
    at += 1
  }
  return cells
}
