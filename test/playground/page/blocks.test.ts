import { describe, expect, it } from 'vitest'
import { blocksHtml } from '../../../src/playground/page/blocks/block.ts'
import {
  actions,
  button,
  chart,
  container,
  dataTable,
  input,
  line,
  mrkdwn,
  option,
  plain,
  section,
  select,
  table,
  textInput,
} from '../slack/sample-blocks.ts'
import { blocksOf, harmIn, HOSTILE, scene, shapeOf, tagsOf, textOf } from './page-markup.ts'

const image = { type: 'image', alt_text: 'WORDS', image_url: 'https://example.net/a.png' }
const card = {
  type: 'card',
  title: plain('WORDS'),
  subtitle: plain('WORDS'),
  body: mrkdwn('WORDS'),
  subtext: plain('WORDS'),
  hero_image: image,
  actions: [button({ text: plain('WORDS') })],
}

/** Every kind of block, with WORDS wherever an app may put text. */
const EVERY_BLOCK: readonly (readonly [type: string, block: Readonly<Record<string, unknown>>])[] = [
  ['section', { ...section('WORDS'), fields: [mrkdwn('WORDS'), plain('WORDS')], accessory: image }],
  ['header', { type: 'header', text: plain('WORDS') }],
  ['divider', { type: 'divider' }],
  ['context', { type: 'context', elements: [mrkdwn('WORDS'), plain('WORDS'), image] }],
  [
    'actions',
    actions(
      button({ text: plain('WORDS'), value: 'WORDS' }),
      select({ placeholder: plain('WORDS'), options: [option('WORDS')] }),
    ),
  ],
  ['input', input(textInput({ placeholder: plain('WORDS') }), { label: plain('WORDS'), hint: plain('WORDS') })],
  ['image', { ...image, title: plain('WORDS') }],
  [
    'rich_text',
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'WORDS' }] }] },
  ],
  ['markdown', { type: 'markdown', text: 'WORDS' }],
  ['table', table(2, 2, { rows: [[{ type: 'raw_text', text: 'WORDS' }]] })],
  ['data_table', dataTable(2, 1, { caption: 'WORDS' })],
  ['data_visualization', chart(line(1, 2), { title: 'WORDS' })],
  ['alert', { type: 'alert', text: mrkdwn('WORDS'), level: 'warning' }],
  [
    'container',
    container([section('WORDS')], { title: plain('WORDS'), subtitle: plain('WORDS'), is_collapsible: true }),
  ],
  ['card', card],
  ['carousel', { type: 'carousel', elements: [card] }],
  [
    'context_actions',
    { type: 'context_actions', elements: [{ type: 'icon_button', icon: 'trash', text: plain('WORDS') }] },
  ],
  ['file', { type: 'file', source: 'remote', external_id: 'WORDS' }],
  [
    'video',
    {
      type: 'video',
      title: plain('WORDS'),
      alt_text: 'WORDS',
      video_url: 'https://a.b',
      thumbnail_url: 'https://a.b',
      description: plain('WORDS'),
    },
  ],
]

const shown = (given: unknown) => blocksHtml(blocksOf(given), scene)

/** The block with other words, cut to what is allowed at each place. */
function saying(given: unknown, words: string): unknown {
  return JSON.parse(
    JSON.stringify(given).replaceAll('WORDS', JSON.stringify(words.slice(0, 20)).slice(1, -1)),
  ) as unknown
}

describe('blocks on the page', () => {
  it.each(EVERY_BLOCK)('shows the words of a %s', (_type, given) => {
    const expected = JSON.stringify(given).split('WORDS').length - 1
    const markup = shown(given)
    expect(markup.toString().split('WORDS').length - 1).toBeGreaterThanOrEqual(expected > 0 ? 1 : 0)
    expect(harmIn(markup)).toEqual([])
  })

  it.each(EVERY_BLOCK.flatMap(([type, given]) => HOSTILE.map(([name, text]) => [type, name, given, text] as const)))(
    'keeps a %s in shape with %s',
    (type, _name, given, text) => {
      const markup = shown(saying(given, text))
      expect(harmIn(markup)).toEqual([])
      const mayFormat = /section|context|markdown|alert|container|card|carousel/.test(type)
      if (!mayFormat) expect(shapeOf(markup)).toEqual(shapeOf(shown(saying(given, 'plain words'))))
    },
  )

  it('never loads a picture from anywhere', () => {
    expect(tagsOf(shown(image)).some(({ attributes }) => 'src' in attributes)).toBe(false)
    expect(textOf(shown(image))).toContain('WORDS')
  })

  it('folds a container that begins folded', () => {
    const details = (over: object) =>
      tagsOf(shown(container([section('in')], { is_collapsible: true, ...over }))).find(
        ({ name }) => name === 'details',
      )
    expect(details({})?.attributes).toHaveProperty('open')
    expect(details({ default_collapsed: true })?.attributes).not.toHaveProperty('open')
  })
})
