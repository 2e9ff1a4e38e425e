import { INPUT_ACTION } from '../../block-kit/inputs.ts'
import { readState } from './form-values.ts'

/** Slack counts characters by another measure, so a text it takes may be up to twice as long by ours. */
export const UNITS_PER_CHARACTER = 2

/** What stands in the one text input of a view; nothing when it was left empty or is not there. */
export type EnteredText =
  | { readonly fits: true; readonly text: string | undefined }
  /** The state has something that no such view has. */
  | { readonly fits: false }

/** Reads the one text input of a view that asks for nothing else. `state` is `view.state.values` as Slack sent it. */
export function enteredText(state: unknown, blockId: string, maxCharacters: number): EnteredText {
  const blocks = readState(state)
  if (blocks === undefined || Object.keys(blocks).some((id) => id !== blockId)) return { fits: false }
  const elements = Object.entries(blocks[blockId] ?? {})
  if (elements.some(([id, { type }]) => id !== INPUT_ACTION || type !== 'plain_text_input')) return { fits: false }
  const text = elements[0]?.[1].value?.trim() ?? ''
  if (text.length > maxCharacters * UNITS_PER_CHARACTER) return { fits: false }
  return { fits: true, text: text === '' ? undefined : text }
}
