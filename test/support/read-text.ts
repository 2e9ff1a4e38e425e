import type { ViewBlock } from '../../src/block-kit/blocks.ts'
import type { View } from '../../src/block-kit/view.ts'
import { renderView } from '../../src/playground/slack/render-text.ts'

type Shown = Parameters<typeof renderView>[0]

/** All that a person reads of a view, or of the blocks of a message, with buttons in brackets: as the emulator shows it. */
export function readText(shown: View | { readonly type?: undefined; readonly blocks: readonly ViewBlock[] }): string {
  const { title, submit, close } = shown.type === 'modal' ? shown : {}
  const blocks = JSON.parse(JSON.stringify(shown.blocks)) as Shown['blocks'] // as they arrive; `slack-rules.ts` checks them
  const frame = { title: title?.text ?? '', submit: submit?.text, close: close?.text }
  return renderView({ id: 'V1', callbackId: '', values: {}, errors: {}, ...frame, blocks })
}
