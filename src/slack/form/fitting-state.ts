import type { InputElement } from '../../block-kit/blocks.ts'
import { INPUT_ACTION } from '../../block-kit/inputs.ts'
import type { Field } from '../../operations/field.ts'
import { readId } from '../../operations/fields.ts'
import type { FormStep, Operation } from '../../operations/operation.ts'
import type { RawValue, RawValues } from '../../shared/raw-values.ts'
import { fieldInput, fieldOfBlock } from './field-input.ts'
import { type EnteredElement, readState, UNITS_PER_CHARACTER } from './form-values.ts'
import { fieldsOf } from './form-view.ts'

/** More than the choices of any field that redraws a form, multiplied. */
const MAX_VARIANTS = 1_000

/**
 * What in the state of a submitted page cannot come from it, as a sentence; nothing when all of it can. Slack vouches for
 * who sent a state and not for what is in it: a field of another page, an element of another kind or an option that was
 * not offered is no mistake of a person, who would be told at the input.
 */
export function misfitOf(operation: Operation, step: number, values: RawValues, state: unknown): string | undefined {
  const page = operation.form?.[step]
  if (page === undefined) return 'It names a page that the form does not have.'
  const blocks = readState(state)
  if (blocks === undefined) return 'Its values are not readable.'
  const possible = possibleFields(page, operation, values)
  for (const [blockId, elements] of Object.entries(blocks)) {
    const name = fieldOfBlock(blockId)
    const field = possible.has(name) ? operation.fields[name] : undefined
    if (field === undefined) return 'It has a value for a field that this page does not have.'
    const { block } = fieldInput(name, field, undefined, [], false)
    const entered = elements[INPUT_ACTION]
    if (block.block_id !== blockId || entered === undefined || Object.keys(elements).length !== 1)
      return 'It has an input that this page does not have.'
    const misfit = misfitIn(entered, block.element)
    if (misfit !== undefined) return misfit
  }
  return undefined
}

function misfitIn(entered: EnteredElement, drawn: InputElement): string | undefined {
  if (entered.type !== drawn.type) return 'It has an input of another kind than this page.'
  const chosen = [entered.selected_option ?? [], entered.selected_options ?? []].flat().map(({ value }) => value)
  switch (drawn.type) {
    case 'plain_text_input': {
      const most = (drawn.max_length ?? 0) * UNITS_PER_CHARACTER
      if ((entered.value?.length ?? 0) > most) return 'It has a longer text than its input takes.'
      return chosen.length > 0 ? NOT_OFFERED : undefined
    }
    case 'number_input':
      return chosen.length > 0 ? NOT_OFFERED : undefined
    case 'external_select':
      // The id of any zone is offered to whoever types it, and nothing else.
      return chosen.some((value) => readId(value) === undefined) ? NOT_OFFERED : undefined
    case 'static_select':
    case 'multi_static_select':
    case 'checkboxes':
    case 'radio_buttons': {
      const offered = new Set(drawn.options.map(({ value }) => value))
      return chosen.some((value) => !offered.has(value)) ? NOT_OFFERED : undefined
    }
  }
}

const NOT_OFFERED = 'It has a choice that was not offered.'

/**
 * Every field that a page can show, whatever is chosen in the fields that redraw it. A page that is sent while a new
 * choice is still on its way holds the fields of the old one, so what is chosen now does not say which there may be.
 */
function possibleFields(page: FormStep, operation: Operation, values: RawValues): ReadonlySet<string> {
  let variants: readonly RawValues[] = [values]
  for (const name of page.redrawOn ?? []) {
    const field = Object.hasOwn(operation.fields, name) ? operation.fields[name] : undefined
    if (field === undefined) continue
    variants = variants.flatMap((variant) => [
      variant,
      ...choicesOf(field).map((value) => ({ ...variant, [name]: value })),
    ])
    if (variants.length > MAX_VARIANTS) throw new RangeError(`The form of ${operation.name} has too many shapes`)
  }
  return new Set(variants.flatMap((variant) => fieldsOf(page, operation, variant)))
}

function choicesOf({ control }: Field): readonly RawValue[] {
  if (control.kind === 'choice') return control.choices.map(({ value }) => value)
  if (control.kind === 'switch') return ['true']
  return control.kind === 'tri-state' ? ['on', 'off'] : []
}
