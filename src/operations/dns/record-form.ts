import { one } from '../fields.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { FormStep } from '../operation.ts'
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
      return type === undefined
        ? [...ALWAYS, 'value', 'ttl']
        : [...ALWAYS, ...RECORD_TYPES[type].needs, ...RECORD_TYPES[type].takes]
    },
    redrawOn: ['type'],
    wording(values) {
      const type = typeIn(values)
      const words = type === undefined ? undefined : RECORD_TYPES[type].value
      return words === undefined ? {} : { value: words }
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
