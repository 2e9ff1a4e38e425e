import type { Placed } from './form-values.ts'

/**
 * Whether an input tells the app what is entered before the form is sent: only one that was set up to. Text inputs do
 * so on the enter key unless they say otherwise, all others on every choice.
 */
export function dispatches({ block, element }: Placed, enter: boolean): boolean {
  if (block.type !== 'input' || block.dispatch_action !== true) return false
  if (!('dispatch_action_config' in element) && !isText(element.type)) return true
  const config = 'dispatch_action_config' in element ? element.dispatch_action_config : undefined
  const on = config?.trigger_actions_on ?? ['on_enter_pressed']
  return (enter && on.includes('on_enter_pressed')) || on.includes('on_character_entered')
}

function isText(type: string): boolean {
  return type.endsWith('text_input') || type === 'number_input'
}
