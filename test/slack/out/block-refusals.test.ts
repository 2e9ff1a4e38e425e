import { describe, expect, it } from 'vitest'
import type { Block } from '../../../src/block-kit/blocks.ts'
import { message } from '../../../src/block-kit/message.ts'
import { section } from '../../../src/block-kit/sections.ts'
import { fitTable } from '../../../src/block-kit/table.ts'
import { SlackError } from '../../../src/slack/out/web-api.ts'
import { messageSender, type Sent, URL_SECRET } from './scripted-sender.ts'

const TABLE = fitTable({ caption: 'Days', columns: [{ title: 'Day', kind: 'text' }], rows: [['Monday']] }).block
const WORDS = message({ text: 'Said.', blocks: [section('with blocks')] })
const HOUR_MS = 3_600_000
const refused = (code: string): SlackError => new SlackError('chat.postMessage', code)
const everyday = { public: false, replace: false }
const CHART: Block = {
  type: 'data_visualization',
  title: 'Used',
  chart: {
    type: 'line',
    series: [{ name: 'Used', data: [{ label: 'Mon', value: 1 }] }],
    axis_config: { categories: ['Mon'], x_label: 'Day', y_label: 'GB' },
  },
}
describe('a message with a chart and a table', () => {
  const BOTH = message({ text: 'Said.', blocks: [section('with blocks'), CHART, TABLE] })
  /** A Slack that refuses some blocks in some places, and may say which. */
  function slackWithout(refusedTypes: readonly string[], { named = true, places = /./ } = {}) {
    return messageSender((_, { to, body }) => {
      const given = (body['blocks'] ?? []) as readonly Block[] // what this test sent itself
      const wrong = [...given.keys()].filter((index) => refusedTypes.includes(given[index]?.type ?? ''))
      if (wrong.length === 0 || !places.test(to)) return {}
      return new SlackError('chat.postMessage', 'invalid_blocks', undefined, named ? wrong : [])
    })
  }
  const typesIn = ({ body }: Sent): string =>
    ((body['blocks'] ?? []) as readonly Block[])
      .map(({ type }) => ({ data_visualization: 'C', data_table: 'T' })[type as string] ?? '')
      .join('') || '-'
  const [C, T] = ['data_visualization', 'data_table']

  it.each([
    ['charts, and says so', [C], true, ['CT', 'T', 'T'], ['chart']],
    ['tables, and says so', [T], true, ['CT', 'C', 'C'], ['table']],
    ['both, and says so', [C, T], true, ['CT', '-', '-'], ['chart', 'table']],
    ['charts', [C], false, ['CT', 'T', 'T'], ['chart']],
    ['tables', [T], false, ['CT', 'T', 'C', 'C'], ['table']],
    ['both', [C, T], false, ['CT', 'T', 'C', '-', '-'], ['table', 'chart']],
  ])('loses only what Slack refuses, where that is %s', async (_, types, named, sentAs, known) => {
    const { out, sent, refusals, lines } = slackWithout(types, { named })
    await out.post('C1', BOTH)
    await out.post('C1', BOTH)
    expect(sent.map(typesIn)).toEqual(sentAs)
    expect(refusals.list()).toMatchObject(known.map((drawing) => ({ place: 'post', drawing, code: 'invalid_blocks' })))
    expect(lines.map(({ fields }) => fields)).toEqual(
      known.map((drawing) => ({ place: 'post', drawing, code: 'invalid_blocks' })),
    )
  })

  it('is known by place: what an edit refuses may be posted', async () => {
    const { out, sent, refusals } = slackWithout([C], { places: /update/ })
    await out.update('C1', '1.2', BOTH)
    await out.post('C1', BOTH)
    await out.postEphemeral('C1', 'U1', BOTH)
    await out.respond(URL_SECRET, BOTH, everyday)
    await out.update('C1', '1.2', BOTH)
    expect(sent.map(typesIn)).toEqual(['CT', 'T', 'CT', 'CT', 'CT', 'T'])
    expect(refusals.list()).toMatchObject([{ place: 'edit', drawing: 'chart' }])
  })

  it('is tried whole again after an hour, and the log hears of a change alone', async () => {
    let types = [C]
    const { out, sent, clock, lines, refusals } = messageSender((_, { body }) =>
      ((body['blocks'] ?? []) as readonly Block[]).some(({ type }) => types.includes(type))
        ? refused('invalid_blocks')
        : {},
    )
    for (let hour = 0; hour < 3; hour += 1) {
      await out.post('C1', BOTH)
      await out.post('C1', BOTH)
      clock.turn(HOUR_MS)
    }
    expect(sent.map(typesIn)).toEqual(['CT', 'T', 'T', 'CT', 'T', 'T', 'CT', 'T', 'T'])
    expect(refusals.list()).toMatchObject([])
    types = []
    await out.post('C1', BOTH)
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
  })

  it('that is too much for Slack says nothing of the next one', async () => {
    const { out, sent, refusals } = messageSender((index) => (index === 0 ? refused('msg_blocks_too_long') : {}))
    await out.post('C1', BOTH)
    await out.post('C1', BOTH)
    expect(sent.map(typesIn)).toEqual(['CT', 'T', 'CT'])
    expect(refusals.list()).toMatchObject([])
  })

  it.each([
    [0, ['CT', 'T', 'C', '-'], ['table', 'chart']],
    [1, ['CT', 'T', '-'], ['table']],
    [2, ['CT', 'T', '-'], ['table']],
    [3, ['CT', '-'], ['chart']],
    [4, ['-'], []],
  ])(
    'reaches whoever waits at an address that was used %i times, whatever Slack refuses',
    async (used, sentAs, known) => {
      const { out, sent, refusals } = slackWithout([C, T], { named: false })
      for (let count = 0; count < used; count += 1) await out.respond(URL_SECRET, WORDS, everyday)
      await out.respond(URL_SECRET, BOTH, everyday)
      expect(sent.slice(used).map(typesIn)).toEqual(sentAs)
      expect(refusals.list().map(({ drawing }) => drawing)).toEqual(known)
    },
  )
})
