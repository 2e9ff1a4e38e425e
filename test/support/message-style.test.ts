import { describe, expect, it } from 'vitest'
import { styleProblems } from './message-style.ts'

type Part = Readonly<Record<string, unknown>>

const header = (text: string): Part => ({ type: 'header', text: { type: 'plain_text', text } })
const section = (text: string): Part => ({ type: 'section', text: { type: 'mrkdwn', text } })
const buttons = (count: number): Part => ({
  type: 'actions',
  elements: Array.from({ length: count }, () => ({ type: 'button', text: { type: 'plain_text', text: 'Press' } })),
})
const CHART: Part = { type: 'data_visualization', title: 'By minute' }

const problems = (text: string, ...blocks: readonly Part[]): readonly string[] =>
  styleProblems([{ method: 'chat.postMessage', args: { text, blocks } }])

describe('what is written for three in the morning', () => {
  it.each([
    ['an answer', 'Two lines.', [section('Two lines.')]],
    ['a short id', '`34d6979e`', [section('`34d6979e`')]],
    ['a mention', 'Asked.', [section('<@U0OLGA0001> asks <!subteam^S0OPERATOR>')]],
    [
      'a dead end with a way on',
      ':no_entry: Only operators can.',
      [section(':no_entry: Only operators can.'), buttons(1)],
    ],
    ['a date in each reader’s clock', 'x', [section('since <!date^1^{time}|2026-11-20 10:00 UTC>')]],
  ])('%s is fine', (_, text, blocks) => {
    expect(problems(text, ...blocks)).toEqual([])
  })

  it.each([
    ['a long id', 'Change 34d6979e34d6979e34d6979e34d6979e', /an id of 32 digits/],
    ['an id of somebody', 'U0OLGA0001 asks', /a raw id/],
    ['a stiff word', 'The platform refused it', /words/],
    ['a field’s name', 'EncodingTier', /a field name/],
    ['a number of a value', 'A (0)', /the number of a value/],
    ['a dead end without a way on', ':warning: Too late.', /no way on/],
    ['a speech', ':white_check_mark: One. Two. Three.', /3 sentences/],
  ])('%s is found', (_, text, problem) => {
    expect(problems(text, section(text)).join()).toMatch(problem)
  })

  it('a table with times says their zone in a line, not only in its caption', () => {
    const cell = { type: 'raw_text', text: '2026-11-20 12:00:00' }
    const table = { type: 'data_table', caption: 'Lines, times in Europe/Berlin', rows: [[cell]] }
    expect(problems('Two lines.', section('Two lines.'), table).join()).toMatch(/no line of their zone/)
    expect(problems('Two lines.', section('Two lines, times in Europe/Berlin.'), table)).toEqual([])
    expect(problems('Two lines.', section('Two lines, days in UTC.'), table)).toEqual([])
  })

  it('an alert is short before its chart, has few controls and no clock', () => {
    const title = '🔴 shop: origin failing, visitors get old content'
    expect(problems(title, header(title), section('*30 % STALE*'), CHART, buttons(3))).toEqual([])
    const found = problems(
      'Other words',
      header(`${title} ${'x'.repeat(40)}`),
      section('y'.repeat(161)),
      CHART,
      section('at 10:30'),
      buttons(4),
    )
    for (const problem of [
      /a title of \d+/,
      /161 characters before/,
      /4 controls/,
      /a clock time/,
      /does not begin with/,
    ])
      expect(found.join('\n')).toMatch(problem)
  })
})
