import { alignedLines } from '../../block-kit/table.ts'
import { unreachable } from '../../shared/errors.ts'
import {
  listedElements,
  richTextContent,
  type Block,
  type Chart,
  type Element,
  type InputBlock,
  type Option,
  type TableCell,
  type TextObject,
} from './blocks/blocks.ts'
import { chosenOptions, initialValue, type ElementValue } from './blocks/element-values.ts'
import { CHANNELS, MEMBERS, USER_GROUPS } from './state/seed.ts'
import type { ShownMessage, ShownView } from './person.ts'

const RULE = '─'.repeat(40)
const INDENT = '  '

/** What a form holds and what is said under its inputs, for blocks that are part of a view. */
type FormContent = Pick<ShownView, 'values' | 'errors'>

function renderText(blocks: readonly Block[], form?: FormContent): string {
  return blocks.map((block) => blockText(block, form)).join('\n')
}

/** A message as plain text: its blocks, or its text where it has none, and what it is if it is not an ordinary one. */
export function renderMessage(message: ShownMessage): string {
  const body = message.blocks.length > 0 ? renderText(message.blocks) : readableMrkdwn(message.text)
  return [
    ...(message.ephemeral ? ['(only visible to you)'] : []),
    ...(body === '' ? [] : [`${body}${message.edited ? ' (edited)' : ''}`]),
    ...message.files.map((id) => `(file: ${id})`),
  ].join('\n')
}

export function renderView(view: ShownView): string {
  const buttons = [view.close, view.submit].filter((label) => label !== undefined).map((label) => `[${label}]`)
  const title = view.title === '' ? '' : `═══ ${view.title} ═══`
  return lines([title, renderText(view.blocks, view), buttons.join(' ')])
}

function blockText(block: Block, form: FormContent | undefined): string {
  switch (block.type) {
    case 'header':
      return `# ${block.text.text}`
    case 'divider':
      return RULE
    case 'section':
      return lines([shown(block.text), ...(block.fields ?? []).map(shown), elementsText(block, form)])
    case 'context':
      return block.elements.map(shown).join(INDENT)
    case 'actions':
      return elementsText(block, form)
    case 'input':
      return inputText(block, form)
    case 'rich_text':
      return richTextContent(block)
    case 'data_table':
      return lines([block.caption, tableText(block.rows)])
    case 'data_visualization':
      return chartText(block.title, block.chart)
    default:
      return unreachable(block)
  }
}

function inputText(block: InputBlock, form: FormContent | undefined): string {
  const label = `${block.label.text}${block.optional === true ? ' (optional)' : ' *'}`
  const complaint = block.block_id === undefined ? undefined : form?.errors[block.block_id]
  return lines([
    `${label}: ${elementsText(block, form)}`,
    block.hint === undefined ? '' : `${INDENT}${block.hint.text}`,
    complaint === undefined ? '' : `${INDENT}✗ ${complaint}`,
  ])
}

function elementsText(block: Block, form: FormContent | undefined): string {
  return listedElements(block)
    .map(({ element }) => elementText(element, form?.values[block.block_id ?? '']?.[element.action_id ?? '']))
    .join(' ')
}

function shown(text: TextObject | undefined): string {
  if (text === undefined) return ''
  return text.type === 'mrkdwn' ? readableMrkdwn(text.text) : text.text
}

