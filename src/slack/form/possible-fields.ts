import type { Field } from '../../operations/field.ts'
import type { FormStep, Operation } from '../../operations/operation.ts'
import type { RawValue, RawValues } from '../../shared/raw-values.ts'
import { fieldsOf } from './form-view.ts'

/** More than the choices of any field that redraws a form, multiplied. */
const MAX_VARIANTS = 1_000

/**
 * Every field that a page can show, whatever is chosen in the fields that redraw it. A page that is sent while a new
 * choice is still on its way holds the fields of the old one, so what is chosen now does not say which there may be.
 */
export function possibleFields(page: FormStep, operation: Operation, values: RawValues): ReadonlySet<string> {
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
