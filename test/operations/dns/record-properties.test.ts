import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import { DnsRecord, DnsRecordRequest } from '../../../src/cdn/contract/dns-record.ts'
import { issuesOf } from '../../../src/cdn/contract/request-rules.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import { checkContext, invocationOf, operationContext } from '../../support/operation-context.ts'
import { RECORD_CASES, typedValues } from '../../support/dns-record-cases.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 60 })
/** Half of the time what a person would type, so that a good part of the records gets through. */
const given = fc.oneof(
  anyText,
  fc.constantFrom('@', '.', '10', '-1', '"a"', 'a.example.', '192.0.2.1', '. a=b', 'A=1', 'on', ';'),
)
/** A right record of any type in which some fields hold anything at all. */
const anyValues = fc
  .tuple(
    fc.constantFrom(...RECORD_CASES),
    fc.record(
      { name: given, value: given, comment: given, latencyZone: given, variables: given, ttl: given },
      { requiredKeys: [] },
    ),
  )
  .map(([each, changes]) => ({ ...typedValues(each, dnsAdd.positionals({ type: each.type })), ...changes }))

test('whatever is given, it is refused with a sentence or becomes a request the client takes', async () => {
  await fc.assert(
    fc.asyncProperty(anyValues, async (values) => {
      const parsed = dnsAdd.parse(values, checkContext())
      if (!parsed.ok) {
        expect(parsed.issues.every(({ problem }) => problem.endsWith('.') || problem.endsWith('?'))).toBe(true)
        return
      }
      const sent: DnsRecordRequest[] = []
      const addDnsRecord = async ({ body: request }: { body: DnsRecordRequest }): Promise<DnsRecord> => {
        sent.push(request)
        return DnsRecord.parse({ Id: 1 })
      }
      await parsed.invocation.run(operationContext({ addDnsRecord }))
      expect(sent.flatMap((request) => issuesOf(DnsRecordRequest, request))).toEqual([])
    }),
  )
})

test('whatever the platform stores, the answer is one that Slack takes', async () => {
  const [record] = RECORD_CASES
  if (record === undefined) throw new Error('The table has records')
  const invocation = invocationOf(dnsAdd, typedValues(record, dnsAdd.positionals({ type: record.type })))
  const text = fc.option(fc.string({ unit: 'binary', maxLength: 500 }), { nil: null })
  const stored = fc.record(
    {
      Name: text,
      Value: text,
      Comment: text,
      Tag: text,
      LinkName: text,
      LatencyZone: text,
      Type: fc.nat(),
      Ttl: fc.integer(),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(stored, async (fields) => {
      const addDnsRecord = async (): Promise<DnsRecord> => DnsRecord.parse({ Id: 1, ...fields })
      const { message, buttons = [] } = await invocation.run(operationContext({ addDnsRecord }))
      const details = buttons.flatMap((button) => (button.kind === 'more' ? [button.message] : []))
      expect([message, ...details].flatMap(messageProblems)).toEqual([])
      expect(details).toHaveLength(1)
    }),
  )
})
