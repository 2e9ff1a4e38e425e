/** Small valid pieces of Block Kit, each of which a test spoils in one way. */

export type Piece = Readonly<Record<string, unknown>>

export const chars = (count: number): string => 'x'.repeat(count)
export const plain = (text: string): Piece => ({ type: 'plain_text', text })
export const mrkdwn = (text: string): Piece => ({ type: 'mrkdwn', text })

/** `count` things made from their index. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

export const section = (text: string): Piece => ({ type: 'section', text: mrkdwn(text) })
export const button = (over: Piece = {}): Piece => ({ type: 'button', text: plain('Go'), action_id: 'go', ...over })
export const option = (value: string, over: Piece = {}): Piece => ({ text: plain(value), value, ...over })
export const select = (over: Piece = {}): Piece => ({
  type: 'static_select',
  action_id: 'pick',
  options: [option('a')],
  ...over,
})
export const actions = (...elements: readonly Piece[]): Piece => ({ type: 'actions', elements })
export const input = (element: Piece, over: Piece = {}): Piece => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...over,
})
export const textInput = (over: Piece = {}): Piece => ({ type: 'plain_text_input', action_id: 'value', ...over })
export const modal = (blocks: readonly Piece[], over: Piece = {}): Piece => ({
  type: 'modal',
  title: plain('Title'),
  submit: plain('Send'),
  blocks,
  ...over,
})

export const rawText = (text: string): Piece => ({ type: 'raw_text', text })
export const dataTable = (rows: number, columns: number, over: Piece = {}): Piece => ({
  type: 'data_table',
  caption: 'Numbers',
  rows: times(rows, () => times(columns, () => rawText('x'))),
  ...over,
})

export const line = (series: number, points: number): Piece => ({
  type: 'line',
  series: times(series, (s) => ({ name: `s${s}`, data: times(points, (p) => ({ label: `p${p}`, value: p })) })),
  axis_config: { categories: times(points, (p) => `p${p}`) },
})
export const chart = (drawn: Piece, over: Piece = {}): Piece => ({
  type: 'data_visualization',
  title: 'Chart',
  chart: drawn,
  ...over,
})
/** Text in a fixed-width box. */
export const box = (text: string): Piece => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
})
