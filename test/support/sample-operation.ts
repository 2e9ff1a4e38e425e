import { defineOperation } from '../../src/operations/declaration/define-operation.ts'
import { choice, choices } from '../../src/operations/declaration/choice-field.ts'
import { decimal, flag, integer, required, text, triState } from '../../src/operations/declaration/fields.ts'
import { zone } from '../../src/operations/declaration/zone-field.ts'
import type { Operation, Review } from '../../src/operations/declaration/operation.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'

const number = (name: string) => integer({ label: name, min: 0, max: 65_535 })
const options = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ value: `v${from + index}`, label: `Value ${from + index}` }))

export function sampleReview(sentence: string): Review {
  return { sentence, request: [], notes: [], warnings: [], costs: [], irreversible: [], panel: undefined }
}

/** A form of three steps with an input of every kind; its first step shows a priority for mail only. */
export const sample: Operation = defineOperation({
  name: 'record add',
  aliases: ['rec'],
  summary: 'Add a record',
  verb: 'Add record',
  effect: 'write',
  minimumRole: 'operator',
  audience: 'channel',
  shareable: false,
  fields: {
    zone: required(zone({ label: 'Zone', zoneKind: 'dns' })),
    type: required(
      choice({
        label: 'Type',
        choices: [
          { value: 'A', label: 'Address' },
          { value: 'MX', label: 'Mail' },
        ],
      }),
    ),
    priority: number('Priority'),
    value: required(text({ label: 'Value', hint: 'What the record says.', maxLength: 100 })),
    weightFactor: decimal({ label: 'Weight', min: 0, max: 1 }),
    tags: choices({ label: 'Tags', choices: options(1, 10) }),
    regions: choices({ label: 'Regions', choices: options(1, 56) }),
    accelerated: triState({ label: 'Accelerated' }),
    variables: text({ label: 'Variables', multiline: true, secret: true }),
    dryRun: flag({ label: 'Dry run' }),
  },
  positionals: (values: RawValues) =>
    values['type'] === 'MX' ? ['zone', 'type', 'priority', 'value'] : ['zone', 'type', 'value'],
  form: [
    {
      title: 'Record',
      intro: 'What the record <is> & does.',
      fields: ({ type }) => (type === 'MX' ? ['zone', 'type', 'priority', 'value'] : ['zone', 'type', 'value']),
      redrawOn: ['type'],
    },
    { title: 'Routing', fields: () => ['weightFactor', 'tags', 'regions', 'accelerated'] },
    { title: 'The rest', fields: () => ['variables', 'dryRun'] },
  ],
  examples: ['record add shop A 192.0.2.10'],
  describe: ({ value }) => `Add a record ${value}`,
  review: ({ value }) => sampleReview(`Add a record ${value}`),
  lookFor: ({ value }) => `A record ${value}.`,
  run: async () => undefined,
  present: () => ({ message: { text: 'done', blocks: [] } }),
})

/** A read with a noun for an alias, to tell nouns, verbs and names apart. */
export const sampleList: Operation = defineOperation({
  name: 'records list',
  aliases: ['records'],
  summary: 'List the records',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: true,
  fields: { zone: zone({ label: 'Zone', zoneKind: 'dns' }), csv: flag({ label: 'CSV' }) },
  positionals: ['zone'],
  examples: ['records list'],
  describe: () => 'List the records',
  run: async () => undefined,
  present: () => ({ message: { text: 'done', blocks: [] } }),
})
