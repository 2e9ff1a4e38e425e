import * as z from 'zod'
import { unreachable } from '../../shared/errors.ts'
import { checkView, type ViewDefinition } from './block-rules/view-rules.ts'
import { valuesWithoutInputs } from './view-payload.ts'
import { complained, DONE, refused, type PersonOutcome } from './outcome.ts'
import type { Parts } from './parts.ts'
import { closedPayload, submissionPayload } from './payloads.ts'
import type { Member } from './seed.ts'
import { SlackError } from './slack-error.ts'
import type { StoredView } from './views.ts'
import { TROUBLE_CONNECTING, REQUIRED } from './words.ts'
import type { InputElement } from './block-rules/blocks.ts'
import { isEmpty, placedElements, type ElementValue } from './form-values.ts'

const answer = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string().min(1)) }),
  z.object({ response_action: z.literal('update'), view: z.unknown() }),
  z.object({ response_action: z.literal('push'), view: z.unknown() }),
  z.object({ response_action: z.literal('clear') }),
])

/** Presses the submit button of a modal: the client's own checks, then the app's answer. */
export async function submitView(view: StoredView, by: Member, parts: Parts): Promise<PersonOutcome> {
  const complaints = clientComplaints(view)
  parts.views.change(view.id, { errors: complaints })
  if (Object.keys(complaints).length > 0) return complained(complaints)
  const payload = submissionPayload(view, by, parts.triggers.issue(by.id, view.id))
  const outcome = await parts.deliveries.deliver(parts.transport, 'interactive', payload)
  if (outcome.kind !== 'acked') return refused(TROUBLE_CONNECTING)
  if (outcome.payload === undefined) {
    parts.views.close(view)
    return DONE
  }
  const parsed = answer.safeParse(outcome.payload)
  return parsed.success ? applied(parsed.data, view, parts) : refused(TROUBLE_CONNECTING)
}

/** Closes a modal with its close button, telling the app if it asked to know. */
export async function dismissView(view: StoredView, by: Member, parts: Parts): Promise<PersonOutcome> {
  const { definition } = view
  const isCleared = definition.type === 'modal' && definition.clear_on_close === true
  parts.views.close(view, isCleared)
  if (definition.type !== 'modal' || definition.notify_on_close !== true) return DONE
  const payload = closedPayload(view, by, isCleared, valuesWithoutInputs(view))
  // The view is gone from the screen whatever becomes of the notice.
  await parts.deliveries.deliver(parts.transport, 'interactive', payload)
  return DONE
}

function applied(given: z.infer<typeof answer>, view: StoredView, parts: Parts): PersonOutcome {
  switch (given.response_action) {
    case 'clear':
      parts.views.close(view, true)
      return DONE
    case 'errors':
      return withErrors(given.errors, view, parts)
    case 'update':
      return withView(given.view, (definition) => parts.views.update(view, definition))
    case 'push':
      return withView(given.view, (definition) => parts.views.push(view.userId, definition))
    default:
      return unreachable(given)
  }
}

/** Complaints belong under input blocks of this view; any other key spoils the whole answer. */
function withErrors(errors: Readonly<Record<string, string>>, view: StoredView, parts: Parts): PersonOutcome {
  const inputs = new Set(
    view.definition.blocks.filter((block) => block.type === 'input').map((block) => block.block_id),
  )
  const ids = Object.keys(errors)
  if (ids.length === 0 || !ids.every((id) => inputs.has(id))) return refused(TROUBLE_CONNECTING)
  parts.views.change(view.id, { errors })
  return complained(errors)
}

/** The app never learns that a view in its answer was refused; the person sees that something went wrong. */
function withView(given: unknown, show: (definition: ViewDefinition) => unknown): PersonOutcome {
  const checked = checkView(given, 'modal')
  if (!checked.ok) return refused(TROUBLE_CONNECTING)
  try {
    show(checked.view)
    return DONE
  } catch (error) {
    if (error instanceof SlackError) return refused(TROUBLE_CONNECTING)
    throw error
  }
}

/** What the client itself objects to before it sends a form, by block id. Nothing is sent while there is any. */
function clientComplaints(view: StoredView): Readonly<Record<string, string>> {
  const complaints: Record<string, string> = {}
  for (const { block, blockId, actionId } of placedElements(view.definition.blocks)) {
    if (block.type !== 'input') continue
    const value = view.values[blockId]?.[actionId]
    if (value === undefined) continue
    const complaint = isEmpty(value) ? emptyComplaint(block.optional) : valueComplaint(block.element, value)
    if (complaint !== undefined) complaints[blockId] = complaint
  }
  return complaints
}

function emptyComplaint(optional: boolean | undefined): string | undefined {
  return optional === true ? undefined : REQUIRED
}

function valueComplaint(element: InputElement, held: ElementValue): string | undefined {
  const text = typeof held['value'] === 'string' ? held['value'] : ''
  if (element.type === 'number_input') return numberComplaint(element, text)
  if (element.type !== 'plain_text_input' || element.max_length === undefined) return undefined
  return text.length > element.max_length ? `Please enter no more than ${element.max_length} characters.` : undefined
}

function numberComplaint(element: Extract<InputElement, { type: 'number_input' }>, text: string): string | undefined {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) return 'Please enter a valid number.'
  if (!element.is_decimal_allowed && !/^-?\d+$/.test(text)) return 'Please enter a whole number.'
  const { min_value: min, max_value: max } = element
  if (min !== undefined && number < Number(min)) return `Please enter a number of at least ${min}.`
  if (max !== undefined && number > Number(max)) return `Please enter a number of at most ${max}.`
  return undefined
}
