import type { RawValues } from '../../shared/raw-values.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { one } from '../declaration/fields.ts'
import type { FieldWording, FormStep } from '../declaration/operation.ts'
import { recordAnswer } from './record-answer.ts'
import { draftRecord } from './record-draft.ts'
import { DNS_FIELDS } from './record-fields.ts'
import { isAccelerated, recordLookFor, recordReview, recordSentence } from './record-review.ts'
import { RECORD_TYPES, recordTypeNamed } from './record-types.ts'

type Name = keyof typeof DNS_FIELDS

const ALWAYS = ['zone', 'type', 'name'] as const satisfies readonly Name[]

const RECORD_FORM: readonly FormStep<Name>[] = [
  {
    title: 'Add a DNS record',
    intro: 'Adds a record and replaces nothing. What you leave empty is left to the CDN.',
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
function recordPositionals(values: RawValues): readonly Name[] {
  const type = typeIn(values)
  return [...ALWAYS, ...(type === undefined ? (['value'] as const) : RECORD_TYPES[type].needs)]
}

function typeIn({ type }: RawValues): ReturnType<typeof recordTypeNamed> {
  return type === undefined ? undefined : recordTypeNamed(one(type))
}

export const dnsAdd = defineOperation({
  name: 'dns add',
  aliases: ['dns'],
  summary: 'Add a record to a DNS zone',
  question: 'A DNS record is missing?',
  verb: 'Add record',
  // Acceleration creates a pull zone beside the record, which is billed and stays.
  effect: (input) => (isAccelerated(input) ? 'billed or irreversible' : 'write'),
  audience: 'channel',
  fields: DNS_FIELDS,
  positionals: recordPositionals,
  form: RECORD_FORM,
  examples: [
    'dns add 201 A www 192.0.2.10 --ttl 5m',
    'dns add shop MX @ 10 mail.example.net',
    'dns add shop TXT @ v=spf1 include:mail.example.net -all',
    'dns add shop SRV _sip._tcp 10 5 5060 sip.example.net',
    'dns add shop CAA @ 0 issue ca.example.net',
    'dns add shop HTTPS @ 1 . alpn=h2,h3',
    'dns add shop PullZone cdn shop',
  ],
  check: (input) => draftRecord(input).issues,
  review: recordReview,
  describe: recordSentence,
  lookFor: recordLookFor,
  run: (input, { cdn, signal, marker }) =>
    cdn.addDnsRecord({ zoneId: input.zone.id, body: draftRecord(input, marker).request }, { signal }),
  present: recordAnswer,
})
