/** Text that Slack shows as it stands. */
export interface PlainText {
  readonly type: 'plain_text'
  readonly text: string
  /** Always false: `:name:` in text from outside must not turn into a picture. */
  readonly emoji: false
}

/** Text in Slack's markup. */
export interface MrkdwnText {
  readonly type: 'mrkdwn'
  readonly text: string
  /** Always true: Slack must not make links or mentions of bare words. */
  readonly verbatim: true
}

/** One entry of a menu, of checkboxes or of radio buttons. */
export interface Option {
  readonly text: PlainText
  readonly value: string
  readonly description?: PlainText
}

/** The question Slack asks before a button counts. */
export interface ConfirmationDialog {
  readonly title: PlainText
  readonly text: PlainText
  readonly confirm: PlainText
  readonly deny: PlainText
  readonly style?: 'primary' | 'danger'
}

/** A button of a message or a view. A button with a URL sends its action as well. */
export interface Button {
  readonly type: 'button'
  readonly action_id: string
  readonly text: PlainText
  readonly value?: string
  readonly url?: string
  readonly style?: 'primary' | 'danger'
  readonly confirm?: ConfirmationDialog
  readonly accessibility_label?: string
}

interface Stateful {
  readonly action_id: string
  readonly focus_on_load?: true
}

export interface PlainTextInput extends Stateful {
  readonly type: 'plain_text_input'
  readonly multiline?: true
  readonly initial_value?: string
  readonly min_length?: number
  readonly max_length: number
  readonly placeholder?: PlainText
  readonly dispatch_action_config?: DispatchActionConfig
}

/** When typing in a text or number input sends an action. */
export interface DispatchActionConfig {
  readonly trigger_actions_on: readonly ('on_enter_pressed' | 'on_character_entered')[]
}

/** Bounds and value are strings, as Slack defines them. */
export interface NumberInput extends Stateful {
  readonly type: 'number_input'
  readonly is_decimal_allowed: boolean
  readonly initial_value?: string
  readonly min_value?: string
  readonly max_value?: string
  readonly placeholder?: PlainText
  readonly dispatch_action_config?: DispatchActionConfig
}

export interface StaticSelect extends Stateful {
  readonly type: 'static_select'
  readonly options: readonly Option[]
  readonly initial_option?: Option
  readonly placeholder?: PlainText
}

export interface MultiStaticSelect extends Stateful {
  readonly type: 'multi_static_select'
  readonly options: readonly Option[]
  readonly initial_options?: readonly Option[]
  readonly max_selected_items?: number
  readonly placeholder?: PlainText
}

/** A menu whose options the bot is asked for while somebody types. */
export interface ExternalSelect extends Stateful {
  readonly type: 'external_select'
  readonly min_query_length: number
  readonly initial_option?: Option
  readonly placeholder?: PlainText
}

export interface Checkboxes extends Stateful {
  readonly type: 'checkboxes'
  readonly options: readonly Option[]
  readonly initial_options?: readonly Option[]
}

export interface RadioButtons extends Stateful {
  readonly type: 'radio_buttons'
  readonly options: readonly Option[]
  readonly initial_option?: Option
}

/** What may stand beside a section or in an actions block. */
export type ActionElement = Button | StaticSelect | ExternalSelect

/** What may stand in an input block. */
export type InputElement =
  | PlainTextInput
  | NumberInput
  | StaticSelect
  | MultiStaticSelect
  | ExternalSelect
  | Checkboxes
  | RadioButtons
