import type { Message } from '../../block-kit/message.ts'
import type { RawValues } from '../../shared/raw-values.ts'

/** What an operation has to say. Where it goes, and what its buttons carry, is decided above. */
export interface Answer {
  readonly message: Message
  readonly buttons?: readonly AnswerButton[]
  /** The name of an operation that takes another role: the admins can be asked for it. */
  readonly access?: string | undefined
  /** Where nothing was done, the caller alone sees it, whoever sees what the operation does. */
  readonly audience?: 'caller'
  /** Sent to the asker's direct messages, since a file in Slack cannot be shown to one person in a channel. */
  readonly file?: AnswerFile
}

export type AnswerButton =
  /**
   * Runs the same operation again with other values, in place of what is shown: pages, Older. With `operation` it runs
   * that one instead, which is how Undo works. With `beside` what is shown stays, as it has others to press.
   */
  | {
      readonly kind: 'page'
      readonly label: string
      readonly values: RawValues
      readonly operation?: string
      readonly beside?: boolean
    }
  /** Shows more of what is already known, to the person who asks for it. At most 64 kB. */
  | {
      readonly kind: 'more'
      readonly label: string
      readonly message: Message
      readonly buttons?: readonly FormButton[]
    }
  | FormButton

export interface FormButton {
  readonly kind: 'form'
  readonly label: string
  readonly operation: string
  readonly values: RawValues
}

export interface AnswerFile {
  /** Lower-case letters, digits and hyphens, with an ending: `logs-123-2026-11-20.csv`. */
  readonly name: string
  readonly title: string
  readonly content: string
}

export function pageButton(label: string, values: RawValues): AnswerButton {
  return { kind: 'page', label, values }
}

/**
 * Checked input in the form in which it can be asked for again, for the buttons of an answer: a time as its moment (what
 * was "7d" is another day when the button is pressed), a zone as its id, a list with commas.
 */
export function rawValuesFrom(input: Readonly<Record<string, unknown>>): RawValues {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, rawValue(value)]))
}

function rawValue(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : String(value)
}
