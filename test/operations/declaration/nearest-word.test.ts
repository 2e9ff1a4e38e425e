import { expect, test } from 'vitest'
import { dnsAdd } from '../../../src/operations/dns/dns-add.ts'
import { libraryCreate } from '../../../src/operations/library/library-create.ts'
import { logs } from '../../../src/operations/logs/logs.ts'
import { nearestWord } from '../../../src/operations/declaration/nearest-word.ts'
import { problemsOf } from '../../support/operation-context.ts'

test.each([
  ['premuim', ['Free', 'Premium'], 'Premium'],
  ['MIS', ['HIT', 'MISS'], 'MISS'],
  ['foo', ['log'], undefined],
  ['loog', ['log', 'logs'], 'log'],
  ['descripton', ['titles', 'descriptions'], 'descriptions'],
  ['anything', [], undefined],
])('%s among %j means %s', (typed, words, meant) => {
  expect(nearestWord(typed, words)).toBe(meant)
})

test('a slip in a choice is asked about, whatever its case', () => {
  expect(problemsOf(libraryCreate, { name: 'demo', encodingTier: 'premuim' })).toEqual([
    'encodingTier: Encoding tier cannot be premuim. Did you mean Premium?',
  ])
})

test('a slip in a cache status is asked about, and one nobody listed here is asked for as it is', () => {
  expect(problemsOf(logs, { pullZone: '301', cache: 'hit,mis' })).toEqual([
    'cache: Cache status cannot be MIS. Did you mean MISS?',
  ])
  expect(problemsOf(logs, { pullZone: '301', cache: 'expired' })).toEqual([])
})

test('a type that is none is answered with all of them', () => {
  const [said] = problemsOf(dnsAdd, { zone: 'shop', type: 'www', name: 'A' })
  expect(said).toMatch(/^type: Type cannot be www\. It is one of A, .*, TLSA\.$/)
})

test('a value that cannot be read is not called missing as well', () => {
  const values = { zone: 'shop', type: 'CAA', name: '@', flags: 'issue', tag: 'issue', value: 'ca.example.net' }
  expect(problemsOf(dnsAdd, values)).toEqual(['flags: Flags must be a whole number from 0 to 255.'])
})
