import type { Block } from './blocks.ts'
import type { FormValues } from './form-values.ts'
import type { StoredMessage } from './messages.ts'
import { BOT_USER_ID } from './seed.ts'
import type { StoredView } from './views.ts'

export interface ShownMessage {
  readonly channel: string
  readonly ts: string
  readonly author: string
  readonly byBot: boolean
  /** Only this person sees it, until the client is loaded again. */
  readonly ephemeral: boolean
  readonly text: string
  readonly blocks: readonly Block[]
  readonly threadTs: string | undefined
  /** A reply that stands in the channel as well as in its thread. */
  readonly broadcast: boolean
  readonly edited: boolean
  readonly files: readonly string[]
}

export interface ShownView {
  readonly id: string
  readonly type: 'modal' | 'home'
  readonly callbackId: string
  readonly title: string
  /** The words on the buttons; undefined where there is no such button. */
  readonly submit: string | undefined
  readonly close: string | undefined
  readonly blocks: readonly Block[]
  /** What the form holds now, as `state.values` would say it. */
  readonly values: FormValues
  readonly errors: Readonly<Record<string, string>>
}

export interface ShownFile {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly channel: string
  readonly content: string
}

export function shownMessage(message: StoredMessage): ShownMessage {
  const { visibleTo, editedTs, ...rest } = message
  return {
    ...rest,
    edited: editedTs !== undefined,
    byBot: message.author === BOT_USER_ID,
    ephemeral: visibleTo !== undefined,
  }
}

export function shownView({ id, definition, values, errors }: StoredView): ShownView {
  const isModal = definition.type === 'modal'
  return {
    id,
    type: definition.type,
    callbackId: definition.callback_id ?? '',
    title: isModal ? definition.title.text : '',
    submit: isModal ? definition.submit?.text : undefined,
    close: isModal ? definition.close?.text : undefined,
    blocks: definition.blocks,
    values,
    errors,
  }
}
