import type { Field } from '../field.ts'
import { custom, type FieldText, one, problem } from '../fields.ts'

const LENGTH = 32
const SPELLING = /^[0-9a-f]{32}$/
const SHAPE = `${LENGTH} letters and digits, as answers and lists show it`

/** What people are told of the id of the change that an operation is about. */
export const CHANGE_ID: FieldText = { label: 'Change id', hint: `The id of a change: ${SHAPE}.` }

/** The id of a change, as the store has it: copied letters may have become capitals. */
export function changeIdField(options: FieldText): Field<string, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: LENGTH, multiline: false, word: 'id' },
    read(raw) {
      const id = one(raw).trim().toLowerCase()
      return SPELLING.test(id) ? { ok: true, value: id } : problem(`A change id has ${SHAPE}.`)
    },
  })
}