function lines(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

/** What a chart shows at a glance: the least, the most and the newest value of each series. */
export function chartText(
  title: string,
  { series, axis_config: { categories, x_label: across, y_label: up } }: Chart,
): string {
  const axes = [up, across].filter((label) => label !== undefined).join(' by ')
  const [first, last] = [categories[0], categories.at(-1)]
  const range =
    categories.length === 1 ? `1 value, of ${first}` : `${categories.length} values from ${first} to ${last}`
  const each = series.map((one) => {
    const values = valuesOf(one, categories)
    const at = (value: number): string => `${shortNumber(value)} at ${categories[values.indexOf(value)]}`
    return `${one.name}: least ${at(Math.min(...values))}, most ${at(Math.max(...values))}, last ${shortNumber(values.at(-1) ?? 0)}`
  })
  return `${title} (${['line', axes].filter(Boolean).join(', ')}): ${range}. ${each.join('. ')}.`
}

export function valuesOf({ data }: Chart['series'][number], categories: readonly string[]): readonly number[] {
  const byLabel = new Map(data.map(({ label, value }) => [label, value]))
  return categories.map((category) => byLabel.get(category) ?? 0)
}

/** A number as an axis shows it: short, with its thousands apart. */
export function shortNumber(value: number): string {
  const notation = Math.abs(value) >= 1e5 ? 'compact' : 'standard'
  const maximumFractionDigits = Math.abs(value) < 1 ? 3 : 2
  return new Intl.NumberFormat('en-US', { maximumFractionDigits, notation }).format(value).replace('-', '−')
}

/** Wider cells are cut in print; the message itself has all of it. */
const MAX_WIDTH = 60

function tableText(rows: readonly (readonly TableCell[])[]): string {
  const texts = rows.map((row) => row.map(({ text }) => text.replaceAll('\n', ' ⏎ ')))
  const numeric = (rows[0] ?? []).map((_, column) => rows.slice(1).every((row) => row[column]?.type === 'raw_number'))
  const [first = '', ...others] = alignedLines(texts, numeric, MAX_WIDTH)
  return [first, '─'.repeat(first.length), ...others].join('\n')
}

/** One element on one line: buttons as `[Save]`, what is entered in the others, every choice of a list of boxes. */
function elementText(element: Element, value: ElementValue | undefined = initialValue(element)): string {
  switch (element.type) {
    case 'button':
      return `[${element.text.text}]`
    case 'checkboxes':
      return element.options.map((option) => `${isChosen(value, option) ? '☑' : '☐'} ${option.text.text}`).join('  ')
    case 'radio_buttons':
      return element.options.map((option) => `${isChosen(value, option) ? '◉' : '○'} ${option.text.text}`).join('  ')
    case 'overflow':
      return `[⋯ ${element.options.map(({ text }) => text.text).join(' | ')}]`
    case 'static_select':
    case 'multi_static_select':
    case 'external_select':
      return `[${enteredText(value) || (element.placeholder?.text ?? '')} ▾]`
    case 'plain_text_input':
    case 'number_input':
      return `[${enteredText(value) || (element.placeholder?.text ?? '')}]`
    default:
      return unreachable(element)
  }
}

function isChosen(value: ElementValue | undefined, option: Option): boolean {
  return chosenOptions(value).some((chosen) => chosen.value === option.value)
}

function enteredText(value: ElementValue | undefined): string {
  const text = value?.['value']
  if (typeof text === 'string') return text
  return chosenOptions(value)
    .map((option) => option.text.text)
    .join(', ')
}

const MARKUP = /<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g

/** Slack's markup as a reader sees it: names for ids, labels with their links, and no entities. */
function readableMrkdwn(markup: string): string {
  const read = markup.replace(MARKUP, (_whole, sigil: string, target: string, label: string | undefined) => {
    if (sigil === '@') return `@${MEMBERS.find(({ id }) => id === target)?.name ?? target}`
    if (sigil === '#') return `#${CHANNELS.find(({ id }) => id === target)?.name ?? target}`
    if (sigil === '!') return specialName(target, label)
    const address = target.replace(/^mailto:/, '')
    return label === undefined || label === address ? address : `${label} (${address})`
  })
  return read.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function specialName(target: string, label: string | undefined): string {
  if (target.startsWith('date^')) return label ?? target
  return `@${USER_GROUPS.find(({ id }) => target === `subteam^${id}`)?.handle ?? target.replace('subteam^', '')}`
}
