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
  /** Shows the whole text instead of folding it behind "see more". */
  readonly expand?: true
  readonly accessory?: Button
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
  readonly elements: readonly {
    readonly type: 'rich_text_preformatted'
    readonly elements: readonly { readonly type: 'text'; readonly text: string }[]
  }[]
}

/** A table people can sort and page. Messages and Home only; the first row is the header. */
export interface DataTableBlock extends Identified {
  readonly type: 'data_table'
  readonly caption: string
  readonly rows: readonly (readonly TableCell[])[]
  readonly page_size?: number
}

/** `text` is what is shown. A column sorts by number only when all of its cells are numbers. */
export type TableCell =
  | { readonly type: 'raw_text'; readonly text: string }
  | { readonly type: 'raw_number'; readonly value: number; readonly text: string }

/** A chart drawn by Slack. Messages and Home only. */
export interface DataVisualizationBlock extends Identified {
  readonly type: 'data_visualization'
  readonly title: string
  readonly chart: {
    readonly type: 'line'
    readonly series: readonly ChartSeries[]
    readonly axis_config: {
      readonly categories: readonly string[]
      readonly x_label?: string
      readonly y_label?: string
    }
  }
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

export interface HomeView {
  readonly type: 'home'
  readonly blocks: readonly Block[]
}

export type View = ModalView | HomeView

export interface PlainText {
  readonly type: 'plain_text'
  readonly text: string
  /** Always false: `:name:` in text from outside must not turn into a picture. */
  readonly emoji: false
}

export interface MrkdwnText {
  readonly type: 'mrkdwn'
  readonly text: string
  /** Always true: Slack must not make links or mentions of bare words. */
  readonly verbatim: true
}

export interface Option {
  readonly text: PlainText
  readonly value: string
}

export interface ConfirmationDialog {
  readonly title: PlainText
  readonly text: PlainText
  readonly confirm: PlainText
  readonly deny: PlainText
}

export interface Button {
  readonly type: 'button'
  readonly action_id: string
  readonly text: PlainText
  readonly value?: string
  readonly style?: 'primary' | 'danger'
  readonly confirm?: ConfirmationDialog
  readonly accessibility_label?: string
}

interface Stateful {
  readonly action_id: string
}

export interface PlainTextInput extends Stateful {
  readonly type: 'plain_text_input'
  readonly multiline?: true
  readonly initial_value?: string
  readonly max_length: number
  readonly placeholder?: PlainText
  readonly dispatch_action_config?: DispatchActionConfig
}

export interface DispatchActionConfig {
  readonly trigger_actions_on: readonly 'on_enter_pressed'[]
}

/** Bounds and value are strings, as Slack defines them. */
export interface NumberInput extends Stateful {
  readonly type: 'number_input'
  readonly is_decimal_allowed: boolean
  readonly initial_value?: string
  readonly min_value?: string
  readonly max_value?: string
  readonly dispatch_action_config?: DispatchActionConfig
}

/** A menu, or buttons, of which one is chosen. */
export interface OneOfOptions extends Stateful {
  readonly type: 'static_select' | 'radio_buttons'
  readonly options: readonly Option[]
  readonly initial_option?: Option
}

/** A menu, or boxes, of which several are chosen. */
export interface SomeOfOptions extends Stateful {
  readonly type: 'multi_static_select' | 'checkboxes'
  readonly options: readonly Option[]
  readonly initial_options?: readonly Option[]
}

/** A menu whose options the bot is asked for while somebody types. */
export interface ExternalSelect extends Stateful {
  readonly type: 'external_select'
  readonly min_query_length: number
  readonly initial_option?: Option
  readonly placeholder?: PlainText
}

/** A menu of things to do, behind three dots. Each choice is an action at once, and nothing stays chosen. */
export interface Overflow extends Stateful {
  readonly type: 'overflow'
  readonly options: readonly Option[]
}

export type ActionElement = Button | Overflow

export type InputElement = PlainTextInput | NumberInput | OneOfOptions | SomeOfOptions | ExternalSelect
