import { expect, test } from 'vitest'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { Review } from '../../../src/operations/declaration/operation.ts'
import { invocationOf, checkContext, operationContext } from '../../support/operation-context.ts'
import { DnsRecord, type DnsRecordRequest } from '../../../src/cdn/contract/dns-record.ts'

const PLAIN = { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10' }
const ONCE =
  'Adds a record; others of its name stay. CDN Ops can’t remove it, and an identical one would be added twice.'

function review(values: RawValues): Review {
  const found = invocationOf(dnsAdd, values).review
  if (found === undefined) throw new Error('A write has a review')
  return found
}

test('shows the request as it will be sent, and what was changed on the way', () => {
  const mx = { zone: 'shop', type: 'mx', name: '@', priority: '010', value: 'mail.example.net.' }
  expect(review({ ...mx, ttl: '1h', disabled: 'off' })).toEqual({
    sentence: 'Add an MX record @ → mail.example.net to DNS zone shop (301)',
    request: [
      ['Type', 'MX'],
      ['Name', '@ (zone root)'],
      ['Mail server', 'mail.example.net'],
      ['TTL', '3600 seconds (1h)'],
      ['Priority', '10'],
      ['Disabled', 'off'],
    ],
    notes: ['The dot at the end of mail.example.net. is left out.'],
    warnings: [],
    costs: [],
    follows: [ONCE],
    irreversible: [],
    panel: new URL('https://panel.example.com/dns-zone/301'),
  })
})

test('a latency zone is sent in capitals, and that is said', () => {
  const { request, notes } = review({ ...PLAIN, smartRouting: 'latency', latencyZone: 'ny' })
  expect(request).toContainEqual(['Latency zone', 'NY'])
  expect(request).toContainEqual(['Smart routing', 'Latency'])
  expect(notes).toEqual(['The latency zone is sent as NY.'])
  expect(review({ zone: 'shop', type: 'TXT', name: '@', value: 'a', latencyZone: 'ny' }).notes).toEqual([])
  expect(review({ ...PLAIN, smartRouting: 'latency', latencyZone: 'NY' }).notes).toEqual([])
})

test('acceleration is named with its cost, its slowness and what it leaves behind', () => {
  const { costs, warnings, follows, irreversible } = review({ ...PLAIN, accelerated: 'on' })
  expect(costs).toEqual(['Acceleration creates a pull zone, and the traffic it serves is billed by the CDN.'])
  const slow = 'Acceleration can take half a minute, and fails if a pull zone has this host name already.'
  expect(warnings).toEqual([slow])
  expect(review({ ...PLAIN, accelerated: 'on', priority: '1' }).warnings).toEqual([expect.any(String), slow])
  expect(follows).toEqual([ONCE, 'The pull zone of the acceleration stays when the record is removed.'])
  expect(irreversible).toEqual([])
})

test('a long value is reviewed whole, but cut in the sentence', () => {
  const value = 'x'.repeat(2_999)
  const { sentence, request } = review({ zone: 'shop', type: 'TXT', name: '@', value })
  expect(request).toContainEqual(['Text', value])
  expect(sentence).toBe(`Add a TXT record @ → ${'x'.repeat(79)}… to DNS zone shop (301)`)
  const name = ['a', 'b'].map((letter) => letter.repeat(60)).join('.')
  const long = review({ ...PLAIN, name }).sentence
  expect(long).toBe(`Add an A record ${name.slice(0, 79)}… → 192.0.2.10 to DNS zone shop (301)`)
})

test('a record that points at something of the account names it', () => {
  expect(review({ zone: '301', type: 'PullZone', name: 'cdn', pullZone: '201', script: '77' }).sentence).toBe(
    'Add a PullZone record cdn → pull zone shop (201) to DNS zone shop (301)',
  )
  expect(review({ zone: '999', type: 'Script', name: 'edge', script: '77', pullZone: '201' }).sentence).toBe(
    'Add a Script record edge → script 77 to DNS zone 999',
  )
})

test('what to look for names the record, where, and what follows', () => {
  expect(invocationOf(dnsAdd, PLAIN).lookFor).toBe(
    'Look in DNS zone shop (301) for an A record named www with 192.0.2.10.',
  )
  expect(invocationOf(dnsAdd, { ...PLAIN, accelerated: 'on' }).lookFor).toBe(
    'Look in DNS zone shop (301) for an A record named www with 192.0.2.10. With acceleration it can take half a minute to appear.',
  )
})

test('values of environment variables stand nowhere but in what is sent', () => {
  const values = { zone: 'shop', type: 'Script', name: 'edge', script: '77', variables: 'TOKEN=hunter2\nMODE=live' }
  const { review: shown, sentence, lookFor, maskedValues } = invocationOf(dnsAdd, values)
  expect(shown?.request).toContainEqual(['Environment variables', 'TOKEN=••••, MODE=••••'])
  expect(maskedValues['variables']).toBe('••••')
  expect(JSON.stringify([shown, sentence, lookFor, maskedValues])).not.toContain('hunter2')
})

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
  const note = 'The comment is set to this change’s id, so the record can be found by it.'
  expect(invocation.review?.notes).toEqual([note])
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
  expect((await walk(RECORD, 'x'.repeat(500))).sent).toBe('x'.repeat(500))
})
