import type { Option } from './elements.ts'
import { OPTION_CHARACTERS, OPTION_VALUE_CHARACTERS } from './limits.ts'
import { identifier, plainText } from './plain-text.ts'

/** Something to choose: what is shown, and the value that comes back. */
export interface Choice {
  /** Unique among the choices of a field; never cut. */
  readonly value: string
  readonly text: string
  readonly description?: string
}

/** A choice as Slack's option, for menus and for answers to a menu's question. Throws RangeError for a bad value. */
export function option({ value, text, description }: Choice): Option {
  return {
    text: plainText(text, OPTION_CHARACTERS),
    value: identifier(value, 'The value of an option', OPTION_VALUE_CHARACTERS),
    ...(description !== undefined && { description: plainText(description, OPTION_CHARACTERS) }),
  }
}

/** The options whose values are given, in the options' own order, so that Slack finds each among them. */
export function chosen(options: readonly Option[], values: readonly string[]): readonly Option[] {
  return options.filter(({ value }) => values.includes(value))
}
