import { OPS, VERA } from '../../../src/playground/slack/seed.ts'
import { input, modal, textInput, type Piece } from './sample-blocks.ts'
import { scene, type Received, type Scene, type Script } from './scripted-app.ts'

/** An input block with an id, a text input if not said otherwise. */
export const field = (block_id: string, element: Piece = textInput(), over: Piece = {}): Piece =>
  input(element, { block_id, ...over })

/** A scene in which Vera has a modal open; the script answers whatever she does in it. */
export async function openForm(
  blocks: readonly Piece[],
  script: Script = () => ({}),
  over: Piece = {},
): Promise<Scene> {
  const on = scene((payload, type, extra) => (type === 'slash_commands' ? {} : script(payload, type, extra)))
  await on.person(VERA).command(OPS, '/cdn')
  on.call('views.open', { trigger_id: on.received[0]?.['trigger_id'], view: modal(blocks, over) })
  return on
}

/** The view as the app received it last. */
export const lastView = (on: Scene): Received => on.received.at(-1)?.['view'] as Received
