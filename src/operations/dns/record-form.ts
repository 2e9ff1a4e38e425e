import { one } from '../fields.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { FieldWording, FormStep } from '../operation.ts'
import type { DNS_FIELDS } from './record-fields.ts'
import { RECORD_TYPES, recordTypeNamed } from './record-types.ts'

type Name = keyof typeof DNS_FIELDS

const ALWAYS = ['zone', 'type', 'name'] as const satisfies readonly Name[]

/** One page that shows exactly what the chosen type takes, essentials first, under the names the type gives them. */
export const RECORD_FORM: readonly FormStep<Name>[] = [
  {
    title: 'Add a DNS record',
    intro: 'Adds a record and replaces nothing. What you leave empty is left to the platform.',
    fields(values) {
      const type = typeIn(values)
      if (type !== undefined) return [...ALWAYS, ...RECORD_TYPES[type].needs, ...RECORD_TYPES[type].takes]
      // A value that came with a mistyped type stays in sight; else there is nothing to ask before the type is known.
      return values['value'] === undefined ? ALWAYS : [...ALWAYS, 'value']
    },
    redrawOn: ['type'],
    wording(values) {
      const type = typeIn(values)
      if (type === undefined) return {}
      const { needs, value } = RECORD_TYPES[type]
      const wording: Partial<Record<Name, FieldWording>> = {}
      for (const name of needs) wording[name] = { needed: true, ...(name === 'value' && value) }
      return wording
    },
  },
]

/** What is typed after the command, in order: the type decides what follows the name. */
export function recordPositionals(values: RawValues): readonly Name[] {
  const type = typeIn(values)
  return [...ALWAYS, ...(type === undefined ? (['value'] as const) : RECORD_TYPES[type].needs)]
}

function typeIn({ type }: RawValues): ReturnType<typeof recordTypeNamed> {
  return type === undefined ? undefined : recordTypeNamed(one(type))
}
