import type { InputBlock } from '../../src/block-kit/inputs.ts'
import type { ModalView } from '../../src/block-kit/view.ts'

/** `view.state.values` as Slack sends it when somebody submits the view without touching it. */
export function submittedState(view: ModalView): Record<string, Record<string, unknown>> {
  const inputs = view.blocks.filter((block): block is InputBlock => block.type === 'input')
  return Object.fromEntries(
    inputs.map(({ block_id, element }) => [block_id, { [element.action_id]: stateOf(element) }]),
  )
}

function stateOf(element: InputBlock['element']): unknown {
  const { type } = element
  switch (type) {
    case 'plain_text_input':
    case 'number_input':
      return { type, value: element.initial_value ?? null }
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: element.initial_option ?? null }
    case 'multi_static_select':
    case 'checkboxes':
      return { type, selected_options: element.initial_options ?? [] }
  }
}
