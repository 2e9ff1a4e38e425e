import type { ElementValue } from '../../slack/form-values.ts'
import { domId } from '../dom-id.ts'
import { html, type Html } from '../html.ts'
import type { Scene } from '../reader.ts'

/** The place an element stands in: whose it is, what it holds and what is said around it. */
export interface Slot {
  readonly scene: Scene
  readonly blockId: string
  readonly actionId: string
  /** What is entered in it now; undefined for an element that holds nothing. */
  readonly held: ElementValue | undefined
  /** Only for the element of an input block; elsewhere a choice is an action at once. */
  readonly input: InputSlot | undefined
}

/** What surrounds the element of an input block. */
export interface InputSlot {
  readonly labelId: string
  /** Ids of the hint and of the complaint, where there are any. */
  readonly describedBy: readonly string[]
  readonly hasComplaint: boolean
  readonly optional: boolean
  /** Whether the app wants to be told as soon as something is entered. */
  readonly dispatches: boolean
}

/** The id of the element on the page: the same after the app has changed what is around it. */
export function slotId({ scene, blockId, actionId }: Slot, part = ''): string {
  return domId(scene.key, blockId, actionId, part)
}

/** What the script needs to tell the server which element was used. */
export function address({ blockId, actionId, input }: Slot): Html {
  return html` data-block="${blockId}" data-action="${actionId}"${input === undefined ? '' : html` data-input="${input.dispatches ? 'tells' : 'keeps'}"`}`
}

/** What a screen reader says of the element: its label, hint and complaint, or `fallback` where nothing labels it. */
export function naming({ input }: Slot, fallback: string): Html {
  if (input === undefined) return html` aria-label="${fallback}"`
  const described = input.describedBy.length > 0 ? html` aria-describedby="${input.describedBy.join(' ')}"` : ''
  const invalid = input.hasComplaint ? html` aria-invalid="true"` : ''
  const required = input.optional ? '' : html` aria-required="true"`
  return html` aria-labelledby="${input.labelId}"${described}${invalid}${required}`
}
