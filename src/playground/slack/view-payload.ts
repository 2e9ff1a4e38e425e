import { placedElements, type FormValues } from './form-values.ts'
import { APP_ID, BOT_ID, TEAM } from './seed.ts'
import type { StoredView } from './views.ts'

/** A view as Slack writes it in payloads and answers. `values` is what an app may see of the entered values. */
export function viewPayload(view: StoredView, values: FormValues = {}): Readonly<Record<string, unknown>> {
  const { definition } = view
  const modal =
    definition.type === 'modal'
      ? {
          title: definition.title,
          submit: definition.submit ?? null,
          close: definition.close ?? null,
          clear_on_close: definition.clear_on_close ?? false,
          notify_on_close: definition.notify_on_close ?? false,
        }
      : { title: { type: 'plain_text', text: 'View Title', emoji: true }, submit: null, close: null }
  return {
    id: view.id,
    team_id: TEAM.id,
    type: definition.type,
    blocks: definition.blocks,
    private_metadata: definition.private_metadata ?? '',
    callback_id: definition.callback_id ?? '',
    external_id: definition.external_id ?? '',
    state: { values },
    hash: view.hash,
    ...modal,
    previous_view_id: view.previousId ?? null,
    root_view_id: view.rootId,
    app_id: APP_ID,
    app_installed_team_id: TEAM.id,
    bot_id: BOT_ID,
  }
}

/** The values outside of input blocks: all that an app sees of a form that was closed and not sent. */
export function valuesWithoutInputs(view: StoredView): FormValues {
  const inputs = new Set(
    placedElements(view.definition.blocks)
      .filter((placed) => placed.block.type === 'input')
      .map((placed) => placed.blockId),
  )
  return Object.fromEntries(Object.entries(view.values).filter(([blockId]) => !inputs.has(blockId)))
}
