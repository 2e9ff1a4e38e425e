import { defineOperation } from '../define-operation.ts'
import { recordAnswer } from './record-answer.ts'
import { draftRecord } from './record-draft.ts'
import { DNS_FIELDS } from './record-fields.ts'
import { RECORD_FORM, recordPositionals } from './record-form.ts'
import { isAccelerated, recordLookFor, recordReview, recordSentence } from './record-review.ts'

/** `dns add`: one more record in a DNS zone, of any of the 16 types. */
export const dnsAdd = defineOperation({
  name: 'dns add',
  aliases: ['dns'],
  summary: 'Add a record to a DNS zone',
  verb: 'Add record',
  // Acceleration creates a pull zone beside the record, which is billed and stays.
  effect: (input) => (isAccelerated(input) ? 'billed or irreversible' : 'write'),
  minimumRole: 'operator',
  audience: 'channel',
  shareable: false,
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
    cdn.addDnsRecord(input.zone.id, draftRecord(input, marker).request, { signal }),
  present: recordAnswer,
})
