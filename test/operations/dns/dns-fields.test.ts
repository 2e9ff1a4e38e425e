import { describe, expect, test } from 'vitest'
import { DNS_FIELDS, ttlWords } from '../../../src/operations/dns/record-fields.ts'
import { checkContext } from '../../support/operation-context.ts'

const context = checkContext()

test.each([
  ['300', 300],
  ['0', 0],
  ['0300', 300],
  ['15s', 15],
  ['5m', 300],
  ['1 H', 3_600],
  ['1d', 86_400],
  ['2w', 1_209_600],
  ['2147483647', 2_147_483_647],
])('the TTL %s is %d seconds', (typed, seconds) => {
  expect(DNS_FIELDS.ttl.read(typed, context)).toEqual({ ok: true, value: seconds })
})

test.each(['', 'soon', '-1', '1.5', '5 minutes', '2147483648', '99999999d', '1h30m'])(
  'the TTL %j is refused',
  (typed) => {
    const problem = 'TTL is a number of seconds up to 2147483647, or a time such as 5m, 1h or 1d.'
    expect(DNS_FIELDS.ttl.read(typed, context)).toMatchObject({ ok: false, problem })
  },
)

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [90, '90 seconds'],
  [300, '300 seconds (5m)'],
  [3_600, '3600 seconds (1h)'],
  [172_800, '172800 seconds (2d)'],
])('a TTL of %d is said as %s', (seconds, words) => {
  expect(ttlWords(seconds)).toBe(words)
})

describe('environment variables', () => {
  const read = (raw: string | readonly string[]): unknown => DNS_FIELDS.variables.read(raw, context)

  test('stand one a line; the value may hold equal signs, spaces, or nothing', () => {
    const value = Object.entries({ MODE: 'live', TOKEN: 'a=b==', EMPTY: '', _X1: ' two words ' })
    expect(read('MODE=live\r\n\nTOKEN=a=b==\n EMPTY =\n_X1= two words ')).toEqual({
      ok: true,
      value: value.map(([name, own]) => ({ name, value: own })),
    })
  })

  test('may come as several values, from a flag given more than once', () => {
    expect(read(['A=1', 'B=2'])).toMatchObject({ value: [{ name: 'A' }, { name: 'B' }] })
  })

  test.each([
    ['MODE=live\n\nhunter2', 'Line 3 of Environment variables is not NAME=value'],
    ['1A=hunter2', 'Line 1 of Environment variables is not NAME=value'],
    ['=hunter2', 'Line 1 of Environment variables is not NAME=value'],
    ['A-B=hunter2', 'Line 1 of Environment variables is not NAME=value'],
    [`${'A'.repeat(129)}=hunter2`, 'Line 1 of Environment variables is not NAME=value'],
    ['A=hunter2\nA=hunter2', 'Environment variables has A twice.'],
  ])('%j is refused without repeating what may be a secret', (typed, rule) => {
    const name = ', with a name of letters, digits and _ that does not begin with a digit.'
    expect(read(typed)).toEqual({ ok: false, problem: rule.endsWith('.') ? rule : `${rule}${name}` })
  })

  test('are bounded in length', () => {
    expect(read(`${'A'.repeat(128)}=1`)).toMatchObject({ ok: true })
    expect(read(`A=${'x'.repeat(2_998)}`)).toMatchObject({ ok: true })
    const problem = 'Environment variables may have at most 3000 characters in all.'
    for (const tooLong of [`A=${'x'.repeat(2_999)}`, `A=${'x'.repeat(1_500)}\nB=${'x'.repeat(1_496)}`])
      expect(read(tooLong)).toEqual({ ok: false, problem })
  })
})

test.each([
  ['comment', 'c'.repeat(501), 'at most 500'],
  ['value', 'x'.repeat(3_001), 'at most 3000'],
  ['weight', '65536', '0 to 65535'],
  ['priority', '-1', '0 to 65535'],
  ['priority', '1.5', '0 to 65535'],
  ['port', '65536', '0 to 65535'],
  ['flags', '256', '0 to 255'],
  ['latitude', '90.1', '-90 to 90'],
  ['longitude', '-180.5', '-180 to 180'],
  ['tag', 'isue', 'Did you mean issue?'],
  ['monitor', 'sometimes', 'None, Ping, Http, Monitor'],
  ['smartRouting', 'laziness', 'None, Latency, Geolocation'],
  ['latencyZone', 'D E', 'Latency zone is the code of a region: at most 10 letters and digits.'],
  ['latencyZone', 'ABCDEFGHIJK', 'at most 10'],
  ['pullZone', 'nowhere', 'No pull zone is named nowhere'],
  ['script', 'edge', 'numeric id'],
  ['script', '9223372036854775808', 'numeric id'],
  ['accelerated', 'perhaps', 'on, off or default'],
  ['type', 'AA', 'Did you mean'],
  ['type', 'www', 'It is one of A, '],
  ['zone', 'shopp', 'Did you mean shop?'],
] as const)('%s refuses %s and names the rule', (name, typed, rule) => {
  expect(DNS_FIELDS[name].read(typed, context)).toMatchObject({ ok: false, problem: expect.stringContaining(rule) })
})
