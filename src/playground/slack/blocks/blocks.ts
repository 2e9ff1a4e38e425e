import * as z from 'zod'

/**
 * What Slack's Block Kit allows, as its reference pages stated on 2026-11-20 (docs.slack.dev/reference/block-kit,
 * /reference/views). Lengths are characters, counts are items. The platform changes these often, so they stand here
 * once; a text limit Slack does not publish is marked as observed.
 */
export const LIMITS = {
  message: {
    blocks: 50,
    charts: 2,
    dataTableCharacters: 20_000,
    /** Observed: between 11,341 and 13,297 characters Slack starts to answer `msg_blocks_too_long`. */
    characters: 10_000,
  },
  view: { blocks: 100, bytes: 250_000, title: 24, button: 24, privateMetadata: 3_000, id: 255, stack: 3 },
  id: 255,
  text: 3_000,
  section: { text: 3_000, fields: 10, field: 2_000 },
  header: 150,
  contextElements: 10,
  actionsElements: 25,
  input: { label: 2_000, hint: 2_000 },
  button: { text: 75, value: 2_000, accessibilityLabel: 75 },
  option: { text: 75, value: 150 },
  placeholder: 150,
  selectOptions: 100,
  checkOptions: 10,
  overflowOptions: 5,
  confirm: { title: 100, text: 300, button: 30 },
  textInput: 3_000,
  dataTable: { rows: 201, columns: 20, pageSize: 100 },
  chart: { title: 50, series: 12, points: 20, label: 20, axisLabel: 50 },
} as const

const made = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape })

/** Text of 1 to `max` characters of which something is to be seen. */
function shownText(max: number) {
  return z
    .string()
    .max(max)
    .refine((text) => text.trim() !== '', { error: 'must be more than 0 characters' })
}

export function plainText(max: number) {
  return made('plain_text', { text: shownText(max), emoji: z.boolean().optional() })
}

function anyText(max: number) {
  const mrkdwn = made('mrkdwn', { text: shownText(max), verbatim: z.boolean().optional() })
  return z.discriminatedUnion('type', [plainText(max), mrkdwn])
}

export type TextObject = z.infer<ReturnType<typeof anyText>>

// Slack makes ids up where an app gives none.
const id = z.string().min(1).max(LIMITS.id).optional()
const buttonStyle = z.enum(['primary', 'danger'])
const placeholder = plainText(LIMITS.placeholder).optional()

const confirmDialog = z.strictObject({
  title: plainText(LIMITS.confirm.title).optional(),
  text: anyText(LIMITS.confirm.text),
  confirm: plainText(LIMITS.confirm.button).optional(),
  deny: plainText(LIMITS.confirm.button).optional(),
  style: buttonStyle.optional(),
})

const button = made('button', {
  text: plainText(LIMITS.button.text),
  action_id: id,
  value: z.string().max(LIMITS.button.value).optional(),
  style: buttonStyle.optional(),
  confirm: confirmDialog.optional(),
  accessibility_label: z.string().min(1).max(LIMITS.button.accessibilityLabel).optional(),
})

const typed = {
  action_id: id,
  placeholder,
  dispatch_action_config: z
    .strictObject({ trigger_actions_on: z.array(z.literal('on_enter_pressed')).length(1) })
    .optional(),
}

/** Without `max_length` people can type more than 3,000 characters. */
const plainTextInput = made('plain_text_input', {
  ...typed,
  initial_value: z.string().max(LIMITS.textInput).optional(),
  multiline: z.boolean().optional(),
  max_length: z.int().min(1).max(LIMITS.textInput).optional(),
})

const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .optional()

/** Bounds and the first value are decimal numbers written as strings. */
const numberInput = made('number_input', {
  ...typed,
  is_decimal_allowed: z.boolean(),
  initial_value: decimal,
  min_value: decimal,
  max_value: decimal,
})

const option = z.strictObject({
  text: plainText(LIMITS.option.text),
  value: z.string().min(1).max(LIMITS.option.value),
})

export type Option = z.infer<typeof option>

