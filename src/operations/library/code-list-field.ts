import type { Choice, Field } from '../field.ts'
import { choices } from '../choice-field.ts'
import { type FieldText, many } from '../fields.ts'

/** A code that is not in our list, but may be in the platform's: two or three letters, such as `NY` or `en`. */
const SHORT_CODE = /^[A-Za-z]{2,3}$/

/**
 * Several codes of a list the platform keeps and may have lengthened since: known ones are offered by name and may be
 * given by code or name, unknown short ones are passed on as typed, in the case the platform writes codes in.
 */
export function codeList(
  options: FieldText & { readonly choices: readonly Choice[]; readonly letterCase: 'upper' | 'lower' },
): Field<readonly string[], false> {
  const known = choices(options)
  const names = new Set(options.choices.flatMap(({ value, label }) => [value.toLowerCase(), label.toLowerCase()]))
  const isUnknown = (code: string): boolean => SHORT_CODE.test(code) && !names.has(code.toLowerCase())
  return {
    ...known,
    read(raw, context) {
      const typed = many(raw)
      const result = known.read(
        typed.filter((code) => !isUnknown(code)),
        context,
      )
      if (!result.ok) return result
      const passedOn = typed
        .filter(isUnknown)
        .map((code) => (options.letterCase === 'upper' ? code.toUpperCase() : code.toLowerCase()))
      return { ok: true, value: [...result.value, ...new Set(passedOn)] }
    },
  }
}
