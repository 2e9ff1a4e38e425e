import { expect, it } from 'vitest'
import { matchOperation, requireOperation } from '../../../src/operations/declaration/operation-names.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'

const catalog = OPERATIONS.map((operation) => ({ operation }))
const allOf = (noun: string): readonly string[] =>
  OPERATIONS.flatMap(({ name }) => (name.startsWith(`${noun} `) ? [name] : []))

it.each<[string, readonly string[]]>([
  [' Zone  Add', ['zones add']],
  ['DNS', allOf('dns')],
  ['zones', allOf('zones')],
  ['librarys', allOf('library')],
  ['libraries', allOf('library')],
  ['mutes', ['alerts silence']],
  ['api key', ['keys list']],
])('words such as %j mean %j', (words, names) => {
  const match = matchOperation(words, catalog)
  expect(match.kind === 'some' ? match.entries.map(({ operation }) => operation.name) : []).toEqual(names)
})

it.each([
  ['alerts silense', 'alerts silence'],
  ['coffee', undefined],
])('words such as %j mean none, and perhaps %s', (words, near) => {
  const match = matchOperation(words, catalog)
  expect([match.kind, match.kind === 'none' ? match.suggestion?.name : '']).toEqual(['none', near])
})

it('is a bug where the program names one that is not there', () => {
  expect(requireOperation(OPERATIONS, 'dns add').name).toBe('dns add')
  expect(() => requireOperation(OPERATIONS, 'dns')).toThrow('There is no operation dns')
})
