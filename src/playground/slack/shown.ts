import type { Block } from './blocks/blocks.ts'
import type { StoredFile } from './state/files.ts'
import type { StoredMessage } from './state/messages.ts'
import { BOT_USER_ID } from './state/seed.ts'
import type { StoredView } from './state/views.ts'

export type ShownMessage = ReturnType<typeof shownMessage>
export type ShownView = ReturnType<typeof shownView>

/** A file as one person sees it; its content is read as UTF-8. */
export type ShownFile = Pick<StoredFile, 'id' | 'name' | 'title'> & {
  readonly channel: string
  readonly content: string
}

export function shownMessage({ visibleTo, editedTs, ...rest }: StoredMessage) {
  return {
    ...rest,
    edited: editedTs !== undefined,
    byBot: rest.author === BOT_USER_ID,
    /** Only this person sees it, until the client is loaded again. */
    ephemeral: visibleTo !== undefined,
  } as const
}

export function shownView({ id, definition, values, errors }: StoredView) {
  const blocks: readonly Block[] = definition.blocks
  const modal = definition.type === 'modal' ? definition : undefined
  return {
    id,
    type: definition.type,
    callbackId: definition.callback_id ?? '',
    title: modal?.title.text ?? '',
    submit: modal?.submit?.text,
    close: modal?.close?.text,
    blocks,
    values,
    errors,
  } as const
}
