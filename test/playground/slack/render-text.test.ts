import { describe, expect, it } from 'vitest'
import { block } from '../../../src/playground/slack/blocks.ts'
import { renderText, renderView } from '../../../src/playground/slack/render-text.ts'
import { OPS, VERA } from '../../../src/playground/slack/seed.ts'
import { field, openForm } from './open-form.ts'
import {
  actions,
  box,
  button,
  chart,
  input,
  mrkdwn,
  plain,
  rawText,
  section,
  select,
  textInput,
  type Piece,
} from './sample-blocks.ts'

function text(...blocks: readonly Piece[]): string {
  return renderText(blocks.map((each) => block.parse(each)))
}

const RENDERED: readonly (readonly [string, Piece, string])[] = [
  ['header', { type: 'header', text: plain('Storage') }, '# Storage'],
  ['divider', { type: 'divider' }, '─'.repeat(40)],
  [
    'section',
    { type: 'section', text: mrkdwn('*a*'), fields: [plain('b'), plain('c')], accessory: button() },
    '*a*\nb\nc\n[Go]',
  ],
  ['context', { type: 'context', elements: [plain('a'), mrkdwn('b')] }, 'a  b'],
  ['actions', actions(button(), select({ placeholder: plain('Pick') })), '[Go] [Pick ▾]'],
  [
    'input',
    input(textInput({ initial_value: 'x' }), { hint: plain('why'), optional: true }),
    'Label (optional): [x]\n  why',
  ],
  ['rich_text', box('one\ntwo'), 'one\ntwo'],
  [
    'data_table',
    {
      type: 'data_table',
      caption: 'Days',
      rows: [
        [rawText('Day'), rawText('Files')],
        [rawText('1'), { type: 'raw_number', value: 12, text: '12' }],
      ],
    },
    'Days\nDay  Files\n───  ─────\n1       12',
  ],
  [
    'data_visualization',
    chart({
      type: 'line',
      series: [
        {
          name: 'GB',
          data: [
            { label: 'Mon', value: 2 },
            { label: 'Tue', value: 1 },
          ],
        },
      ],
      axis_config: { categories: ['Mon', 'Tue'], y_label: 'GB' },
    }),
    `Chart (line, GB)\nMon  ${'█'.repeat(30)}  2\nTue  ${'█'.repeat(15)}${' '.repeat(15)}  1`,
  ],
]

describe('Blocks as text', () => {
  it.each(RENDERED)('show a %s', (_type, given, expected) => {
    expect(text(given)).toBe(expected)
  })

  it('read markup as people do', () => {
    expect(
      text(section(`<@${VERA}> in <#${OPS}> &amp; <https://x.test|the page> &lt;b&gt; <!date^1^{date}|today> <!here>`)),
    ).toBe('@vera in #ops & the page (https://x.test) <b> today @here')
  })
})

describe('A form as text', () => {
  it('shows its frame, what is entered and what is complained about', async () => {
    const on = await openForm([field('zone', textInput(), { hint: plain('its name') }), field('menu', select())])
    await on.person(VERA).choose('zone', 'shop')
    await on.person(VERA).choose('menu', 'a')
    await on.person(VERA).submit({ zone: '' })
    expect(renderView(on.person(VERA).view()!)).toBe(
      [
        '═══ Title ═══',
        'Label *: []',
        '  its name',
        '  ✗ Please complete this required field.',
        'Label *: [a ▾]',
        '[Send]',
      ].join('\n'),
    )
  })
})