/** What an app may answer when a client asks for the options of an external select. An empty list is allowed. */
export const suggestionAnswer = z.strictObject({ options: z.array(option).max(LIMITS.selectOptions) })

const checkOptions = z.array(option).min(1).max(LIMITS.checkOptions)
const menuOptions = z.array(option).min(1).max(LIMITS.selectOptions)
const initial = option.optional()
const checks = { action_id: id, options: checkOptions }
const menu = { action_id: id, placeholder, options: menuOptions }

const overflowOptions = z.array(option).min(1).max(LIMITS.overflowOptions)
const actionElement = z.discriminatedUnion('type', [
  button,
  made('overflow', { action_id: id, options: overflowOptions }),
])
const inputElement = z.discriminatedUnion('type', [
  plainTextInput,
  numberInput,
  made('static_select', { ...menu, initial_option: initial }),
  made('multi_static_select', { ...menu, initial_options: menuOptions.optional() }),
  made('external_select', {
    action_id: id,
    placeholder,
    initial_option: initial,
    min_query_length: z.int().min(0).optional(),
  }),
  made('checkboxes', { ...checks, initial_options: checkOptions.optional() }),
  made('radio_buttons', { ...checks, initial_option: initial }),
])

export type InputElement = z.infer<typeof inputElement>
export type Element = z.infer<typeof actionElement> | InputElement

/**
 * Refuses a text longer than it may become, numbers that are out of order or not whole, a fixed list that repeats a value,
 * and initial choices that are not in it.
 */
function elementRules(element: Element, context: z.RefinementCtx): void {
  const complain = (message: string, field: string) => context.addIssue({ code: 'custom', message, path: [field] })
  if (element.type === 'plain_text_input') {
    const { initial_value: value = '', max_length: most = LIMITS.textInput } = element
    if (value.length > most) complain(`must not be longer than ${most}`, 'initial_value')
  }
  if (element.type === 'number_input') {
    const { min_value: min, initial_value: value, max_value: max } = element
    const numbers = [min, value, max].flatMap((text) => (text === undefined ? [] : Number(text)))
    const isRising = numbers.every((each, index) => each >= (numbers[index - 1] ?? each))
    if (!isRising) complain('must lie between min_value and max_value', 'initial_value')
    if (!element.is_decimal_allowed && !numbers.every(Number.isInteger)) complain('must be whole', 'initial_value')
  }
  if (!('options' in element)) return
  const { options } = element
  if (new Set(options.map((each) => each.value)).size < options.length) complain('values must be unique', 'options')
  const isKnown = (wanted: Option) =>
    options.some((each) => each.value === wanted.value && each.text.text === wanted.text.text)
  const one = 'initial_option' in element ? element.initial_option : undefined
  const many = 'initial_options' in element ? element.initial_options : undefined
  if (one !== undefined && !isKnown(one)) complain('must match one of the options', 'initial_option')
  if (many?.every(isKnown) === false) complain('must match the options', 'initial_options')
}

const section = made('section', {
  block_id: id,
  text: anyText(LIMITS.section.text).optional(),
  fields: z.array(anyText(LIMITS.section.field)).min(1).max(LIMITS.section.fields).optional(),
  accessory: actionElement.superRefine(elementRules).optional(),
  expand: z.boolean().optional(),
}).refine((block) => block.text !== undefined || block.fields !== undefined, { error: 'missing required field: text' })

const actions = made('actions', {
  block_id: id,
  elements: z.array(actionElement.superRefine(elementRules)).min(1).max(LIMITS.actionsElements),
})

const input = made('input', {
  block_id: id,
  label: plainText(LIMITS.input.label),
  hint: plainText(LIMITS.input.hint).optional(),
  element: inputElement.superRefine(elementRules),
  dispatch_action: z.boolean().optional(),
  optional: z.boolean().optional(),
})

const header = made('header', { block_id: id, text: plainText(LIMITS.header) })

const context = made('context', {
  block_id: id,
  elements: z.array(anyText(LIMITS.text)).min(1).max(LIMITS.contextElements),
})

