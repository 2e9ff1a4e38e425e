import { expect, test } from 'vitest'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { Invocation, Review } from '../../../src/operations/operation.ts'
import { checkContext, invocationOf } from '../../support/operation-context.ts'

const PLAIN = { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.10' }
const ONCE =
  'This adds a record; it replaces nothing, and CDN Ops cannot remove it. If the same record is there already, there will be two.'

function review(values: RawValues): Review {
  const found = invocationOf(dnsAdd, values).review
  if (found === undefined) throw new Error('A write has a review')
  return found
}

test('shows the request as it will be sent, and what was changed on the way', () => {
  expect(
    review({
      zone: 'shop',
      type: 'mx',
      name: '@',
      priority: '010',
      value: 'mail.example.net.',
      ttl: '1h',
      disabled: 'off',
    }),
  ).toEqual({
    sentence: 'Add an MX record @ → mail.example.net to DNS zone shop (301)',
    request: [
      ['Type', 'MX (4)'],
      ['Name', '@ (the zone itself, an empty name)'],
      ['Value', 'mail.example.net'],
      ['Ttl', '3600 seconds (1h)'],
      ['Priority', '10'],
      ['Disabled', 'off'],
    ],
    notes: [
      'The name @ is the zone itself, which is sent as an empty name.',
      'The dot at the end of mail.example.net. is left out.',
    ],
    warnings: [],
    costs: [],
    irreversible: [ONCE],
    panel: new URL('https://panel.example.com/dns-zone/301'),
  })
})

test('a latency zone is sent in capitals, and that is said', () => {
  const { request, notes } = review({ ...PLAIN, smartRouting: 'latency', latencyZone: 'ny' })
  expect(request).toContainEqual(['LatencyZone', 'NY'])
  expect(request).toContainEqual(['SmartRoutingType', 'Latency (1)'])
  expect(notes).toEqual(['The latency zone is sent as NY.'])
})

test('acceleration is named with its cost, its slowness and what it leaves behind', () => {
  const { costs, warnings, irreversible } = review({ ...PLAIN, accelerated: 'on' })
  expect(costs).toEqual([expect.stringContaining('creates a pull zone')])
  expect(warnings).toEqual([expect.stringContaining('half a minute')])
  expect(irreversible).toEqual([ONCE, expect.stringContaining('stays when acceleration is turned off')])
})

test('without an address of the panel there is no link', () => {
  const context = checkContext({ panel: () => undefined })
  expect(invocationOf(dnsAdd, PLAIN, context).review?.panel).toBeUndefined()
})

test('a long value is reviewed whole, but cut in the sentence', () => {
  const value = 'x'.repeat(2_999)
  const { sentence, request } = review({ zone: 'shop', type: 'TXT', name: '@', value })
  expect(request).toContainEqual(['Value', value])
  expect(sentence.length).toBeLessThan(200)
  expect(sentence).toContain('…')
})

test('a record that points at something of the account names it', () => {
  expect(review({ zone: '301', type: 'PullZone', name: 'cdn', pullZone: '201' }).sentence).toBe(
    'Add a PullZone record cdn → pull zone shop (201) to DNS zone shop (301)',
  )
  expect(review({ zone: '999', type: 'Script', name: 'edge', script: '77' }).sentence).toBe(
    'Add a Script record edge → script 77 to DNS zone 999',
  )
})

test('what to look for names the record, where, and what follows', () => {
  expect(invocationOf(dnsAdd, PLAIN).lookFor).toBe(
    'Look in DNS zone shop (301) for an A record named www with 192.0.2.10. ' +
      'If it is there, it was added. If not, add it again: adding a record that exists makes a second one.',
  )
  expect(invocationOf(dnsAdd, { ...PLAIN, accelerated: 'on' }).lookFor).toContain(
    'a pull zone for the name may appear too',
  )
})

test('values of environment variables stand nowhere but in what is sent', () => {
  const invocation: Invocation = invocationOf(dnsAdd, {
    zone: 'shop',
    type: 'Script',
    name: 'edge',
    script: '77',
    variables: 'TOKEN=hunter2\nMODE=live',
  })
  const { review: shown, sentence, lookFor, maskedValues } = invocation
  expect(shown?.request).toContainEqual(['EnviromentalVariables', 'TOKEN=••••, MODE=••••'])
  expect(maskedValues['variables']).toBe('••••')
  expect(JSON.stringify([shown, sentence, lookFor, maskedValues])).not.toContain('hunter2')
})
