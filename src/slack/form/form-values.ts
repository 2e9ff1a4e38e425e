import * as z from 'zod'
import { INPUT_ACTION, type InputBlock, prefilled } from '../../block-kit/inputs.ts'
import type { Field } from '../../operations/declaration/field.ts'
import { readId } from '../../operations/declaration/fields.ts'
import type { Operation } from '../../operations/declaration/operation.ts'
import type { RawValue, RawValues } from '../../shared/raw-values.ts'
import { InvalidDelivery } from '../gateway/invalid-delivery.ts'
import { fieldInput, fieldOfBlock } from './field-input.ts'
import { MAX_REASON_CHARACTERS } from './review-view.ts'

/**
 * What was given so far, once a view's state is taken in. An input that is in the view decides: what it shows is the
 * value, and left empty there is none; only a secret, which is never filled in again, is kept then. A field without an input in the view, on another page or hidden by a redraw,
 * keeps what was given before. `state` is `view.state.values` as Slack sent it; throws ZodError for anything else.
 */
export function formValues(operation: Operation, state: unknown, previous: RawValues): RawValues {
  const values = new Map<string, RawValue>(Object.entries(previous))
  for (const [blockId, elements] of Object.entries(StateSchema.parse(state))) {
    const name = fieldOfBlock(blockId)
    const field = Object.hasOwn(operation.fields, name) ? operation.fields[name] : undefined
    const element = Object.values(elements)[0]
    if (field === undefined || element === undefined) continue
    const value = readElement(element, field)
    if (value !== undefined && isAsFilledIn(value, previous[name], field)) continue
    if (value !== undefined) values.set(name, value)
    else if (!field.secret) values.delete(name)
  }
  return Object.fromEntries(values)
}

/** What an input cannot show as it is, such as joiners of letters, is not sent spelled out because somebody leafed past it. */
function isAsFilledIn(value: RawValue, given: RawValue | undefined, { control }: Field): boolean {
  return control.kind === 'text' && typeof given === 'string' && prefilled(given, control.multiline) === value
}

export function fieldsInState(state: unknown): ReadonlyMap<string, string> {
  return new Map(Object.keys(StateSchema.parse(state)).map((blockId) => [fieldOfBlock(blockId), blockId]))
}

const OptionSchema = z.object({ value: z.string() })

/** Untouched and cleared inputs hold null or nothing, depending on their kind. */
const ElementSchema = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_option: OptionSchema.nullish(),
  selected_options: z.array(OptionSchema).nullish(),
})

/** `view.state.values` as Slack sends it: by block id, then by action id. */
const StateSchema = z.record(z.string(), z.record(z.string(), ElementSchema))

type EnteredElement = Readonly<z.output<typeof ElementSchema>>

function readElement(element: EnteredElement, { control }: Field): RawValue | undefined {
  if (element.selected_options !== undefined && element.selected_options !== null) {
    const chosen = element.selected_options.map(({ value }) => value)
    if (chosen.length === 0) return undefined
    return control.kind === 'switch' ? chosen[0] : chosen
  }
  const value = element.selected_option?.value ?? element.value ?? ''
  if (value.trim() === '') return undefined
  return control.kind === 'tri-state' && value === 'default' ? undefined : value
}

/** Slack counts characters by another measure, so a text it takes may be up to twice as long by ours. */
const UNITS_PER_CHARACTER = 2

/**
 * What stands in the one text input of a view that asks for nothing else, or for nothing at all. `state` is
 * `view.state.values` as Slack sent it; throws InvalidDelivery when it has something that no such view has.
 */
export function readReason(state: unknown, blockId: string | undefined, changeId: string): string | undefined {
  const blocks = StateSchema.safeParse(state).data
  const elements = Object.entries(blocks?.[blockId ?? ''] ?? {})
  const text = elements[0]?.[1].value?.trim() ?? ''
  const fits =
    blocks !== undefined &&
    Object.keys(blocks).every((id) => id === blockId) &&
    elements.every(([id, { type }]) => id === INPUT_ACTION && type === 'plain_text_input') &&
    text.length <= MAX_REASON_CHARACTERS * UNITS_PER_CHARACTER
  if (!fits) throw new InvalidDelivery('It has a value that this view does not ask for.', { changeId })
  return text === '' ? undefined : text
}

/**
 * Whether the state of a submitted page can come from it. Slack vouches for who sent a state and not for what is in it: an
 * element of another kind or an option that was not offered is no mistake of a person, who would be told at the input. A
 * field of another page is none either: its value is checked like typed text.
 */
export function fitsForm({ form, fields }: Operation, step: number, state: unknown): boolean {
  const blocks = StateSchema.safeParse(state).data
  if (form?.[step] === undefined || blocks === undefined) return false
  return Object.entries(blocks).every(([blockId, elements]) => {
    const name = fieldOfBlock(blockId)
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const entered = elements[INPUT_ACTION]
    if (field === undefined || entered === undefined || Object.keys(elements).length !== 1) return false
    const { block } = fieldInput(name, field, undefined, [], false)
    return block.block_id === blockId && fitsInput(entered, block.element)
  })
}

function fitsInput(entered: EnteredElement, drawn: InputBlock['element']): boolean {
  if (entered.type !== drawn.type) return false
  if (drawn.type === 'plain_text_input' && (entered.value?.length ?? 0) > drawn.max_length * UNITS_PER_CHARACTER)
    return false
  const isOffered = (value: string): boolean => {
    if ('options' in drawn) return drawn.options.some((option) => option.value === value)
    // The id of any zone is offered to whoever types it, and nothing else.
    return drawn.type === 'external_select' && readId(value) !== undefined
  }
  const chosen = [entered.selected_option ?? [], entered.selected_options ?? []].flat()
  return chosen.every(({ value }) => isOffered(value))
}
