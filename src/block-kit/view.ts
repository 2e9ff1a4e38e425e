import type { Block, ViewBlock } from './blocks.ts'
import type { InputBlock } from './inputs.ts'
import { ID_CHARACTERS, PRIVATE_METADATA_CHARACTERS, VIEW_BLOCKS, VIEW_BYTES, VIEW_TITLE_CHARACTERS } from './limits.ts'
import { md } from './mrkdwn.ts'
import { plainForm } from './message.ts'
import { identifier, plainText } from './plain-text.ts'
import { context, section } from './sections.ts'

/** Room for all of a view but its blocks. */
const FRAME_BYTES = 30_000

export type ModalView = ReturnType<typeof modal>
export type View = ModalView | ReturnType<typeof home>

interface ModalOptions {
  /** Says which listener takes the submission. */
  readonly callbackId: string
  readonly title: string
  readonly blocks: readonly ViewBlock[]
  /** Says what submitting does. Slack refuses a form with inputs without it. */
  readonly submit?: string
  readonly close?: string
  /** An opaque id of at most 3,000 characters; never values, never secrets. */
  readonly privateMetadata?: string
  /** Unique in the workspace; lets a view be found again without its id. */
  readonly externalId?: string | undefined
  readonly notifyOnClose?: boolean
}

/**
 * A modal. Title and buttons are cut at 24 characters; charts and data tables, which Slack does not draw in modals,
 * become text. Throws RangeError for an id that is too long, and for more than 100 blocks or 220,000 bytes of them when
 * one beyond is an input: a form must not lose a field unseen.
 */
export function modal(options: ModalOptions) {
  const { callbackId, title, submit, close, privateMetadata, externalId, notifyOnClose } = options
  const blocks = fitView(plainForm(options.blocks))
  return {
    type: 'modal',
    callback_id: identifier(callbackId, 'callback_id', ID_CHARACTERS),
    title: plainText(title, VIEW_TITLE_CHARACTERS),
    blocks,
    ...(submit !== undefined && { submit: plainText(submit, VIEW_TITLE_CHARACTERS) }),
    ...(close !== undefined && { close: plainText(close, VIEW_TITLE_CHARACTERS) }),
    ...(privateMetadata !== undefined && {
      private_metadata: identifier(privateMetadata, 'private_metadata', PRIVATE_METADATA_CHARACTERS),
    }),
    ...(externalId !== undefined && { external_id: identifier(externalId, 'external_id', ID_CHARACTERS) }),
    ...(notifyOnClose === true && { notify_on_close: notifyOnClose }),
  } as const
}

/** The Home page of one person, charts and tables as text. Above 100 blocks or 220,000 bytes the rest is counted in the last line. */
export function home({ blocks }: { readonly blocks: readonly Block[] }) {
  return { type: 'home', blocks: fitView(plainForm(blocks)) } as const
}

function fitView<B extends ViewBlock>(blocks: readonly B[]): readonly (B | Block)[] {
  if (blocks.length === 0) return [section('')]
  let fitting = 0
  let bytes = FRAME_BYTES
  for (const block of blocks) {
    bytes += Buffer.byteLength(JSON.stringify(block)) + 1
    if (bytes > VIEW_BYTES) break
    fitting += 1
  }
  if (fitting === blocks.length && fitting <= VIEW_BLOCKS) return blocks
  const kept = Math.min(fitting, VIEW_BLOCKS - 1)
  const rest = blocks.slice(kept)
  if (rest.some(isInput)) throw new RangeError(`A view of ${blocks.length} blocks would lose fields; split the form`)
  return [...blocks.slice(0, kept), context(md`${rest.length} more parts did not fit.`)]
}

function isInput(block: ViewBlock): block is InputBlock {
  return block.type === 'input'
}
