import type { ActionElement, InputElement, MrkdwnText, PlainText } from './elements.ts'

/**
 * The blocks the bot sends, as Slack's documentation of 2026-09-14 spells them. Slack's own types lack
 * `data_visualization`, and these also leave out every field and block the bot has no use for.
 */
export type Block =
  | SectionBlock
  | HeaderBlock
  | ContextBlock
  | DividerBlock
  | ActionsBlock
  | RichTextBlock
  | DataTableBlock
  | DataVisualizationBlock

interface Identified {
  readonly block_id?: string
}

export interface SectionBlock extends Identified {
  readonly type: 'section'
  readonly text?: MrkdwnText | PlainText
  readonly fields?: readonly MrkdwnText[]
  readonly accessory?: ActionElement
  /** Shows the whole text instead of folding it behind "see more". */
  readonly expand?: true
}

export interface HeaderBlock extends Identified {
  readonly type: 'header'
  readonly text: PlainText
}

export interface ContextBlock extends Identified {
  readonly type: 'context'
  readonly elements: readonly MrkdwnText[]
}

export interface DividerBlock extends Identified {
  readonly type: 'divider'
}

export interface ActionsBlock extends Identified {
  readonly type: 'actions'
  readonly elements: readonly ActionElement[]
}

/** Rich text is used for one thing: text shown as structure in a fixed-width box, where no markup exists. */
export interface RichTextBlock extends Identified {
  readonly type: 'rich_text'
  readonly elements: readonly RichTextPreformatted[]
}

export interface RichTextPreformatted {
  readonly type: 'rich_text_preformatted'
  readonly elements: readonly RichTextRun[]
}

export interface RichTextRun {
  readonly type: 'text'
  readonly text: string
}

/** A table people can sort and page. Messages and Home only; the first row is the header. */
export interface DataTableBlock extends Identified {
  readonly type: 'data_table'
  readonly caption: string
  readonly rows: readonly (readonly TableCell[])[]
  readonly page_size?: number
}

export type TableCell = RawText | RawNumber

export interface RawText {
  readonly type: 'raw_text'
  readonly text: string
}

/** A column sorts by number only when all of its cells are of this kind. */
export interface RawNumber {
  readonly type: 'raw_number'
  readonly value: number
  /** What is shown for the number. */
  readonly text: string
}

/** A chart drawn by Slack. Messages and Home only. */
export interface DataVisualizationBlock extends Identified {
  readonly type: 'data_visualization'
  readonly title: string
  readonly chart: LineChart
}

export interface LineChart {
  readonly type: 'line'
  readonly series: readonly ChartSeries[]
  readonly axis_config: AxisConfig
}

/** Exactly one point for each category, in the order of the categories. */
export interface ChartSeries {
  readonly name: string
  readonly data: readonly ChartPoint[]
}

export interface ChartPoint {
  readonly label: string
  readonly value: number
}

export interface AxisConfig {
  readonly categories: readonly string[]
  readonly x_label?: string
  readonly y_label?: string
}

/** One field of a form. Modals only, by our own rule. */
export interface InputBlock extends Identified {
  readonly type: 'input'
  readonly block_id: string
  readonly label: PlainText
  readonly element: InputElement
  readonly hint?: PlainText
  readonly optional?: boolean
  readonly dispatch_action?: true
}

export type ViewBlock = Block | InputBlock

/** A form or a review, opened by something a person did. */
export interface ModalView {
  readonly type: 'modal'
  readonly callback_id: string
  readonly title: PlainText
  readonly blocks: readonly ViewBlock[]
  readonly submit?: PlainText
  readonly close?: PlainText
  readonly private_metadata?: string
  readonly external_id?: string
  readonly notify_on_close?: true
}

/** The page a person sees when opening the bot itself. */
export interface HomeView {
  readonly type: 'home'
  readonly blocks: readonly Block[]
}

export type View = ModalView | HomeView
