import type { ModalView } from '../../src/block-kit/view.ts'
import { type FormValues, shownValues } from '../../src/playground/slack/blocks/element-values.ts'
import { checkView } from '../../src/playground/slack/blocks/message-rules.ts'

/** `view.state.values` as Slack sends it when somebody submits the view without touching it. */
export function submittedState(view: ModalView): FormValues {
  const checked = checkView(view, 'modal')
  if (!checked.ok) throw new Error(`Slack would refuse the view: ${checked.error} ${JSON.stringify(checked.problems)}`)
  return shownValues(checked.view.blocks)
}
