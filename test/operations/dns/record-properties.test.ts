import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DnsRecord, DnsRecordRequest } from '../../../src/cdn/contract/dns-record.ts'
import { issuesOf } from '../../../src/cdn/contract/request-rules.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import { anyCharacter } from '../../block-kit/foreign-text.ts'
import { checkContext, operationContext } from '../../support/operation-context.ts'
import { RECORD_CASES, typedValues } from '../../support/dns-record-cases.ts'

const anyText = fc.string({ unit: anyCharacter, maxLength: 60 })
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
