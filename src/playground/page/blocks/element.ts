import { unreachable } from '../../../shared/errors.ts'
import type { Block, Element } from '../../slack/block-rules/blocks.ts'
import { initialValue } from '../../slack/form-values.ts'
import { html, type Html } from '../html.ts'
import type { Scene } from '../reader.ts'
import { buttonHtml, overflowHtml, workflowButtonHtml } from './buttons.ts'
import { choicesHtml } from './choices.ts'
import { pictureHtml } from './picture.ts'
import { selectHtml } from './selects.ts'
import type { InputSlot, Slot } from './slot.ts'
import { pickedHtml, typedHtml } from './typed-inputs.ts'

/** Whatever a person can use in a block, holding what was entered or chosen in it. */
export function elementHtml(element: Element, block: Block, scene: Scene, input?: InputSlot): Html {
  const blockId = block.block_id ?? ''
  const actionId = ('action_id' in element ? element.action_id : undefined) ?? ''
  const held = scene.form?.values[blockId]?.[actionId] ?? initialValue(element)
  const slot: Slot = { scene, blockId, actionId, held, input }
  switch (element.type) {
    case 'button':
      return buttonHtml(element, slot)
    case 'workflow_button':
      return workflowButtonHtml(element)
    case 'overflow':
      return overflowHtml(element, slot)
    case 'image':
      return pictureHtml(element)
    case 'checkboxes':
    case 'radio_buttons':
      return choicesHtml(element, slot)
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'rich_text_input':
      return typedHtml(element, slot)
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return pickedHtml(element, slot)
    case 'file_input':
      return html`<p class="quiet">Files cannot be chosen here.</p>`
    case 'static_select':
    case 'external_select':
    case 'users_select':
    case 'channels_select':
    case 'conversations_select':
    case 'multi_static_select':
    case 'multi_external_select':
    case 'multi_users_select':
    case 'multi_channels_select':
    case 'multi_conversations_select':
      return selectHtml(element, slot)
    default:
      return unreachable(element)
  }
}