const divider = made('divider', { block_id: id })

// Unions of one, here and below: another type is then refused by its name.
const run = made('text', { text: z.string().min(1) })
const preformatted = made('rich_text_preformatted', {
  elements: z.array(z.discriminatedUnion('type', [run])),
})
const richText = made('rich_text', {
  block_id: id,
  elements: z.array(z.discriminatedUnion('type', [preformatted])).min(1),
})

const cellText = shownText(LIMITS.message.dataTableCharacters)
const cell = z.discriminatedUnion('type', [
  made('raw_text', { text: cellText }),
  made('raw_number', { value: z.number(), text: cellText }),
])

export type TableCell = z.infer<typeof cell>

/** The sortable, paged table: a header row, then 1 to 200 rows of the same length. */
const dataTable = made('data_table', {
  block_id: id,
  caption: z.string().min(1),
  rows: z.array(z.array(cell).min(1).max(LIMITS.dataTable.columns)).min(2).max(LIMITS.dataTable.rows),
  page_size: z.int().min(1).max(LIMITS.dataTable.pageSize).optional(),
}).superRefine(({ rows: [head = [], ...body] }, issues) => {
  body.forEach((row, index) => {
    if (row.length === head.length) return
    const message = 'all rows must have the same number of cells'
    issues.addIssue({ code: 'custom', message, path: ['rows', index + 1] })
  })
})

const pointLabel = shownText(LIMITS.chart.label)
const axisLabel = shownText(LIMITS.chart.axisLabel).optional()
const point = z.strictObject({ label: pointLabel, value: z.number() })

/** Series have names of their own, and each has exactly one point for every category. */
const line = made('line', {
  series: z
    .array(z.strictObject({ name: pointLabel, data: z.array(point).min(1).max(LIMITS.chart.points) }))
    .min(1)
    .max(LIMITS.chart.series),
  axis_config: z.strictObject({
    categories: z.array(pointLabel).min(1).max(LIMITS.chart.points),
    x_label: axisLabel,
    y_label: axisLabel,
  }),
}).superRefine(({ series, axis_config: { categories } }, issues) => {
  const complain = (message: string, path: (string | number)[]) => issues.addIssue({ code: 'custom', message, path })
  if (new Set(series.map(({ name }) => name)).size < series.length) {
    complain('series names must be unique', ['series'])
  }
  if (new Set(categories).size < categories.length) {
    complain('categories must be unique', ['axis_config', 'categories'])
  }
  series.forEach(({ data }, index) => {
    const labels = data.map(({ label }) => label)
    const matches = labels.length === categories.length && categories.every((each) => labels.includes(each))
    if (!matches) complain('must have exactly one data point for each category', ['series', index, 'data'])
  })
})

const chart = z.discriminatedUnion('type', [line])
export type Chart = z.infer<typeof chart>

const dataVisualization = made('data_visualization', {
  block_id: id,
  title: shownText(LIMITS.chart.title),
  chart,
})

/**
 * Every block this emulator knows, wherever it may stand: those that the bot sends, and no other of Slack's.
 * `message-rules.ts` says where each may stand.
 */
export const block = z.discriminatedUnion('type', [
  actions,
  context,
  dataTable,
  dataVisualization,
  divider,
  header,
  input,
  richText,
  section,
])

export type Block = z.infer<typeof block>
export type InputBlock = z.infer<typeof input>
export type RichText = z.infer<typeof richText>

/** The elements of a block that a person can act on, each with its place inside the block. */
export function listedElements(given: Block): readonly { readonly element: Element; readonly pointer: string }[] {
  if (given.type === 'section' && given.accessory !== undefined) {
    return [{ element: given.accessory, pointer: '/accessory' }]
  }
  if (given.type === 'input') return [{ element: given.element, pointer: '/element' }]
  if (given.type !== 'actions') return []
  return given.elements.map((element, index) => ({ element, pointer: `/elements/${index}` }))
}

export function richTextContent({ elements }: RichText): string {
  return elements.map((part) => part.elements.map(({ text }) => text).join('')).join('\n')
}
