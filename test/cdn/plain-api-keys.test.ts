import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ApiKeyList } from '../../src/cdn/api-keys.ts'
import { parseJson, stringifyJson } from '../../src/cdn/json.ts'
import { plainApiKeys } from '../../src/cdn/plain-api-keys.ts'
import { unknownFields } from '../../src/cdn/unknown-fields.ts'

const odd = fc.constantFrom<unknown>(
  null,
  undefined,
  '',
  'x',
  0,
  -1,
  1.5,
  1e17,
  2 ** 31,
  2n ** 63n,
  -(2n ** 63n),
  true,
  [],
  {},
  [1],
)
/** A field that is sent with undefined is not sent. */
const seldom = fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, odd)
const role = fc.constantFrom('User', 'UserApi', 'SubuserManage', '')
const key = fc.record(
  {
    Id: fc.oneof({ weight: 40, arbitrary: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) }, odd),
    Key: fc.oneof({ weight: 40, arbitrary: fc.string({ maxLength: 40 }) }, odd),
    Roles: fc.oneof({ weight: 40, arbitrary: fc.array(role, { maxLength: 3 }) }, odd),
    Other: seldom,
  },
  { requiredKeys: [], noNullPrototype: true },
)
const list = fc.record(
  {
    Items: fc.oneof({ weight: 40, arbitrary: fc.array(key, { maxLength: 4 }) }, odd),
    CurrentPage: fc.oneof({ weight: 40, arbitrary: fc.integer() }, odd),
    TotalItems: fc.oneof({ weight: 40, arbitrary: fc.integer() }, odd),
    HasMoreItems: fc.oneof({ weight: 40, arbitrary: fc.boolean() }, odd),
    Other: seldom,
  },
  { requiredKeys: ['Items'], noNullPrototype: true },
)

it('reads a page as its schema does, and leaves to it whatever it refuses or does not know', () => {
  let plain = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 40, arbitrary: list }, odd), (sent) => {
      const json = stringifyJson(sent)
      if (json === undefined) return
      const read = plainApiKeys(parseJson(json))
      if (read === undefined) return
      plain += 1
      expect(read).toEqual(ApiKeyList.parse(parseJson(json)))
      expect(unknownFields(ApiKeyList, parseJson(json))).toEqual([])
      expect(Object.isFrozen(read.Items) && read.Items.every(({ Roles }) => Object.isFrozen(Roles))).toBe(true)
    }),
    { numRuns: 3_000 },
  )
  expect(plain).toBeGreaterThan(1_000)
})

it('reads what the contract shows, so that the schema is not asked for a usual page', () => {
  const page = {
    Items: [
      { Id: 7, Key: 'k'.repeat(72), Roles: ['User', 'UserApi'] },
      { Id: 8, Key: null, Roles: null },
    ],
  }
  expect(plainApiKeys({ ...page, CurrentPage: 1, TotalItems: 2, HasMoreItems: false })).toEqual({
    Items: [
      { Id: 7n, redactedKey: '…kkkk', Roles: ['User', 'UserApi'] },
      { Id: 8n, redactedKey: undefined, Roles: [] },
    ],
    CurrentPage: 1,
    TotalItems: 2,
    HasMoreItems: false,
  })
})

it.each([
  { Items: [{ Id: 7, Secret: 'x' }] },
  { Items: [], Sort: 1 },
  { Items: [{ Roles: ['User', 7] }] },
  [],
  null,
  'x',
])('leaves %j to the schema', (body) => {
  expect(plainApiKeys(body)).toBeUndefined()
})
