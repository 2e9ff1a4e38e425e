import { expect, test } from 'vitest'
import { DnsRecord, type DnsRecordRequest } from '../../../src/cdn/contract/dns-record.ts'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { checkContext, invocationOf, operationContext } from '../../support/operation-context.ts'

const marker = 'cdn-ops 01234567'
const RECORD = { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10' }
const LOOK = 'Look in DNS zone shop (301) for an A record named www with 192.0.2.10'

/** What is reviewed, what is sent, and what is said of it, with a marker given on the way. */
async function walk(values: RawValues, given: string | undefined) {
  const sent: DnsRecordRequest[] = []
  const addDnsRecord = async ({ body: request }: { body: DnsRecordRequest }) => {
    sent.push(request)
    return DnsRecord.parse({ Id: 5, ...request })
  }
  const invocation = invocationOf(dnsAdd, values, checkContext({ marker: given }))
  const { message } = await invocation.run(operationContext({ addDnsRecord }, { marker: given }))
  const reviewed = Object.fromEntries(invocation.review?.request ?? [])
  return { sent: sent[0]?.Comment, reviewed: reviewed['Comment'], invocation, text: message.text }
}

test('a comment that was left empty names the change, which the review says and the look for it uses', async () => {
  const { sent, reviewed, invocation, text } = await walk(RECORD, marker)
  expect([sent, reviewed]).toEqual([marker, marker])
  expect(invocation.review?.notes).toEqual([expect.stringMatching(/set to this change’s id/)])
  expect(invocation.lookFor).toBe(`${LOOK} (comment ${marker}).`)
  expect(text).not.toContain('differently')
})

test('what was asked stays the same with and without the marker', async () => {
  const marked = invocationOf(dnsAdd, RECORD, checkContext({ marker }))
  const plain = invocationOf(dnsAdd, RECORD)
  expect(marked.canonical).toBe(plain.canonical)
  expect(marked.values).toEqual(plain.values)
})

test.each([
  ['people wrote one', { ...RECORD, comment: 'for the shop' }, marker, 'for the shop'],
  ['records are not marked', RECORD, undefined, undefined],
  ['the platform would not take it whole', RECORD, 'x'.repeat(501), undefined],
])('there is no marker where %s', async (_, values, given, comment) => {
  const { sent, reviewed, invocation } = await walk(values, given)
  expect([sent, reviewed]).toEqual([comment, comment])
  expect(invocation.review?.notes).toEqual([])
  expect(invocation.lookFor).toBe(`${LOOK}.`)
})

test('a comment of nothing but spaces counts as empty', async () => {
  expect((await walk({ ...RECORD, comment: '  ' }, marker)).sent).toBe(marker)
})
